#ifndef PINCTL_CSYSTEM_SHIMS_H
#define PINCTL_CSYSTEM_SHIMS_H

/* The C library under one name on every platform, with functions for what Swift cannot import or what differs between
 * platforms. */

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#endif
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#include <termios.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <resolv.h>
#endif
#include "stream_limit.h"

static inline int pinctl_errno(void) { return errno; }

static inline int pinctl_is_open(int descriptor) { return fcntl(descriptor, F_GETFD) >= 0; }

/* SOCK_STREAM, which is an enumerator on some platforms and a macro on others. */
static inline int pinctl_stream_type(void) { return SOCK_STREAM; }

/* Returns a non-blocking TCP socket that child processes do not inherit, or -1 with errno. */
static inline int pinctl_tcp_socket(int family) {
#ifdef __linux__
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
#else
    int descriptor = socket(family, SOCK_STREAM, 0);
    if (descriptor < 0) return -1;
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
    return descriptor;
#endif
}

#ifdef __GLIBC__
/* The characters for which isspace(3) is true in the locale "C". glibc accepts each of them between the words of nsswitch.conf(5) and
 * hosts(5) (nss/nss_database.c, nss/nss_files/files-parse.c). */
#define PINCTL_WHITE_SPACE " \t\n\v\f\r"

/* Reads the next line of a configuration file, without its comment. Returns whether there was one. */
static inline int pinctl_next_line(FILE *file, char **line, size_t *size) {
    if (getline(line, size, file) < 0) return 0;
    (*line)[strcspn(*line, "#\n")] = 0;
    return 1;
}
#endif

/* The place of a service, such as "dns" or "files", in the line "hosts" of nsswitch.conf(5), from 1; 0 if name resolution does not use it.
 * Without such a line, "dns" counts as the first one, as in older versions of glibc. */
static inline int pinctl_place_of_service(const char *service) {
#ifdef __GLIBC__
    int result = strcmp(service, "dns") == 0 ? 1 : 2;
    FILE *file = fopen("/etc/nsswitch.conf", "re");
    if (!file) return result;
    char *line = NULL;
    size_t size = 0;
    while (pinctl_next_line(file, &line, &size)) {
        /* glibc accepts white space before the colon, and needs no colon after white space. An action, such as [NOTFOUND=return], is in
         * brackets; its words are no services. */
        char *rest = NULL, *name = strtok_r(line, PINCTL_WHITE_SPACE ":", &rest);
        if (!name || strcmp(name, "hosts") != 0) continue;
        result = 0;
        int place = 1;
        const char *separators = PINCTL_WHITE_SPACE ":[]";
        for (char *word = strtok_r(NULL, separators, &rest); word; word = strtok_r(NULL, separators, &rest), place++) {
            if (!result && strcmp(word, service) == 0) result = place;
        }
    }
    free(line);
    fclose(file);
    return result;
#else
    (void)service;
    return 0;
#endif
}

/* Finds a line of /etc/hosts with a name: without "multi on" in host.conf(5), getaddrinfo(3) returns the address of the first line only.
 * Stores the family and the address of the line with this number, from 0, in network byte order. Returns 0 if there is no such line. */
static inline int pinctl_line_in_hosts_file(const char *name, int number, int *family, unsigned char address[16]) {
    int result = 0;
#ifdef __GLIBC__
    FILE *file = fopen("/etc/hosts", "re");
    if (!file) return 0;
    char *line = NULL;
    size_t size = 0;
    while (!result && pinctl_next_line(file, &line, &size)) {
        char *rest = NULL, *first = strtok_r(line, PINCTL_WHITE_SPACE, &rest), *word = first;
        if (!first) continue;
        *family = strchr(first, ':') ? AF_INET6 : AF_INET;
        if (inet_pton(*family, first, address) != 1) continue;
        while (word && (word = strtok_r(NULL, PINCTL_WHITE_SPACE, &rest)) && strcasecmp(word, name) != 0) {}
        result = word && number-- == 0;
    }
    free(line);
    fclose(file);
#else
    (void)name, (void)number, (void)family, (void)address;
#endif
    return result;
}

/* Whether the only name servers are systemd-resolved, and no domain completes a name. systemd-resolved looks up a name without dots by other
 * protocols than DNS, and over DNS it answers such a question with SERVFAIL. */
static inline int pinctl_asks_only_resolved(void) {
#ifdef __GLIBC__
    if (!(_res.options & RES_INIT) && res_init() != 0) return 0;
    for (int i = 0; i < _res.nscount; i++) {
        /* 127.0.0.53 */
        if (_res.nsaddr_list[i].sin_family != AF_INET || ntohl(_res.nsaddr_list[i].sin_addr.s_addr) != 0x7F000035) return 0;
    }
    const char *domain = _res.dnsrch[0];
    return _res.nscount > 0 && (!domain || !*domain || strcmp(domain, ".") == 0);
#else
    return 0;
#endif
}

