/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A container's numbers, read from the files of its group and written as JSON at once. There are only numbers
 * and names of the kernel's in it, nothing that would have to be escaped, and limits beyond what a JSON
 * builder's signed integers hold.
 *
 * Names and units are runc's, and so the kernel's of cgroup v1: swap is counted with memory, time in
 * nanoseconds. See cgroup-v2.rst for the files. */

#include "container/stats.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "cgroup/group.h"

#define FILE_SIZE_MAX 65536
#define NSEC_PER_USEC 1000

typedef struct Stats {
        int group_fd;
        GString *json;
        bool comma; /* before the next member */
} Stats;

static void add_name(Stats *stats, const char *name) {
        if (stats->comma)
                g_string_append_c(stats->json, ',');
        if (name)
                g_string_append_printf(stats->json, "\"%s\":", name);
        stats->comma = true;
}

static void open_bracket(Stats *stats, const char *name, char bracket) {
        add_name(stats, name);
        g_string_append_c(stats->json, bracket);
        stats->comma = false;
}

static void close_bracket(Stats *stats, char bracket) {
        g_string_append_c(stats->json, bracket);
        stats->comma = true;
}

static void add_number(Stats *stats, const char *name, uint64_t value) {
        add_name(stats, name);
        g_string_append_printf(stats->json, "%" G_GUINT64_FORMAT, value);
}

static char *read_file(const Stats *stats, const char *file) {
        g_autofree char *text = g_malloc(FILE_SIZE_MAX);

        return cgroup_read(stats->group_fd, file, text, FILE_SIZE_MAX) < 0 ? NULL : g_strdup(text);
}

static uint64_t read_number(const Stats *stats, const char *file) {
        uint64_t value;

        return cgroup_read_number(stats->group_fd, file, &value) < 0 ? 0 : value;
}

/* The number behind "KEY " in a file of such lines; 0: it is not there. */
static uint64_t find_number(const char *text, const char *key) {
        size_t length = strlen(key);

        for (const char *line = text; line; line = strchr(line, '\n')) {
                line += *line == '\n';
                if (strncmp(line, key, length) == 0 && line[length] == ' ')
                        return g_ascii_strtoull(line + length, NULL, 10);
        }
        return 0;
}

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=0", and the same for "full". Kernels without PSI, and those
 * that were started with it off, have none. */
static void add_pressure(Stats *stats, const char *file) {
        g_autofree char *text = read_file(stats, file);
        g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);

        if (!text || !*text)
                return;
        open_bracket(stats, "psi", '{');
        for (char **line = lines; *line; line++) {
                g_auto(GStrv) words = g_strsplit(*line, " ", -1);

                if (!*words)
                        continue;
                open_bracket(stats, words[0], '{');
                for (char **word = words + 1; *word; word++) {
                        char *value = strchr(*word, '=');

                        if (!value)
                                continue;
                        *value++ = '\0';
                        add_name(stats, *word);
                        g_string_append(stats->json, value);
                }
                close_bracket(stats, '}');
        }
        close_bracket(stats, '}');
}

static void add_cpu(Stats *stats) {
        g_autofree char *text = read_file(stats, "cpu.stat");

        open_bracket(stats, "cpu", '{');
        open_bracket(stats, "usage", '{');
        add_number(stats, "total", find_number(text, "usage_usec") * NSEC_PER_USEC);
        add_number(stats, "kernel", find_number(text, "system_usec") * NSEC_PER_USEC);
        add_number(stats, "user", find_number(text, "user_usec") * NSEC_PER_USEC);
        close_bracket(stats, '}');
        open_bracket(stats, "throttling", '{');
        add_number(stats, "periods", find_number(text, "nr_periods"));
        add_number(stats, "throttledPeriods", find_number(text, "nr_throttled"));
        add_number(stats, "throttledTime", find_number(text, "throttled_usec") * NSEC_PER_USEC);
        close_bracket(stats, '}');
        add_pressure(stats, "cpu.pressure");
        close_bracket(stats, '}');
}

