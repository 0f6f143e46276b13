/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A mount's list of options. What a word means stands in the table of mount-option.c; here the words of one
 * list are put together. The later one wins, as with mount(8).
 *
 * Access times are one choice of three and nodiratime beside it. The words that take something back (atime,
 * diratime, norelatime, nostrictatime) only undo what stands before them: on a bind mount they leave the
 * source's choice alone, as mount(8) up to 2.38 and the peers have it. The recursive ones do change it. */

#include "container/mount-options.h"

#include <string.h>
#include <sys/mount.h>

#include "base-glib/error.h"
#include "container/mount-option.h"

typedef struct AtimeWords { /* MS_… */
        uint64_t set;
        uint64_t dropped;
} AtimeWords;

typedef struct Parser {
        MountOptions *options;
        AtimeWords atime;
        AtimeWords recursive_atime;
} Parser;

#define ATIME_CHOICES (MS_NOATIME | MS_RELATIME | MS_STRICTATIME)

static uint64_t atime_attributes(uint64_t set) {
        uint64_t attributes = set & MS_STRICTATIME ? MOUNT_ATTR_STRICTATIME
                              : set & MS_NOATIME   ? MOUNT_ATTR_NOATIME
                                                   : MOUNT_ATTR_RELATIME;

        return attributes | (set & MS_NODIRATIME ? MOUNT_ATTR_NODIRATIME : 0);
}

/* Like mount(2): any word replaces all of what there was. */
static void add_atime(MountFlags *flags, const AtimeWords *words) {
        if (words->set == 0)
                return;
        flags->set |= atime_attributes(words->set);
        flags->clear |= (MOUNT_ATTR__ATIME | MOUNT_ATTR_NODIRATIME) & ~(flags->set & MOUNT_ATTR_NODIRATIME);
}

/* Like mount_setattr(2): each word for itself. */
static void add_recursive_atime(MountFlags *flags, const AtimeWords *words) {
        if ((words->set | words->dropped) & ATIME_CHOICES) {
                flags->set |= atime_attributes(words->set & ATIME_CHOICES);
                flags->clear |= MOUNT_ATTR__ATIME;
        }
        if (words->set & MS_NODIRATIME)
                flags->set |= MOUNT_ATTR_NODIRATIME;
        else if (words->dropped & MS_NODIRATIME)
                flags->clear |= MOUNT_ATTR_NODIRATIME;
}

static void set_bits(uint64_t *on, uint64_t *off, uint64_t bits) {
        *on |= bits;
        *off &= ~bits;
}

static void add_flag(Parser *parser, const MountOption *option) {
        MountOptions *options = parser->options;
        MountFlags *flags = option->recursive ? &options->recursive_flags : &options->flags;
        AtimeWords *atime = option->recursive ? &parser->recursive_atime : &parser->atime;

        options->has_flags |= !option->recursive;
        if (option->kind == OPTION_SET)
                set_bits(&flags->set, &flags->clear, option->value);
        else if (option->kind == OPTION_CLEAR)
                set_bits(&flags->clear, &flags->set, option->value);
        else if (option->kind == OPTION_ATIME) {
                if (option->value & ATIME_CHOICES)
                        atime->set &= ~(uint64_t) ATIME_CHOICES;
                set_bits(&atime->set, &atime->dropped, option->value);
        } else
                set_bits(&atime->dropped, &atime->set, option->value);
}

/* Not in the table: "idmap=uids=…", as crun has it and podman passes it on, or the filesystem's own. */
static void add_unknown(MountOptions *options, const char *text, size_t i) {
        bool recursive = g_str_has_prefix(text, "ridmap=");

        if (!recursive && !g_str_has_prefix(text, "idmap=")) {
                g_ptr_array_add(options->parameters, (char *) text);
                return;
        }
        options->id_map = true;
        options->id_map_recursive = recursive;
        options->id_map_text = strchr(text, '=') + 1;
        options->id_map_option = i;
}

static void add_option(Parser *parser, const char *text, size_t i) {
        const MountOption *option = mount_option_find(text);
        MountOptions *options = parser->options;
        uint32_t propagation;

        if (*text == '\0')
                return;
        if (!option) {
                add_unknown(options, text, i);
                return;
        }
        switch (option->kind) {
        case OPTION_SET:
        case OPTION_CLEAR:
        case OPTION_ATIME:
        case OPTION_ATIME_DROP:
                add_flag(parser, option);
                break;
        case OPTION_SUPERBLOCK:
                g_ptr_array_add(options->parameters, (char *) text);
                break;
        case OPTION_PROPAGATION:
                propagation = (uint32_t) option->value;
                g_array_append_val(options->propagation, propagation);
                break;
        case OPTION_BIND:
                options->bind = true;
                options->recursive = option->recursive;
                break;
        case OPTION_COPY_UP:
                options->copy_up = true;
                break;
        case OPTION_ID_MAP:
                options->id_map = true;
                options->id_map_recursive = option->recursive;
                options->id_map_text = NULL;
                options->id_map_option = i;
                break;
        case OPTION_LINK:
                options->links |= (uint32_t) option->value;
                break;
        case OPTION_REMOUNT:
                options->remount = true;
                break;
        case OPTION_NOTHING:
                break;
        }
}

static bool check_combinations(const MountOptions *options, GError **error) {
        if (options->links & LINK_COPY && options->links != LINK_COPY)
                return fail(error,
                            "mounts[%zu].options: 'copy-symlink' makes a link, it can't be combined with "
                            "'src-nofollow' or 'dest-nofollow'",
                            options->index);
        if (options->links != 0 && (!options->bind || options->remount))
                return fail(error, "mounts[%zu].options: '%s' is for bind mounts", options->index,
                            options->links & LINK_COPY              ? "copy-symlink"
                            : options->links & LINK_SOURCE_NOFOLLOW ? "src-nofollow"
                                                                    : "dest-nofollow");
        return true;
}

bool mount_options_parse(const OciMount *mount, size_t index, MountOptions *ret_options, GError **error) {
        Parser parser = {.options = ret_options};

        *ret_options = (MountOptions){
                .index = index,
                .propagation = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                .parameters = g_ptr_array_new(),
        };
        for (size_t i = 0; mount->options[i]; i++)
                add_option(&parser, mount->options[i], i);
        add_atime(&ret_options->flags, &parser.atime);
        add_recursive_atime(&ret_options->recursive_flags, &parser.recursive_atime);
        return check_combinations(ret_options, error);
}

void mount_options_clear(MountOptions *options) {
        g_clear_pointer(&options->propagation, g_array_unref);
        g_clear_pointer(&options->parameters, g_ptr_array_unref);
}