/* The domain with this number, from 0, that completes names; NULL after the last one. The list has at most the first six domains of
 * resolv.conf(5), and 256 bytes. */
static inline const char *pinctl_search_domain(int number) {
#ifdef __GLIBC__
    if (!(_res.options & RES_INIT) && res_init() != 0) return NULL;
    return number >= 0 && number < MAXDNSRCH ? _res.dnsrch[number] : NULL;
#else
    (void)number;
    return NULL;
#endif
}

/* The domains that complete names, between blanks: those of LOCALDOMAIN, or else of the last line "search" or "domain" of resolv.conf(5).
 * glibc from version 2.26 on asks about all of them (resolv/res_init.c), and the list of pinctl_search_domain may lack some. NULL if there is
 * no such list. The caller frees it. */
static inline char *pinctl_search_list(void) {
#ifdef __GLIBC__
    const char *local = getenv("LOCALDOMAIN");
    if (local) return strndup(local, strcspn(local, "\n"));
    FILE *file = fopen("/etc/resolv.conf", "rce");
    if (!file) return NULL;
    char *list = NULL, *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, file) >= 0) {
        int is_search = strncmp(line, "search", 6) == 0;
        if ((!is_search && strncmp(line, "domain", 6) != 0) || (line[6] != ' ' && line[6] != '\t')) continue;
        const char *words = line + 6 + strspn(line + 6, " \t");
        size_t length = strcspn(words, is_search ? "\n" : " \t\n");
        if (length == 0) continue;
        free(list);
        list = strndup(words, length);
    }
    free(line);
    fclose(file);
    return list;
#else
    return NULL;
#endif
}

/* The number of dots from which on a name is asked about as it is before the domains complete it ("ndots" of resolv.conf(5)). */
static inline int pinctl_dots_of_complete_name(void) {
#ifdef __GLIBC__
    if (!(_res.options & RES_INIT) && res_init() != 0) return 1;
    return _res.ndots;
#else
    return 1;
#endif
}

#ifdef __GLIBC__
/* The time of a number of attempts at all name servers. glibc doubles the wait for each further name server, and divides it by their number
 * (send_dg in resolv/res_send.c). */
static inline int pinctl_seconds_of_look_up(int wait, int attempts) {
    int total = 0;
    for (int number = 0; number < _res.nscount; number++) {
        int seconds = (wait << number) / (number > 0 ? _res.nscount : 1);
        total += seconds > 0 ? seconds : 1;
    }
    return total * attempts;
}
#endif

/* getaddrinfo(3). All attempts over UDP for one name together take about the given seconds, but no attempt takes less than two seconds, and
 * none more than resolv.conf(5) says. Each search domain is one more name. An answer over TCP has no limit (send_vc in resolv/res_send.c
 * of glibc). 0 seconds are no limit. */
static inline int pinctl_look_up(const char *name, const struct addrinfo *hints, struct addrinfo **list, int seconds) {
#ifdef __GLIBC__
    if (seconds <= 0 || (!(_res.options & RES_INIT) && res_init() != 0)) return getaddrinfo(name, NULL, hints, list);
    /* glibc reads a changed resolv.conf again only if these have the values of the old one, so they are restored. */
    int wait = _res.retrans, attempts = _res.retry;
    for (int count = 1; count < attempts; count++) {
        if (pinctl_seconds_of_look_up(wait, count) < seconds) continue;
        _res.retry = count;
        break;
    }
    while (_res.retrans > 2 && pinctl_seconds_of_look_up(_res.retrans - 1, _res.retry) >= seconds) _res.retrans--;
    /* If a name server answers for one family only, glibc asks for the other one twice more, before it uses the answer (send_dg). */
    while (_res.retrans > 2 && 3 * _res.retrans >= seconds) _res.retrans--;
    int code = getaddrinfo(name, NULL, hints, list);
    _res.retrans = wait;
    _res.retry = attempts;
    return code;
#else
    (void)seconds;
    return getaddrinfo(name, NULL, hints, list);
#endif
}

/* Asks the name servers for the addresses of one family of a name. Returns the length of the answer, or -1 without addresses; then the code
 * is HOST_NOT_FOUND, NO_DATA, TRY_AGAIN, NO_RECOVERY or NETDB_INTERNAL (netdb.h). With "searches", the domains of resolv.conf(5) complete the
 * name by the rules of getaddrinfo(3). Otherwise an answer without records has the length of its header, 12 bytes (RFC 1035, section 4.1.1).
 * Also after -1, and after this header, "answer" contains the last answer, whose length is not known, with zeros behind it. Before glibc 2.34,
 * and without glibc, the function for this is in another library, and the code is HOST_NOT_FOUND. */