/* "0-2,5" as [0,1,2,5]. */
static void add_list(Stats *stats, const char *name, const char *file) {
        g_autofree char *text = read_file(stats, file);
        g_auto(GStrv) ranges = g_strsplit(text ? text : "", ",", -1);

        if (!text || !*text)
                return;
        open_bracket(stats, name, '[');
        for (char **range = ranges; *range; range++) {
                char *end;
                guint64 first = g_ascii_strtoull(*range, &end, 10);
                guint64 last = *end == '-' ? g_ascii_strtoull(end + 1, NULL, 10) : first;

                for (guint64 i = first; i <= last && i <= UINT16_MAX; i++)
                        add_number(stats, NULL, i);
        }
        close_bracket(stats, ']');
}

/* The flags are those of cgroup v1, which runc shows as 0. */
static void add_cpuset(Stats *stats) {
        static const char *const flags[] = {
                "cpu_exclusive",   "mem_hardwall",       "mem_exclusive",
                "memory_migrate",  "memory_spread_page", "memory_spread_slab",
                "memory_pressure", "sched_load_balance", "sched_relax_domain_level",
        };

        open_bracket(stats, "cpuset", '{');
        add_list(stats, "cpus", "cpuset.cpus.effective");
        add_list(stats, "mems", "cpuset.mems.effective");
        for (size_t i = 0; i < G_N_ELEMENTS(flags); i++)
                add_number(stats, flags[i], 0);
        close_bracket(stats, '}');
}

static void add_memory_entry(Stats *stats, const char *name, uint64_t limit, uint64_t usage, uint64_t max,
                             uint64_t failures) {
        open_bracket(stats, name, '{');
        add_number(stats, "limit", limit);
        add_number(stats, "usage", usage);
        add_number(stats, "max", max);
        add_number(stats, "failcnt", failures);
        close_bracket(stats, '}');
}

/* Every "KEY NUMBER" line of @text, or those of @keys. */
static void add_lines(Stats *stats, const char *name, const char *text, const char *const *keys) {
        g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);

        open_bracket(stats, name, '{');
        for (char **line = lines; *line; line++) {
                char *value = strchr(*line, ' ');

                if (!value)
                        continue;
                *value++ = '\0';
                if (!keys || g_strv_contains(keys, *line))
                        add_number(stats, *line, g_ascii_strtoull(value, NULL, 10));
        }
        close_bracket(stats, '}');
}

static void add_memory(Stats *stats) {
        static const char *const counted[] = {"low",      "high",           "max", "oom",
                                              "oom_kill", "oom_group_kill", NULL};
        g_autofree char *stat = read_file(stats, "memory.stat");
        g_autofree char *events = read_file(stats, "memory.events");
        g_autofree char *swap_events = read_file(stats, "memory.swap.events");
        uint64_t limit = read_number(stats, "memory.max");
        uint64_t usage = read_number(stats, "memory.current");
        uint64_t swap_limit = read_number(stats, "memory.swap.max");
        uint64_t swap_usage = read_number(stats, "memory.swap.current");

        open_bracket(stats, "memory", '{');
        add_number(stats, "cache", find_number(stat, "file"));
        add_memory_entry(stats, "usage", limit, usage, read_number(stats, "memory.peak"),
                         find_number(events, "max"));
        /* No limit of either is none of both. */
        add_memory_entry(stats, "swap", limit > UINT64_MAX - swap_limit ? UINT64_MAX : limit + swap_limit,
                         usage + swap_usage, 0, find_number(swap_events, "max"));
        add_memory_entry(stats, "kernel", 0, find_number(stat, "kernel"), 0, 0);
        add_memory_entry(stats, "kernelTCP", 0, find_number(stat, "sock"), 0, 0);
        add_lines(stats, "raw", stat, NULL);
        add_pressure(stats, "memory.pressure");
        add_lines(stats, "event_count", events, counted);
        close_bracket(stats, '}');
}

/* Without the controller, processes are counted, which is less than their threads but more than nothing. */
static void add_pids(Stats *stats) {
        uint64_t current, limit = read_number(stats, "pids.max");

        if (cgroup_read_number(stats->group_fd, "pids.current", &current) < 0) {
                autofree pid_t *pids = NULL;
                size_t n = 0;

                current = cgroup_get_pids(stats->group_fd, &pids, &n) < 0 ? 0 : n;
        }
        open_bracket(stats, "pids", '{');
        add_number(stats, "current", current);
        add_number(stats, "limit", limit == UINT64_MAX ? 0 : limit);
        close_bracket(stats, '}');
}

