/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A tree of C structs that one program builds and another, of the same build, uses as it is: allocated in one
 * block, written to a file together with the places of its pointers, and mapped by the reader, who adds the
 * block's address to each of them (what a dynamic linker does). So a plan reaches a program with neither
 * parser nor malloc.
 *
 * The image is for programs of one installation only: it holds their struct layout. Readers check
 * IMAGE_VERSION, which is derived from the caller's @version, and refuse anything else. */

typedef struct Image Image;

/**
 * image_new:
 * @version: names the layout; the reader has to ask for the same
 * Returns (transfer full): an empty image, or NULL without memory.
 */
Image *image_new(uint64_t version);
void image_free(Image *image);

/**
 * image_alloc:
 * Allocates @size zeroed bytes aligned for any type. The memory never moves and lives as long as the image.
 * Never NULL: the program ends when there is no memory (the writer is the front end, where GLib does the
 * same).
 */
void *image_alloc(Image *image, size_t size);

/**
 * image_link:
 * @slot: (type pointer*): the address of a pointer inside memory of image_alloc()
 * @target: other memory of the same image, or NULL
 *
 * Sets the pointer and notes its place, so that it is right in the reader's mapping as well. Plain assignment
 * of a pointer into an image is a bug.
 */
void image_link(Image *image, void *slot, const void *target);

/**
 * image_link_string, image_link_strings:
 * Copy a string, or a NULL-terminated array of strings (NULL stays NULL), into the image and link @slot to
 * it.
 */
void image_link_string(Image *image, char **slot, const char *text);
void image_link_strings(Image *image, char ***slot, const char *const *strings);

/**
 * image_link_data:
 * Copies @size bytes into the image and links @slot (a pointer of any type) to them.
 */
void image_link_data(Image *image, void *slot, const void *data, size_t size);

/**
 * image_write:
 * @root: the struct the reader gets
 *
 * Writes the image to @fd from its current position. Returns 0 or a negative errno.
 */
int image_write(const Image *image, const void *root, int fd);

/**
 * image_map:
 * @fd: an image from its start to its end
 * @ret_root: (transfer none): the struct given to image_write(); stays mapped until the program ends
 *
 * Returns 0, -EBADMSG when it is no image or of another version, or another negative errno.
 */
int image_map(int fd, uint64_t version, void **ret_root);