static inline int pinctl_query_name(
    const char *name, int family, int searches, unsigned char *answer, int size, int *code) {
    /* glibc compares the question of an answer in the whole buffer, so a question that an earlier use of this memory left there would complete
     * an answer that is cut before its question (__libc_res_queriesmatch in resolv/res_send.c). */
    memset(answer, 0, (size_t)size);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    *code = NETDB_INTERNAL;
    if (!(_res.options & RES_INIT) && res_init() != 0) return -1;
    /* Two seconds for the first attempt at each name server over UDP, so that a second attempt, or the next name server, can answer within
     * the time limit of the caller. The number of attempts is that of resolv.conf(5). A look-up over TCP, after a truncated answer, has no
     * limit (send_vc in resolv/res_send.c of glibc), so the caller must be able to abandon the thread. The setting belongs to the thread. */
    int wait = _res.retrans;
    if (wait > 2) _res.retrans = 2;
    /* 28 is the type AAAA, 1 the type A, and the other 1 the class IN. */
    int type = family == AF_INET6 ? 28 : 1;
    int length = searches ? res_search(name, 1, type, answer, size) : res_query(name, 1, type, answer, size);
    _res.retrans = wait;
    *code = h_errno;
    if (length > size) return size;
    return length < 0 && !searches && *code == NO_DATA && size >= 12 ? 12 : length;
#else
    (void)name;
    (void)family;
    (void)searches;
    *code = HOST_NOT_FOUND;
    return -1;
#endif
}

/* Whether the resolver option "no-aaaa" of resolv.conf(5) or RES_OPTIONS is set: then glibc, from version 2.36 on, sends no query for IPv6
 * addresses, and reports that a name has none. */
static inline int pinctl_hides_ipv6(void) {
#ifdef __GLIBC__
    /* RES_NOAAAA, which the headers of earlier versions lack. */
    const unsigned long no_aaaa = 0x08000000;
    if (!(_res.options & RES_INIT) && res_init() != 0) return 0;
    return (_res.options & no_aaaa) != 0;
#else
    return 0;
#endif
}

/* Looks up the addresses of one family of a name again. Returns 0 if there are some, and otherwise a code of netdb.h: HOST_NOT_FOUND,
 * NO_DATA, TRY_AGAIN, NO_RECOVERY, or NETDB_INTERNAL with errno. getaddrinfo(3) of glibc returns one code for a name without such
 * addresses and for an answer that it cannot use. Stores the addresses, in network byte order, and their total length: 0 if there are
 * too many. Without glibc the result is NO_DATA. */
static inline int pinctl_look_up_again(const char *name, int family, unsigned char *addresses, size_t size, size_t *length) {
    *length = 0;
#ifdef __GLIBC__
    const size_t capacity = 1 << 16;
    char *buffer = (char *)malloc(capacity);
    if (!buffer) return NETDB_INTERNAL;
    struct hostent entry, *found = NULL;
    int code = NO_DATA;
    int result = gethostbyname2_r(name, family, &entry, buffer, capacity, &found, &code);
    int error = errno;
#if !__GLIBC_PREREQ(2, 34)
    /* This is also the code for an answer that has an alias (CNAME) and no address, and pinctl_query_name cannot read the answer. */
    if (code == NO_RECOVERY) code = NO_DATA;
#endif
    const size_t width = family == AF_INET6 ? 16 : 4;
    if (found && found->h_addrtype == family && (size_t)found->h_length == width) {
        for (char **address = found->h_addr_list; *address && size - *length >= width; address++, *length += width) {
            memcpy(addresses + *length, *address, width);
        }
    }
    free(buffer);
    errno = error;
    /* With ERANGE, the addresses need more memory. */
    return found || result == ERANGE ? 0 : code;
#else
    (void)name, (void)family, (void)addresses, (void)size;
    return NO_DATA;
#endif
}

/* Calls send(2). If the peer closed the connection, the call fails with EPIPE and raises no signal. */
static inline ssize_t pinctl_send(int descriptor, const void *bytes, size_t count) {
#ifdef MSG_NOSIGNAL
    return send(descriptor, bytes, count, MSG_NOSIGNAL);
#else
    return send(descriptor, bytes, count, 0);
#endif
}

/* Creates a pipe whose ends are non-blocking and not inherited. Returns -1 with errno if it fails. */
static inline int pinctl_pipe(int ends[2]) {
    if (pipe(ends) != 0) return -1;
    for (int i = 0; i < 2; i++) {
        if (fcntl(ends[i], F_SETFD, FD_CLOEXEC) != 0 || fcntl(ends[i], F_SETFL, O_NONBLOCK) != 0) {
            /* A read from a pipe that blocks would wait past each time limit. */
            const int code = errno;
            close(ends[0]);
            close(ends[1]);
            errno = code;
            return -1;
        }
    }
    return 0;
}

