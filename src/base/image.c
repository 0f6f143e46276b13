/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The writer reserves one large range of addresses, of which the kernel only backs what is touched, so that
 * memory given out never moves. The file: a header, the block, then the offsets of its pointers. In the file
 * a pointer is the offset of its target in the block plus one, 0 stays NULL. */

#include "base/image.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/fd.h"

#define IMAGE_MAGIC    UINT64_C(0x756e697472756e31) /* "unitrun1" */
#define RESERVED_BYTES ((size_t) 256 << 20)         /* a config of 16 MiB and 1,000,000 values needs less */
#define ALIGNMENT      _Alignof(max_align_t)

struct Image {
        char *block;
        size_t size;
        uint64_t version;
        uint32_t *links;
        size_t n_links, room;
};

typedef struct ImageHeader {
        uint64_t magic;
        uint64_t version;
        uint64_t block_size;
        uint64_t n_links;
        uint64_t root;
        uint64_t reserved; /* keeps the block aligned */
} ImageHeader;

Image *image_new(uint64_t version) {
        Image *image = calloc(1, sizeof(*image));

        if (!image)
                return NULL;
        image->version = version;
        image->block = mmap(NULL, RESERVED_BYTES, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (image->block == MAP_FAILED) {
                free(image);
                return NULL;
        }
        return image;
}

void image_free(Image *image) {
        if (!image)
                return;
        munmap(image->block, RESERVED_BYTES);
        free(image->links);
        free(image);
}

void *image_alloc(Image *image, size_t size) {
        size_t start = (image->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

        if (size > RESERVED_BYTES - start)
                abort();
        image->size = start + size;
        return image->block + start;
}

void image_link(Image *image, void *slot, const void *target) {
        *(const void **) slot = target;
        if (!target)
                return;
        if (image->n_links == image->room) {
                image->room = image->room ? image->room * 2 : 64;
                uint32_t *larger = reallocarray(image->links, image->room, sizeof(*larger));
                if (!larger)
                        abort();
                image->links = larger;
        }
        image->links[image->n_links++] = (uint32_t) ((char *) slot - image->block);
}

void image_link_data(Image *image, void *slot, const void *data, size_t size) {
        void *copy = image_alloc(image, size > 0 ? size : 1);

        if (size > 0)
                memcpy(copy, data, size);
        image_link(image, slot, copy);
}

void image_link_string(Image *image, char **slot, const char *text) {
        if (text)
                image_link_data(image, slot, text, strlen(text) + 1);
        else
                *slot = NULL;
}

void image_link_strings(Image *image, char ***slot, const char *const *strings) {
        size_t n = 0;

        if (!strings) {
                *slot = NULL;
                return;
        }
        while (strings[n])
                n++;
        char **copy = image_alloc(image, (n + 1) * sizeof(*copy));
        for (size_t i = 0; i < n; i++)
                image_link_string(image, &copy[i], strings[i]);
        image_link(image, slot, copy);
}

/* The block as it goes into the file: a copy in which pointers have become offsets. */
static char *make_relative(const Image *image) {
        char *copy = malloc(image->size > 0 ? image->size : 1);

        if (!copy)
                return NULL;
        memcpy(copy, image->block, image->size);
        for (size_t i = 0; i < image->n_links; i++) {
                char *target;
                memcpy(&target, copy + image->links[i], sizeof(target));
                /* A slot that was linked and later set to NULL stays NULL. */
                uintptr_t offset = target ? (uintptr_t) (target - image->block) + 1 : 0;
                memcpy(copy + image->links[i], &offset, sizeof(offset));
        }
        return copy;
}

int image_write(const Image *image, const void *root, int fd) {
        ImageHeader header = {
                .magic = IMAGE_MAGIC,
                .version = image->version,
                .block_size = (image->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT,
                .n_links = image->n_links,
                .root = (uint64_t) ((const char *) root - image->block),
        };
        static const char padding[ALIGNMENT];
        autofree char *block = make_relative(image);
        int r;

        if (!block)
                return -ENOMEM;
        r = fd_write_all(fd, &header, sizeof(header));
        if (r >= 0)
                r = fd_write_all(fd, block, image->size);
        if (r >= 0)
                r = fd_write_all(fd, padding, header.block_size - image->size);
        if (r >= 0)
                r = fd_write_all(fd, image->links, image->n_links * sizeof(*image->links));
        return r;
}

static int check_header(const ImageHeader *header, uint64_t size, uint64_t version) {
        if (header->magic != IMAGE_MAGIC || header->version != version)
                return -EBADMSG;
        if (header->block_size < sizeof(uintptr_t) || header->block_size > RESERVED_BYTES ||
            header->n_links > RESERVED_BYTES ||
            size != sizeof(*header) + header->block_size + header->n_links * sizeof(uint32_t) ||
            header->root >= header->block_size)
                return -EBADMSG;
        return 0;
}

int image_map(int fd, uint64_t version, void **ret_root) {
        struct stat status;
        char *mapped;
        int r;

        if (fstat(fd, &status) < 0)
                return -errno;
        if ((uint64_t) status.st_size < sizeof(ImageHeader))
                return -EBADMSG;
        mapped = mmap(NULL, (size_t) status.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
        if (mapped == MAP_FAILED)
                return -errno;
        const ImageHeader *header = (const ImageHeader *) mapped;
        r = check_header(header, (uint64_t) status.st_size, version);
        if (r < 0) {
                munmap(mapped, (size_t) status.st_size);
                return r;
        }
        char *block = mapped + sizeof(*header);
        const uint32_t *links = (const uint32_t *) (block + header->block_size);
        for (uint64_t i = 0; i < header->n_links; i++) {
                uintptr_t offset;
                if (links[i] > header->block_size - sizeof(offset))
                        return -EBADMSG;
                memcpy(&offset, block + links[i], sizeof(offset));
                if (offset > header->block_size)
                        return -EBADMSG;
                uintptr_t address = offset > 0 ? (uintptr_t) block + offset - 1 : 0;
                memcpy(block + links[i], &address, sizeof(address));
        }
        *ret_root = block + header->root;
        return 0;
}
