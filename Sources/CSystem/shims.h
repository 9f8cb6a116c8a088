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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static inline int pinctl_errno(void) { return errno; }

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

/* send(2). A connection that the peer closed fails with EPIPE, without a signal. */
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
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
    }
    return 0;
}

/* Makes a write to a closed pipe or socket fail with EPIPE. By default it stops the process. */
static inline void pinctl_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

/* Returns the name of a directory entry. Swift would use the declared size of the field, which can be too small. */
static inline const char *pinctl_entry_name(const struct dirent *entry) { return entry->d_name; }

/* open(2) is variadic. */
static inline int pinctl_open_for_reading(const char *path) { return open(path, O_RDONLY | O_CLOEXEC); }

/* Creates a file without a name in a folder, with mode 0600. Returns -1 with errno if the system does not support it. */
static inline int pinctl_open_unnamed(const char *folder) {
#ifdef __O_TMPFILE
    return open(folder, __O_TMPFILE | O_DIRECTORY | O_WRONLY | O_CLOEXEC, 0600);
#else
    (void)folder;
    errno = ENOTSUP;
    return -1;
#endif
}

/* Gives such a file a new name (open(2), "O_TMPFILE"). Returns -1 with errno if the name exists. */
static inline int pinctl_name_unnamed(int descriptor, const char *path) {
    char own[32];
    snprintf(own, sizeof own, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

/* Creates a file with mode 0600. Fails with EEXIST if the name exists. */
static inline int pinctl_create(const char *path) { return open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600); }

static inline int pinctl_open_for_writing(const char *path) { return open(path, O_WRONLY | O_CLOEXEC); }

/* Opens each standard stream that the process was started without. Otherwise the next opened file would get the descriptor, and
 * with it the data for the stream. A read or write of the opened stream fails. */
static inline void pinctl_fill_standard_descriptors(void) {
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

/* Takes an exclusive lock with flock(2), which in Swift is also the name of a type. Returns -1 at once if another process has the lock. */
static inline int pinctl_lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

/* Opens the controlling terminal of the process. Returns -1 if there is no terminal. */
static inline int pinctl_open_terminal(void) { return open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY); }

/* Opens a file for reading and appending, and creates it if it does not exist. */
static inline int pinctl_open_for_appending(const char *path) {
    return open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
}

/* Stops the process as Ctrl-C does. */
static inline void pinctl_interrupt_self(void) {
    signal(SIGINT, SIG_DFL);
    raise(SIGINT);
}

/* Returns the umask of the process. */
static inline mode_t pinctl_umask(void) {
    mode_t mask = umask(0);
    umask(mask);
    return mask;
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

/* Makes all threads share one malloc arena. By default glibc reserves 64 MiB of address space for each thread, and tries again at
 * each allocation where that fails. */
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

/* For a run without a progress line. */
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

/* Size of the stack of background threads. The default of 8 MiB counts in full against a limit on the address space. */
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

/* Watches one descriptor for reading or writing. `is_new` selects the call that is tried first.
 * Returns 0 or an errno. */
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

#endif