/* Makes a write to a closed pipe or socket fail with EPIPE, and a write over the limit of the file size (RLIMIT_FSIZE) with EFBIG.
 * By default both end the process. pinctl starts no other programs, which would inherit this. */
static inline void pinctl_ignore_write_signals(void) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

/* Returns the name of a directory entry. Swift would use the declared size of the field, which can be too small. */
static inline const char *pinctl_entry_name(const struct dirent *entry) { return entry->d_name; }

/* Opens a file for reading. Swift cannot call open(2), because it is variadic. */
static inline int pinctl_open_for_reading(const char *path) { return open(path, O_RDONLY | O_CLOEXEC); }

/* Creates a file without a name in a folder. Returns -1 with errno if the system does not support it. */
static inline int pinctl_open_unnamed(const char *folder, mode_t mode) {
#ifdef __O_TMPFILE
    return open(folder, __O_TMPFILE | O_DIRECTORY | O_RDWR | O_CLOEXEC, mode);
#else
    (void)folder;
    (void)mode;
    errno = ENOTSUP;
    return -1;
#endif
}

/* Takes the permissions of the umask from a file of pinctl_open_unnamed. Before Linux 6.0, some file systems do not do this. Returns -1 if
 * the umask is not known. */
static inline int pinctl_apply_umask(int descriptor, const char *folder) {
#ifdef __linux__
    /* A default access control list applies instead of the umask (acl(5)). */
    if (getxattr(folder, "system.posix_acl_default", NULL, 0) >= 0) return 0;
    /* umask(2) cannot read the umask without a change of it. The line is in the first lines of the file (proc_pid_status(5)). */
    char text[1024];
    int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t count = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    text[count < 0 ? 0 : count] = 0;
    const char *line = strstr(text, "\nUmask:");
    unsigned mask;
    struct stat status;
    if (!line || sscanf(line + 7, "%o", &mask) != 1 || fstat(descriptor, &status) != 0) return -1;
    if ((status.st_mode & mask & 0777) == 0) return 0;
    return fchmod(descriptor, status.st_mode & 07777 & ~mask);
#else
    (void)descriptor;
    (void)folder;
    return 0;
#endif
}

/* Gives a file from pinctl_open_unnamed a name (open(2), "O_TMPFILE"). Returns -1 with errno if the name exists. */
static inline int pinctl_name_unnamed(int descriptor, const char *path) {
    char own[32];
    snprintf(own, sizeof own, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

/* Creates a file. Fails with EEXIST if the name exists. */
static inline int pinctl_create(const char *path, mode_t mode) {
    return open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode);
}

static inline int pinctl_open_for_writing(const char *path) { return open(path, O_WRONLY | O_CLOEXEC); }

/* Opens a file for reading, as pinctl_open_for_reading does. Opening a named pipe without a writer does not block. */
static inline int pinctl_open_without_waiting(const char *path) { return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); }

/* Opens a file as pinctl_open_without_waiting does, and for writing. */
static inline int pinctl_open_for_locking(const char *path) { return open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK); }

/* Exchanges the names of two files in one step (rename(2), "RENAME_EXCHANGE"). Returns -1 and sets errno if that fails: EINVAL or
 * ENOSYS if the file system or the kernel does not support it. */
static inline int pinctl_exchange(const char *one, const char *two) {
#if defined(__linux__)
    return (int)syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, two, 2 /* RENAME_EXCHANGE */);
#elif defined(RENAME_SWAP)
    return renamex_np(one, two, RENAME_SWAP);
#else
    errno = ENOSYS;
    return -1;
#endif
}

/* Takes a read lease on a file that is open for reading only (fcntl(2), "Leases"): -1 with EAGAIN if a process has it open for
 * writing, or with another errno if the system grants no lease. A process that opens the file for writing waits until the lease is
 * released, and causes SIGURG, which is ignored by default. */
static inline int pinctl_take_lease(int descriptor) {
#ifdef __linux__
    if (fcntl(descriptor, 10 /* F_SETSIG */, SIGURG) != 0) return -1;
    if (fcntl(descriptor, 1024 /* F_SETLEASE */, F_RDLCK) == 0) return 0;
    struct statfs system;
    if (errno != EAGAIN || fstatfs(descriptor, &system) != 0) return -1;
    /* NFS and SMB also answer EAGAIN if the server gave the client no delegation or no oplock (nfs4_setlease and cifs_setlease in the
     * kernel). Their numbers: statfs(2). */
    switch ((uint32_t)system.f_type) {
    case 0x6969: case 0x517B: case 0xFF534D42: case 0xFE534D42: errno = ENOLCK; break;
    default: errno = EAGAIN;
    }
    return -1;
#else
    (void)descriptor;
    errno = ENOSYS;
    return -1;
#endif
}

