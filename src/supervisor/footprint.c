/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The kernel maps 16 pages around each touched one, so that a start leaves nearly all of a static program
 * mapped: 740 KiB, which count as private memory while only one container runs, beside some 60 KiB of
 * its own. What runs between giving them back and waiting maps 16 again for each place in the program that it
 * touches, and they stay for as long as nothing happens: so that is one function and syscall(2). */

#include "supervisor/footprint.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SEGMENTS_MAX 16

int footprint_wait(struct pollfd *polled, nfds_t n_polled) {
        const ElfW(Phdr) *headers = (const ElfW(Phdr) *) getauxval(AT_PHDR);
        unsigned long n = getauxval(AT_PHNUM), page = getauxval(AT_PAGESZ), n_segments = 0;
        struct {
                uintptr_t start;
                size_t size;
        } segments[SEGMENTS_MAX];

        for (unsigned long i = 0; i < n && n_segments < SEGMENTS_MAX && page > 0; i++) {
                uintptr_t start = headers[i].p_vaddr & ~(page - 1);

                /* Never a writable one: what was written there is nowhere else, relocations too. */
                if (headers[i].p_type != PT_LOAD || headers[i].p_flags & PF_W)
                        continue;
                segments[n_segments].start = start;
                segments[n_segments++].size = headers[i].p_vaddr + headers[i].p_memsz - start;
        }
        for (unsigned long i = 0; i < n_segments; i++)
                syscall(SYS_madvise, segments[i].start, segments[i].size, MADV_DONTNEED);
        return (int) syscall(SYS_ppoll, polled, n_polled, /* timeout= */ NULL, /* mask= */ NULL, 0);
}
