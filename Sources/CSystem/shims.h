#ifndef PINCTL_CSYSTEM_SHIMS_H
#define PINCTL_CSYSTEM_SHIMS_H

/* The C library under one name on every platform, and what of it Swift cannot import or has to call differently from
 * one platform to the next. */

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

static inline int pinctl_errno(void) { return errno; }

/* SOCK_STREAM, which is an enumerator here and a macro there. */
static inline int pinctl_stream_type(void) { return SOCK_STREAM; }

/* A non-blocking TCP socket that no child process inherits; -1 with errno. */
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

/* A pipe whose ends are non-blocking and not inherited; -1 with errno. */
static inline int pinctl_pipe(int ends[2]) {
    if (pipe(ends) != 0) return -1;
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
    }
    return 0;
}

/* Lets a write to a closed pipe or socket fail with EPIPE, instead of ending the process. */
static inline void pinctl_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

/* The name in a folder's entry, whose declared size Swift would take at its word. */
static inline const char *pinctl_entry_name(const struct dirent *entry) { return entry->d_name; }

/* open(2) takes a varying number of arguments. */
static inline int pinctl_open_for_reading(const char *path) { return open(path, O_RDONLY | O_CLOEXEC); }

/* A file that has no name yet, in a folder, for its owner alone; -1 with errno where there is no such thing. */
static inline int pinctl_open_unnamed(const char *folder) {
#ifdef __O_TMPFILE
    return open(folder, __O_TMPFILE | O_DIRECTORY | O_WRONLY | O_CLOEXEC, 0600);
#else
    (void)folder;
    errno = ENOTSUP;
    return -1;
#endif
}

/* Gives such a file a name that nothing has (open(2), "O_TMPFILE"); -1 with errno. */
static inline int pinctl_name_unnamed(int descriptor, const char *path) {
    char own[32];
    snprintf(own, sizeof own, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

/* A new file, for its owner alone; EEXIST where there is anything of that name. */
static inline int pinctl_create(const char *path) { return open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600); }

static inline int pinctl_open_for_writing(const char *path) { return open(path, O_WRONLY | O_CLOEXEC); }

/* Where this process was started without one of its standard streams, the next file that it opened would take the number, and get
 * what is meant for the stream. What stands there instead fails when it is used. */
static inline void pinctl_fill_standard_descriptors(void) {
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

/* flock(2), whose name is a type's too: an exclusive lock, or -1 at once where somebody else has it. */
static inline int pinctl_lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

/* The terminal that this process belongs to, whatever its streams are; -1 where it has none. */
static inline int pinctl_open_terminal(void) { return open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY); }

/* For reading, appending, and making where there is none. */
static inline int pinctl_open_for_appending(const char *path) {
    return open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
}

/* Ends this process as Ctrl-C would have. */
static inline void pinctl_interrupt_self(void) {
    signal(SIGINT, SIG_DFL);
    raise(SIGINT);
}

/* The permissions that new files of this process do not get. */
static inline mode_t pinctl_umask(void) {
    mode_t mask = umask(0);
    umask(mask);
    return mask;
}

static inline int pinctl_get_descriptor_limit(struct rlimit *limit) { return getrlimit(RLIMIT_NOFILE, limit); }

static inline int pinctl_set_descriptor_limit(const struct rlimit *limit) { return setrlimit(RLIMIT_NOFILE, limit); }

/* What sysconf(3) calls the number of processors, which is an enumerator here and a macro there. */
static inline int pinctl_processors_online(void) { return _SC_NPROCESSORS_ONLN; }

/* The signals that a run over many hosts answers: those that ask it to end, and those that ask how far it is. What was
 * ignored when this process was started stays ignored. */
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

/* For a run that has no progress to tell. */
static inline void pinctl_ignore_progress_signal(void) { signal(SIGUSR1, SIG_IGN); }

/* Keeps those signals for pinctl_wait_signal: in this thread, and in every thread that it starts from now on. */
static inline void pinctl_hold_run_signals(void) {
    sigset_t set;
    pinctl_run_signals(&set);
#ifdef SIGINFO
    /* By default it is thrown away, blocked or not. */
    signal(SIGINFO, pinctl_ignore_signal);
#endif
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

/* Waits for the next of them; 0 where there is none to wait for. */
static inline int pinctl_wait_signal(void) {
    sigset_t set;
    int number = 0;
    pinctl_run_signals(&set);
    return sigwait(&set, &number) == 0 ? number : 0;
}

/* Whether a signal asks how far the run is. */
static inline int pinctl_asks_for_progress(int number) {
#ifdef SIGINFO
    if (number == SIGINFO) return 1;
#endif
    return number == SIGUSR1;
}

/* The size of the terminal behind a descriptor; 0 where there is one. */
static inline int pinctl_window_size(int descriptor, struct winsize *size) {
    return ioctl(descriptor, TIOCGWINSZ, size);
}

/* Waits until a descriptor that somebody made non-blocking takes more. */
static inline void pinctl_wait_writable(int descriptor) {
    struct pollfd entry = { .fd = descriptor, .events = POLLOUT };
    poll(&entry, 1, -1);
}

/* Waits until there is something to read, or the other end is gone. */
static inline void pinctl_wait_readable(int descriptor) {
    struct pollfd entry = { .fd = descriptor, .events = POLLIN };
    poll(&entry, 1, -1);
}

/* Runs `body(argument)` on a thread of its own that nobody joins. Returns 0 or an errno. */
static inline int pinctl_detach_thread(void *(*body)(void *), void *argument) {
    pthread_attr_t attributes;
    pthread_t thread;
    int result = pthread_attr_init(&attributes);
    if (result != 0) return result;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    result = pthread_create(&thread, &attributes, body, argument);
    pthread_attr_destroy(&attributes);
    return result;
}

#ifdef __linux__
#include <sys/epoll.h>

/* epoll's event has a union with a pointer in it; here events are plain descriptors. */

static inline int pinctl_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

/* Watches one descriptor, for reading or for writing; `is_new` tells which call is likely to be the right one.
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

/* Waits; writes at most PINCTL_EPOLL_BATCH descriptors that are ready and returns how many. */
static inline int pinctl_epoll_wait(int poller, int *ready, int milliseconds) {
    struct epoll_event events[PINCTL_EPOLL_BATCH];
    int count = epoll_wait(poller, events, PINCTL_EPOLL_BATCH, milliseconds);
    for (int i = 0; i < count; i++) ready[i] = events[i].data.fd;
    return count;
}
#endif

#endif
