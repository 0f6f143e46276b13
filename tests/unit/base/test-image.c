/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A tree written by one program and mapped by another is the same tree; a damaged one is refused. */

#include "base/image.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"

#define VERSION 7

typedef struct Leaf {
        char *name;
        int number;
} Leaf;

typedef struct Tree {
        char **words;
        Leaf *leaves;
        size_t n_leaves;
        char *nothing;
} Tree;

static int write_tree(void) {
        static const char *const words[] = {"one", "", "three", NULL};
        Image *image = image_new(VERSION);
        Tree *tree = image_alloc(image, sizeof(Tree));
        Leaf *leaves = image_alloc(image, 2 * sizeof(Leaf));
        int fd = memfd_create("tree", MFD_CLOEXEC);

        image_link_strings(image, &tree->words, words);
        image_link(image, &tree->leaves, leaves);
        tree->n_leaves = 2;
        image_link_string(image, &leaves[0].name, "first");
        image_link_string(image, &leaves[1].name, NULL);
        leaves[1].number = 42;
        image_link(image, &tree->nothing, leaves);
        image_link(image, &tree->nothing, NULL);
        g_assert_cmpint(image_write(image, tree, fd), ==, 0);
        image_free(image);
        return fd;
}

static void test_round_trip(void) {
        autoclose int fd = write_tree();
        void *root = NULL;

        g_assert_cmpint(image_map(fd, VERSION, &root), ==, 0);
        Tree *tree = root;
        g_assert_cmpstr(tree->words[0], ==, "one");
        g_assert_cmpstr(tree->words[1], ==, "");
        g_assert_cmpstr(tree->words[2], ==, "three");
        g_assert_null(tree->words[3]);
        g_assert_cmpuint(tree->n_leaves, ==, 2);
        g_assert_cmpstr(tree->leaves[0].name, ==, "first");
        g_assert_null(tree->leaves[1].name);
        g_assert_cmpint(tree->leaves[1].number, ==, 42);
        g_assert_null(tree->nothing);
}

static void test_refused(void) {
        autoclose int fd = write_tree();
        struct stat status;
        void *root = NULL;

        g_assert_cmpint(image_map(fd, VERSION + 1, &root), ==, -EBADMSG);
        g_assert_no_errno(fstat(fd, &status));
        for (off_t size = 0; size < status.st_size; size += 5) {
                autoclose int cut = write_tree();
                g_assert_no_errno(ftruncate(cut, size));
                g_assert_cmpint(image_map(cut, VERSION, &root), ==, -EBADMSG);
        }
        g_assert_null(root);
}

int main(int argc, char **argv) {
        g_test_init(&argc, &argv, NULL);
        g_test_add_func("/base/image/round-trip", test_round_trip);
        g_test_add_func("/base/image/refused", test_refused);
        return g_test_run();
}