/* Whether the process can write through a descriptor. */
static inline int pinctl_is_writable(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

/* Whether a descriptor stays open in a program that the process starts. */
static inline int pinctl_is_inherited(int descriptor) {
    int flags = fcntl(descriptor, F_GETFD);
    return flags >= 0 && (flags & FD_CLOEXEC) == 0;
}

/* Another descriptor of the same open file, with the same position. */
static inline int pinctl_duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 3); }

/* Whether no process has asked to write since the lease was taken. */
static inline int pinctl_has_lease(int descriptor) {
#ifdef __linux__
    return fcntl(descriptor, 1025 /* F_GETLEASE */) == F_RDLCK;
#else
    (void)descriptor;
    return 0;
#endif
}

/* Time of the last change of a file's contents, in nanoseconds since 1970. */
static inline int64_t pinctl_modification_time(const struct stat *status) {
#ifdef __APPLE__
    return (int64_t)status->st_mtimespec.tv_sec * 1000000000 + status->st_mtimespec.tv_nsec;
#else
    return (int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec;
#endif
}

/* Time of the last change of a file's contents or attributes, in nanoseconds since 1970. */
static inline int64_t pinctl_change_time(const struct stat *status) {
#ifdef __APPLE__
    return (int64_t)status->st_ctimespec.tv_sec * 1000000000 + status->st_ctimespec.tv_nsec;
#else
    return (int64_t)status->st_ctim.tv_sec * 1000000000 + status->st_ctim.tv_nsec;
#endif
}

/* Opens /dev/null for each standard stream that was closed when the process started. Otherwise the next opened file would get the
 * descriptor of that stream, and output for the stream would go to the file. A read or write of the opened stream fails. */
static inline void pinctl_fill_standard_descriptors(void) {
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

/* Takes an exclusive lock with flock(2), which in Swift is also the name of a type. Returns -1 at once if another process has the lock. */
static inline int pinctl_lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

/* Opens the controlling terminal of the process. Returns -1 if there is no terminal. */
static inline int pinctl_open_terminal(void) { return open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY); }

/* Opens a file for reading and appending, and creates it if it does not exist. Does not wait for the other end of a named pipe. */
static inline int pinctl_open_for_appending(const char *path) {
    return open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
}

/* Installs `handler` for a signal, unless the process ignores the signal. Returns 1 if the handler is installed.
 * `previous` receives the previous action, for pinctl_restore_signal. */
static inline int pinctl_handle_signal(int number, void (*handler)(int), struct sigaction *previous) {
    struct sigaction action;
    if (sigaction(number, NULL, previous) != 0 || previous->sa_handler == SIG_IGN) return 0;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigfillset(&action.sa_mask);
    return sigaction(number, &action, NULL) == 0;
}

/* The signals that pinctl_hold_signal defers: their previous actions, whether they are deferred, and whether they arrived. An optimized
 * build has a copy of this state for each file of Swift that calls these functions, so only one file may: EndingSignals.swift. The same
 * applies to the prompt below: PasswordPrompt.swift. */
struct pinctl_held_signals {
    struct sigaction actions[NSIG];
    int is_held[NSIG];
    volatile sig_atomic_t arrived[NSIG];
    /* Whether the process finishes after SIGINT, because it has begun to write. */
    volatile sig_atomic_t is_writing;
};

static inline struct pinctl_held_signals *pinctl_held_signals(void) {
    static struct pinctl_held_signals held;
    return &held;
}

/* Only uses functions that a signal handler may call (signal-safety(7)); isatty(3) is an ioctl(2). */
static inline void pinctl_note_signal(int number) {
    static const char text[] = "\npinctl: finishing, because it has begun to write files; press Ctrl-C again to stop now\n";
    int error = errno;
    pinctl_held_signals()->arrived[number] = 1;
    if (number == SIGINT && pinctl_held_signals()->is_writing && isatty(2)) {
        ssize_t count = write(2, text, sizeof text - 1);
        (void)count;
    }
    errno = error;
}

/* Defers a signal until pinctl_release_signal, unless the process ignores it. If it arrives a second time, it has its default action. */
static inline void pinctl_hold_signal(int number) {
    struct pinctl_held_signals *held = pinctl_held_signals();
    struct sigaction action;
    held->is_held[number] = 0;
    if (sigaction(number, NULL, &held->actions[number]) != 0 || held->actions[number].sa_handler == SIG_IGN) return;
    held->arrived[number] = 0;
    memset(&action, 0, sizeof action);
    action.sa_handler = pinctl_note_signal;
    action.sa_flags = SA_RESTART | SA_RESETHAND;
    held->is_held[number] = sigaction(number, &action, NULL) == 0;
}

/* Whether a deferred signal arrived. */
static inline int pinctl_has_arrived(int number) {
    struct pinctl_held_signals *held = pinctl_held_signals();
    return held->is_held[number] && held->arrived[number];
}

/* Makes SIGINT print that the process finishes. */
static inline void pinctl_begin_writing(void) { pinctl_held_signals()->is_writing = 1; }

/* Restores the action of a signal, and raises the signal if it arrived. */
static inline void pinctl_release_signal(int number) {
    struct pinctl_held_signals *held = pinctl_held_signals();
    if (!held->is_held[number]) return;
    held->is_held[number] = 0;
    sigaction(number, &held->actions[number], NULL);
    if (held->arrived[number]) raise(number);
}

/* The terminal at which a password is typed, or -1; its settings, and the actions of signals, to be restored. */
struct pinctl_prompt {
    int terminal;
    struct termios settings;
    struct sigaction actions[NSIG];
};

/* The only prompt of the process, for signal handlers, which have no other argument than the number of the signal. */
static inline struct pinctl_prompt *pinctl_current_prompt(void) {
    static struct pinctl_prompt prompt = { .terminal = -1 };
    return &prompt;
}

/* Restores the settings of the terminal and discards what was typed. A process in the background does not change the terminal,
 * which belongs to another process then. Only uses functions that a signal handler may call (signal-safety(7)). */
static inline void pinctl_restore_terminal(void) {
    struct pinctl_prompt *prompt = pinctl_current_prompt();
    if (prompt->terminal < 0 || tcgetpgrp(prompt->terminal) != getpgrp()) return;
    tcflush(prompt->terminal, TCIFLUSH);
    tcsetattr(prompt->terminal, TCSANOW, &prompt->settings);
}

/* Handles a signal that ends the process: restores the terminal, and lets the previous action end the process. The signal is blocked
 * until this function returns. */
static inline void pinctl_end_prompt(int number) {
    int error = errno;
    pinctl_restore_terminal();
    sigaction(number, &pinctl_current_prompt()->actions[number], NULL);
    raise(number);
    errno = error;
}

/* Whether a signal has a default action that ends the process, and can be caught (signal(7)). All real-time signals do. */
static inline int pinctl_ends_by_default(int number) {
    switch (number) {
    case SIGKILL: case SIGSTOP: case SIGCHLD: case SIGCONT: case SIGURG: case SIGWINCH: return 0;
    /* They stop the process. */
    case SIGTSTP: case SIGTTIN: case SIGTTOU: return 0;
#ifdef __APPLE__
    case SIGIO: case SIGINFO: return 0;
#endif
    default: return 1;
    }
}

/* Handles all signals that end the process, except the blocked ones, until pinctl_forget_terminal is called. */
static inline void pinctl_guard_terminal(int terminal, const struct termios *settings, const sigset_t *blocked) {
    struct pinctl_prompt *prompt = pinctl_current_prompt();
    prompt->settings = *settings;
    prompt->terminal = terminal;
    for (int number = 1; number < NSIG; number++) {
        if (!pinctl_ends_by_default(number) || sigismember(blocked, number) == 1) continue;
        pinctl_handle_signal(number, pinctl_end_prompt, &pinctl_current_prompt()->actions[number]);
    }
}

/* Restores the terminal and the actions of the signals. */
static inline void pinctl_forget_terminal(const sigset_t *blocked) {
    pinctl_restore_terminal();
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;
        if (sigismember(blocked, number) == 1 || sigaction(number, NULL, &action) != 0) continue;
        if (action.sa_handler == pinctl_end_prompt) sigaction(number, &pinctl_current_prompt()->actions[number], NULL);
    }
    pinctl_current_prompt()->terminal = -1;
}