/* @keys: what stands before the '=' in io.stat, and the word for it: "rbytes", "Read", …, NULL */
static void add_io_entries(Stats *stats, const char *name, char *const *lines, const char *const *keys) {
        open_bracket(stats, name, '[');
        for (; *lines; lines++) {
                guint64 major = g_ascii_strtoull(*lines, NULL, 10), minor;
                const char *colon = strchr(*lines, ':');

                minor = colon ? g_ascii_strtoull(colon + 1, NULL, 10) : 0;
                for (const char *const *key = keys; colon && *key; key += 2) {
                        g_autofree char *pattern = g_strdup_printf(" %s=", key[0]);
                        const char *found = strstr(*lines, pattern);

                        if (!found)
                                continue;
                        open_bracket(stats, NULL, '{');
                        add_number(stats, "major", major);
                        add_number(stats, "minor", minor);
                        add_name(stats, "op");
                        g_string_append_printf(stats->json, "\"%s\"", key[1]);
                        add_number(stats, "value", g_ascii_strtoull(found + strlen(pattern), NULL, 10));
                        close_bracket(stats, '}');
                }
        }
        close_bracket(stats, ']');
}

static void add_block_io(Stats *stats) {
        static const char *const bytes[] = {"rbytes", "Read", "wbytes", "Write", "dbytes", "Discard", NULL};
        static const char *const operations[] = {"rios", "Read", "wios", "Write", "dios", "Discard", NULL};
        g_autofree char *text = read_file(stats, "io.stat");
        g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);

        open_bracket(stats, "blkio", '{');
        add_io_entries(stats, "ioServiceBytesRecursive", lines, bytes);
        add_io_entries(stats, "ioServicedRecursive", lines, operations);
        add_pressure(stats, "io.pressure");
        close_bracket(stats, '}');
}

/* Returns (transfer full) (nullable): "2MB" of "hugetlb.2MB.current". */
static char *page_size_of(const char *file) {
        static const char prefix[] = "hugetlb.", suffix[] = ".current";
        const char *size = file + strlen(prefix);

        if (!g_str_has_prefix(file, prefix) || !g_str_has_suffix(size, suffix) ||
            strchr(size, '.') != strrchr(size, '.'))
                return NULL;
        return g_strndup(size, strlen(size) - strlen(suffix));
}

static void add_hugepages_of(Stats *stats, const char *size) {
        g_autofree char *current = g_strdup_printf("hugetlb.%s.current", size);
        g_autofree char *events_file = g_strdup_printf("hugetlb.%s.events", size);
        g_autofree char *events = read_file(stats, events_file);

        open_bracket(stats, size, '{');
        add_number(stats, "usage", read_number(stats, current));
        add_number(stats, "failcnt", find_number(events, "max"));
        close_bracket(stats, '}');
}

static void add_hugepages(Stats *stats) {
        int fd = openat(stats->group_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *dir = fd < 0 ? NULL : fdopendir(fd);

        open_bracket(stats, "hugetlb", '{');
        for (struct dirent *entry; dir && (entry = readdir(dir));) {
                g_autofree char *size = page_size_of(entry->d_name);

                if (size)
                        add_hugepages_of(stats, size);
        }
        close_bracket(stats, '}');
        if (dir)
                closedir(dir);
        else if (fd >= 0)
                close(fd);
}

char *stats_to_json(int payload_fd, const ResctrlGroup *resctrl) {
        g_autofree char *of_resctrl = stats_of_resctrl(resctrl);
        Stats stats = {payload_fd, g_string_new(NULL), false};

        open_bracket(&stats, NULL, '{');
        add_cpu(&stats);
        add_cpuset(&stats);
        add_memory(&stats);
        add_pids(&stats);
        add_block_io(&stats);
        add_hugepages(&stats);
        add_name(&stats, "intel_rdt");
        g_string_append(stats.json, of_resctrl);
        /* The network is not the group's affair. */
        open_bracket(&stats, "network_interfaces", '[');
        close_bracket(&stats, ']');
        close_bracket(&stats, '}');
        return g_string_free(stats.json, FALSE);
}
