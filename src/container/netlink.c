/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Requests with an acknowledgement each, and one dump. */

#include "container/netlink.h"

#include <errno.h>
#include <net/if.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/auto.h"

#define ANSWER_SIZE 32768 /* the kernel's largest part of a dump */

/* What of an address' flags is its owner's wish and not its state. */
#define KEPT_FLAGS                                                                                           \
        (IFA_F_NODAD | IFA_F_HOMEADDRESS | IFA_F_MANAGETEMPADDR | IFA_F_NOPREFIXROUTE | IFA_F_MCAUTOJOIN)

typedef struct Request {
        struct nlmsghdr header;
        union {
                struct ifinfomsg link;
                struct ifaddrmsg address;
        } what;
        char attributes[512];
} Request;

int netlink_open(void) {
        int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

        return fd < 0 ? -errno : fd;
}

static void request_init(Request *request, uint16_t type, uint16_t flags, size_t what_size) {
        *request = (Request){
                .header = {.nlmsg_len = (uint32_t) NLMSG_LENGTH(what_size),
                           .nlmsg_type = type,
                           .nlmsg_flags = (uint16_t) (NLM_F_REQUEST | flags)},
        };
}

static void put(Request *request, uint16_t type, const void *data, size_t size) {
        struct rtattr *attribute =
                (struct rtattr *) ((char *) request + NLMSG_ALIGN(request->header.nlmsg_len));

        g_assert(NLMSG_ALIGN(request->header.nlmsg_len) + RTA_SPACE(size) <= sizeof(*request));
        attribute->rta_type = type;
        attribute->rta_len = (unsigned short) RTA_LENGTH(size);
        memcpy(RTA_DATA(attribute), data, size);
        request->header.nlmsg_len = (uint32_t) (NLMSG_ALIGN(request->header.nlmsg_len) + RTA_SPACE(size));
}

static void put_name(Request *request, const char *name) {
        put(request, IFLA_IFNAME, name, strlen(name) + 1);
}

/* Returns the size of what has come. */
static ssize_t exchange(int fd, const Request *request, char *answer) {
        ssize_t n;

        if (send(fd, request, request->header.nlmsg_len, 0) < 0)
                return -errno;
        do
                n = recv(fd, answer, ANSWER_SIZE, 0);
        while (n < 0 && errno == EINTR);
        return n < 0 ? -errno : n;
}

static int answer_error(const struct nlmsghdr *header) {
        return ((const struct nlmsgerr *) NLMSG_DATA(header))->error;
}

static int command(int fd, Request *request) {
        autofree char *answer = g_malloc(ANSWER_SIZE);
        const struct nlmsghdr *header = (const struct nlmsghdr *) answer;
        ssize_t n;

        request->header.nlmsg_flags |= NLM_F_ACK;
        n = exchange(fd, request, answer);
        if (n < 0)
                return (int) n;
        return NLMSG_OK(header, (size_t) n) && header->nlmsg_type == NLMSG_ERROR ? answer_error(header)
                                                                                 : -EBADMSG;
}

int netlink_find_device(int fd, const char *name, unsigned *ret_flags) {
        autofree char *answer = g_malloc(ANSWER_SIZE);
        const struct nlmsghdr *header = (const struct nlmsghdr *) answer;
        const struct ifinfomsg *link;
        Request request;
        ssize_t n;

        request_init(&request, RTM_GETLINK, 0, sizeof(request.what.link));
        put_name(&request, name);
        n = exchange(fd, &request, answer);
        if (n < 0)
                return (int) n;
        if (NLMSG_OK(header, (size_t) n) && header->nlmsg_type == NLMSG_ERROR)
                return answer_error(header);
        if (!NLMSG_OK(header, (size_t) n) || header->nlmsg_type != RTM_NEWLINK)
                return -EBADMSG;
        link = NLMSG_DATA(header);
        *ret_flags = link->ifi_flags;
        return link->ifi_index;
}