static inline void pinctl_restore_signal(int number, const struct sigaction *previous) { sigaction(number, previous, NULL); }

/* Waits until there is something to read. Returns -1 with EINTR after a signal that `mask` does not block (pselect(2)). */
static inline int pinctl_wait_input(int descriptor, const sigset_t *mask) {
    fd_set set;
    if (descriptor >= FD_SETSIZE) {
        errno = EINVAL;
        return -1;
    }
    FD_ZERO(&set);
    FD_SET(descriptor, &set);
    return pselect(descriptor + 1, &set, NULL, NULL, NULL, mask);
}

/* Disables core dumps of the process (prctl(2), "PR_SET_DUMPABLE"; core(5)), even if the system's core_pattern names a program.
 * On Linux this also prevents other processes of the user from reading the memory of the process. The function also removes the
 * crash handler of Swift (SWIFT_BACKTRACE), because that handler prints memory and, on a terminal, waits for a key. */
static inline void pinctl_protect_secrets(void) {
    static const int crashes[] = { SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP };
    for (size_t index = 0; index < sizeof crashes / sizeof crashes[0]; index++) {
        struct sigaction action;
        if (sigaction(crashes[index], NULL, &action) != 0 || action.sa_handler == SIG_IGN) continue;
        memset(&action, 0, sizeof action);
        action.sa_handler = SIG_DFL;
        sigaction(crashes[index], &action, NULL);
    }
    struct rlimit none = { 0, 0 };
    setrlimit(RLIMIT_CORE, &none);
#ifdef __linux__
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

/* The extended attributes of an open file (xattr(7)). The first function returns the size of the list of names, each with a null byte at
 * its end. All return -1 with errno if they fail. On other systems than Linux, files have no attributes here. */
static inline ssize_t pinctl_list_attributes(int descriptor, char *names, size_t size) {
#ifdef __linux__
    return flistxattr(descriptor, names, size);
#else
    (void)descriptor;
    (void)names;
    (void)size;
    return 0;
#endif
}

static inline ssize_t pinctl_get_attribute(int descriptor, const char *name, void *value, size_t size) {
#ifdef __linux__
    return fgetxattr(descriptor, name, value, size);
#else
    (void)descriptor;
    (void)name;
    (void)value;
    (void)size;
    errno = ENOTSUP;
    return -1;
#endif
}

static inline int pinctl_set_attribute(int descriptor, const char *name, const void *value, size_t size) {
#ifdef __linux__
    return fsetxattr(descriptor, name, value, size, 0);
#else
    (void)descriptor;
    (void)name;
    (void)value;
    (void)size;
    errno = ENOTSUP;
    return -1;
#endif
}

static inline int pinctl_remove_attribute(int descriptor, const char *name) {
#ifdef __linux__
    return fremovexattr(descriptor, name);
#else
    (void)descriptor;
    (void)name;
    errno = ENOTSUP;
    return -1;
#endif
}

/* Whether `text` occurs in these bytes (memmem(3)). */
static inline int pinctl_contains(const void *bytes, size_t count, const char *text) {
    return memmem(bytes, count, text, strlen(text)) != NULL;
}

/* Allocates whole pages of zeroed memory. If the system allows it, the memory is not swapped and is not part of a core dump.
 * Returns NULL if there is no memory. `pinctl_free_secret` overwrites and frees it. */
static inline void *pinctl_allocate_secret(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    mlock(memory, size);
#ifdef MADV_DONTDUMP
    madvise(memory, size, MADV_DONTDUMP);
#endif
    return memory;
}

/* Overwrites memory with zeros. The compiler does not remove this call, although the memory is not used afterwards. */
static inline void pinctl_wipe(void *memory, size_t size) {
    memset(memory, 0, size);
    __asm__ __volatile__("" : : "r"(memory) : "memory");
}

static inline void pinctl_free_secret(void *memory, size_t size) {
    pinctl_wipe(memory, size);
    munmap(memory, size);
}

static inline int pinctl_get_descriptor_limit(struct rlimit *limit) { return getrlimit(RLIMIT_NOFILE, limit); }

static inline int pinctl_set_descriptor_limit(const struct rlimit *limit) { return setrlimit(RLIMIT_NOFILE, limit); }

/* Returns the number of bytes that this process can still map, by RLIMIT_AS and RLIMIT_DATA, or -1 if there is no limit. */
static inline long long pinctl_available_memory(void) {
#ifdef __linux__
    struct rlimit space, data;
    if (getrlimit(RLIMIT_AS, &space) != 0 || getrlimit(RLIMIT_DATA, &data) != 0) return -1;
    if (space.rlim_cur == RLIM_INFINITY && data.rlim_cur == RLIM_INFINITY) return -1;
    char text[128];
    int descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return -1;
    ssize_t count = read(descriptor, text, sizeof text - 1);
    close(descriptor);
    if (count <= 0) return -1;
    text[count] = 0;
    unsigned long long all_pages = 0, data_pages = 0, page = (unsigned long long)sysconf(_SC_PAGESIZE);
    /* proc_pid_statm(5): size, resident, shared, text, lib, data. */
    if (sscanf(text, "%llu %*u %*u %*u %*u %llu", &all_pages, &data_pages) != 2) return -1;
    unsigned long long available = ~0ULL >> 1;
    if (space.rlim_cur != RLIM_INFINITY) {
        unsigned long long used = all_pages * page;
        available = space.rlim_cur > used ? space.rlim_cur - used : 0;
    }
    if (data.rlim_cur != RLIM_INFINITY) {
        unsigned long long used = data_pages * page, rest = data.rlim_cur > used ? data.rlim_cur - used : 0;
        if (rest < available) available = rest;
    }
    return (long long)available;
#else
    return -1;
#endif
}

/* Makes all threads share one malloc arena. By default glibc reserves 64 MiB of address space for each thread, and if that fails,
 * tries again at each allocation. */
static inline void pinctl_use_one_arena(void) {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 1);
#endif
}

