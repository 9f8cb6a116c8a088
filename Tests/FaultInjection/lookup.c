// A library for LD_PRELOAD that replaces name resolution and redirects connections to one port.
//
// LOOKUP_HOST has the IPv4 address 127.0.0.1. A look-up of its IPv6 addresses alone fails with the code LOOKUP_IPV6 of getaddrinfo(3)
// (0: it returns ::1), and with the code LOOKUP_REASON of gethostbyname2_r(3). With LOOKUP_ALIAS, the answer contains an alias and no
// address. With LOOKUP_SECOND, gethostbyname2_r(3) returns this IPv6 address. A look-up of both families returns the IPv4 address only,
// as glibc does if the IPv6 look-up fails, or instead the address LOOKUP_FIRST. The answers of the name
// server are LOOKUP_A and LOOKUP_AAAA in hexadecimal. A search for IPv4 addresses of which the name has none finds LOOKUP_LATER. Without them res_query(3) fails with the code LOOKUP_CODE; without this code the
// name does not exist. If a domain of resolv.conf(5) completes LOOKUP_HOST, LOOKUP_FULL is the complete name. With LOOKUP_EARLIER,
// a question about this complete name fails with the code LOOKUP_EARLIER_CODE, and a search continues. With LOOKUP_SILENCE, the question about IPv4 addresses never returns. The folder LOOKUP_ETC replaces /etc for the C function fopen. With LOOKUP_SERVER, the system resolves every name, with the name server at this port of 127.0.0.1.
// A connection to the port LOOKUP_FROM (default: 443) goes to the port LOOKUP_PORT.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <resolv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    int (*system)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
        dlsym(RTLD_NEXT, "getaddrinfo");
    const char *server = getenv("LOOKUP_SERVER");
    if (server) {
        _res.nscount = 1;
        _res.nsaddr_list[0] = (struct sockaddr_in){
            .sin_family = AF_INET, .sin_port = htons(atoi(server)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        _res.options &= ~(RES_DNSRCH | RES_DEFNAMES);
        return system(name, service, hints, result);
    }
    if (!name || !hints || strcmp(name, getenv("LOOKUP_HOST"))) return system(name, service, hints, result);
    if (hints->ai_family == AF_INET6) {
        int code = atoi(getenv("LOOKUP_IPV6"));
        return code ? code : system("::1", service, hints, result);
    }
    const char *first = getenv("LOOKUP_FIRST");
    return system(first && hints->ai_family == AF_UNSPEC ? first : "127.0.0.1", service, hints, result);
}

int gethostbyname2_r(
    const char *name, int family, struct hostent *entry, char *buffer, size_t size, struct hostent **result, int *reason) {
    if (strcmp(name, getenv("LOOKUP_HOST")) || family != AF_INET6) abort();
    *result = NULL;
    const char *second = getenv("LOOKUP_SECOND");
    if (second) {
        char **list = (char **)buffer, *address = buffer + 4 * sizeof *list;
        if (size < 256 || inet_pton(family, second, address) != 1) abort();
        list[0] = address;
        list[1] = NULL;
        *entry = (struct hostent){.h_addrtype = family, .h_length = 16, .h_addr_list = list};
        *result = entry;
        return 0;
    }
    *reason = atoi(getenv("LOOKUP_REASON"));
    return getenv("LOOKUP_ALIAS") ? EAGAIN : 0;
}

static int decode(const char *text, unsigned char *bytes, int size) {
    int count = 0;
    while (count < size && sscanf(text + 2 * count, "%2hhx", bytes + count) == 1) count++;
    return count;
}

static int query(const char *name, const char *known, int type, unsigned char *answer, int size) {
    const char *text = getenv(type == 28 ? "LOOKUP_AAAA" : "LOOKUP_A"), *code = getenv("LOOKUP_CODE");
    const char *expected = known ? known : getenv("LOOKUP_HOST");
    int count = 0;
    while (type == 1 && getenv("LOOKUP_SILENCE")) pause();
    // Bytes of another use of the buffer could complete an answer.
    for (int i = 0; i < size; i++) {
        if (answer[i]) abort();
    }
    if (strcmp(name, expected) || !text) {
        h_errno = strcmp(name, expected) || !code ? HOST_NOT_FOUND : atoi(code);
        return -1;
    }
    count = decode(text, answer, size);
    if (count >= 12 && !memcmp(answer + 6, "\0", 2)) h_errno = NO_DATA;
    return count;
}

int res_query(const char *name, int class, int type, unsigned char *answer, int size) {
    const char *earlier = getenv("LOOKUP_EARLIER");
    if (earlier && !strcmp(name, earlier)) {
        h_errno = atoi(getenv("LOOKUP_EARLIER_CODE"));
        return -1;
    }
    return query(name, getenv("LOOKUP_FULL"), type, answer, size);
}

int res_search(const char *name, int class, int type, unsigned char *answer, int size) {
    int count = query(name, NULL, type, answer, size);
    // An answer without records is no result of a search.
    if (count < 12 || answer[6] || answer[7]) return count;
    const char *later = getenv("LOOKUP_LATER");
    return type == 1 && later ? decode(later, answer, size) : -1;
}

FILE *fopen(const char *path, const char *mode) {
    FILE *(*system)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen");
    const char *folder = getenv("LOOKUP_ETC");
    char other[4096];
    if (!folder || strncmp(path, "/etc/", 5)) return system(path, mode);
    snprintf(other, sizeof other, "%s/%s", folder, path + 5);
    return system(other, mode);
}

int connect(int descriptor, const struct sockaddr *address, socklen_t length) {
    int (*system)(int, const struct sockaddr *, socklen_t) = dlsym(RTLD_NEXT, "connect");
    struct sockaddr_in6 ipv6;
    if (address->sa_family == AF_INET6 && length >= sizeof ipv6) {
        memcpy(&ipv6, address, sizeof ipv6);
        if (ipv6.sin6_port == htons(443)) ipv6.sin6_port = htons(atoi(getenv("LOOKUP_PORT")));
        return system(descriptor, (struct sockaddr *)&ipv6, sizeof ipv6);
    }
    if (address->sa_family != AF_INET || length < sizeof(struct sockaddr_in)) return system(descriptor, address, length);
    struct sockaddr_in copy;
    memcpy(&copy, address, sizeof copy);
    const char *from = getenv("LOOKUP_FROM");
    if (copy.sin_port == htons(from ? atoi(from) : 443)) copy.sin_port = htons(atoi(getenv("LOOKUP_PORT")));
    return system(descriptor, (struct sockaddr *)&copy, sizeof copy);
}