int netlink_move_device(int fd, int index, int namespace_fd, const char *name) {
        uint32_t target = (uint32_t) namespace_fd;
        Request request;

        request_init(&request, RTM_NEWLINK, 0, sizeof(request.what.link));
        request.what.link.ifi_index = index;
        put_name(&request, name);
        put(&request, IFLA_NET_NS_FD, &target, sizeof(target));
        return command(fd, &request);
}

int netlink_set_up(int fd, int index) {
        Request request;

        request_init(&request, RTM_NEWLINK, 0, sizeof(request.what.link));
        request.what.link.ifi_index = index;
        request.what.link.ifi_flags = request.what.link.ifi_change = IFF_UP;
        return command(fd, &request);
}

static const struct rtattr *address_attributes(const struct nlmsghdr *message, size_t *ret_size) {
        *ret_size = IFA_PAYLOAD(message);
        return IFA_RTA((struct ifaddrmsg *) NLMSG_DATA(message));
}

/* There are more flags by now than fit into the header. */
static uint32_t address_flags(const struct nlmsghdr *message) {
        uint32_t flags = ((const struct ifaddrmsg *) NLMSG_DATA(message))->ifa_flags;
        size_t size;

        for (const struct rtattr *at = address_attributes(message, &size); RTA_OK(at, size);
             at = RTA_NEXT(at, size))
                if (at->rta_type == IFA_FLAGS && RTA_PAYLOAD(at) == sizeof(flags))
                        memcpy(&flags, RTA_DATA(at), sizeof(flags));
        return flags;
}

static bool is_wanted(const struct nlmsghdr *message, int index) {
        const struct ifaddrmsg *address = NLMSG_DATA(message);

        return message->nlmsg_type == RTM_NEWADDR && (int) address->ifa_index == index &&
               address->ifa_scope == RT_SCOPE_UNIVERSE && address_flags(message) & IFA_F_PERMANENT;
}

int netlink_list_addresses(int fd, int index, GPtrArray **ret_messages) {
        g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
        autofree char *answer = g_malloc(ANSWER_SIZE);
        Request request;
        ssize_t n;

        request_init(&request, RTM_GETADDR, NLM_F_DUMP, sizeof(request.what.address));
        for (n = exchange(fd, &request, answer); n > 0; n = recv(fd, answer, ANSWER_SIZE, 0)) {
                const struct nlmsghdr *header = (const struct nlmsghdr *) answer;
                size_t size = (size_t) n;

                for (; NLMSG_OK(header, size); header = NLMSG_NEXT(header, size)) {
                        if (header->nlmsg_type == NLMSG_ERROR)
                                return answer_error(header);
                        if (header->nlmsg_type == NLMSG_DONE) {
                                *ret_messages = g_steal_pointer(&messages);
                                return 0;
                        }
                        if (is_wanted(header, index))
                                g_ptr_array_add(messages, g_memdup2(header, header->nlmsg_len));
                }
        }
        return n < 0 ? -errno : -EBADMSG;
}

int netlink_add_address(int fd, int index, const struct nlmsghdr *message) {
        const struct ifaddrmsg *old = NLMSG_DATA(message);
        uint32_t flags = address_flags(message) & KEPT_FLAGS;
        Request request;
        size_t size;

        request_init(&request, RTM_NEWADDR, NLM_F_CREATE | NLM_F_REPLACE, sizeof(request.what.address));
        request.what.address = (struct ifaddrmsg){
                .ifa_family = old->ifa_family,
                .ifa_prefixlen = old->ifa_prefixlen,
                .ifa_scope = old->ifa_scope,
                .ifa_index = (uint32_t) index,
        };
        for (const struct rtattr *at = address_attributes(message, &size); RTA_OK(at, size);
             at = RTA_NEXT(at, size))
                if (at->rta_type == IFA_LOCAL || at->rta_type == IFA_ADDRESS || at->rta_type == IFA_BROADCAST)
                        put(&request, at->rta_type, RTA_DATA(at), RTA_PAYLOAD(at));
        put(&request, IFA_FLAGS, &flags, sizeof(flags));
        return command(fd, &request);
}