/* The sysconf(3) constant for the number of processors, which is an enumerator on some platforms and a macro on others. */
static inline int pinctl_processors_online(void) { return _SC_NPROCESSORS_ONLN; }

/* The signals that a run with many hosts handles: those that stop it, and those that request its progress. Signals that were
 * ignored when the process started stay ignored. */
static inline void pinctl_run_signals(sigset_t *set) {
    int numbers[] = { SIGINT, SIGTERM, SIGUSR1 };
    sigemptyset(set);
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction action;
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) sigaddset(set, numbers[i]);
    }
#ifdef SIGINFO
    sigaddset(set, SIGINFO);
#endif
}

#ifdef SIGINFO
static inline void pinctl_ignore_signal(int number) { (void)number; }
#endif

/* Ignores the signal that requests progress. A run without a progress line uses this. */
static inline void pinctl_ignore_progress_signal(void) { signal(SIGUSR1, SIG_IGN); }

/* Blocks these signals for pinctl_wait_signal, in this thread and in all threads that it starts later. */
static inline void pinctl_hold_run_signals(void) {
    sigset_t set;
    pinctl_run_signals(&set);
#ifdef SIGINFO
    /* By default the system discards this signal, even if it is blocked. */
    signal(SIGINFO, pinctl_ignore_signal);
#endif
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

/* Waits for the next of these signals. Returns 0 if there is no signal to wait for. */
static inline int pinctl_wait_signal(void) {
    sigset_t set;
    int number = 0;
    pinctl_run_signals(&set);
    return sigwait(&set, &number) == 0 ? number : 0;
}

/* Returns whether a signal requests the progress. */
static inline int pinctl_asks_for_progress(int number) {
#ifdef SIGINFO
    if (number == SIGINFO) return 1;
#endif
    return number == SIGUSR1;
}

/* Gets the size of the terminal of a descriptor. Returns 0 if it is a terminal. */
static inline int pinctl_window_size(int descriptor, struct winsize *size) {
    return ioctl(descriptor, TIOCGWINSZ, size);
}

/* Waits until a descriptor that another process made non-blocking accepts data. */
static inline void pinctl_wait_writable(int descriptor) {
    struct pollfd entry = { .fd = descriptor, .events = POLLOUT };
    poll(&entry, 1, -1);
}

/* Waits until there is data to read or the other end is closed. */
static inline void pinctl_wait_readable(int descriptor) {
    struct pollfd entry = { .fd = descriptor, .events = POLLIN };
    poll(&entry, 1, -1);
}

/* The same with a limit. Returns 0 if the time passes first, or a signal arrives. */
static inline int pinctl_wait_readable_for(int descriptor, int milliseconds) {
    struct pollfd entry = { .fd = descriptor, .events = POLLIN };
    return poll(&entry, 1, milliseconds) > 0;
}

/* Size of the stack of background threads. The whole default size of 8 MiB would count against a limit on the address space. */
#define PINCTL_THREAD_STACK (1 << 20)

/* Runs `body(argument)` on a new detached thread. Returns 0 or an errno. */
static inline int pinctl_detach_thread(void *(*body)(void *), void *argument) {
    pthread_attr_t attributes;
    pthread_t thread;
    int result = pthread_attr_init(&attributes);
    if (result != 0) return result;
    pthread_attr_setstacksize(&attributes, PINCTL_THREAD_STACK);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    result = pthread_create(&thread, &attributes, body, argument);
    pthread_attr_destroy(&attributes);
    return result;
}

#ifdef __linux__
#include <sys/epoll.h>

/* The epoll event contains a union with a pointer. These functions use only descriptors. */

static inline int pinctl_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

/* Watches one descriptor for reading or writing. Tries EPOLL_CTL_ADD first if `is_new` is set, otherwise EPOLL_CTL_MOD. If the
 * error shows that the other call is the right one, tries that call. Returns 0 or an errno. */
static inline int pinctl_epoll_watch(int poller, int descriptor, int for_writing, int is_new) {
    struct epoll_event event = { .events = for_writing ? EPOLLOUT : EPOLLIN, .data.fd = descriptor };
    if (epoll_ctl(poller, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event) == 0) return 0;
    if (errno != (is_new ? EEXIST : ENOENT)) return errno;
    return epoll_ctl(poller, is_new ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event) == 0 ? 0 : errno;
}

static inline void pinctl_epoll_forget(int poller, int descriptor) {
    epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, 0);
}

#define PINCTL_EPOLL_BATCH 256

/* Waits, writes at most PINCTL_EPOLL_BATCH ready descriptors, and returns their number. */
static inline int pinctl_epoll_wait(int poller, int *ready, int milliseconds) {
    struct epoll_event events[PINCTL_EPOLL_BATCH];
    int count = epoll_wait(poller, events, PINCTL_EPOLL_BATCH, milliseconds);
    for (int i = 0; i < count; i++) ready[i] = events[i].data.fd;
    return count;
}
#endif

/* The commit of the build, which Scripts/build passes to the compiler. */
static inline const char *pinctl_commit(void) {
#ifdef PINCTL_COMMIT
    return PINCTL_COMMIT;
#else
    return "";
#endif
}

#endif
