#ifndef PINCTL_CSYSTEM_STREAM_LIMIT_H
#define PINCTL_CSYSTEM_STREAM_LIMIT_H

/* A time limit for look-ups over TCP. After a truncated answer, glibc asks the name server again over TCP, where connect(2) and read(2) have
 * no time limit (send_vc in resolv/res_send.c). A thread that waits there can look up no other name. So a timer of the thread interrupts it
 * after the limit, again and again, because glibc then tries the next name server, and the handler shuts the connection down. */

#if defined(__GLIBC__) && defined(__linux__)
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <resolv.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PINCTL_STREAM_LIMIT_SIGNAL (SIGRTMAX - 3)

/* Shuts down the connection of this thread to a name server. */
static inline void pinctl_end_stream(int number) {
    (void)number;
    int error = errno;
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    if (_res._vcsock >= 0) {
        /* Between close(2) of this connection and the next statement of glibc, another thread can have a connection with its number. */
        int isKnown = getpeername(_res._vcsock, (struct sockaddr *)&peer, &length) == 0;
        in_port_t port = !isKnown ? 0
            : peer.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&peer)->sin6_port : ((struct sockaddr_in *)&peer)->sin_port;
        int isNameServer = !isKnown && errno == ENOTCONN;
        for (int i = 0; isKnown && i < _res.nscount; i++) {
            const struct sockaddr_in6 *ipv6 = _res._u._ext.nsaddrs[i];
            isNameServer |= port == (ipv6 && ipv6->sin6_family == AF_INET6 ? ipv6->sin6_port : _res.nsaddr_list[i].sin_port);
        }
        if (isNameServer) shutdown(_res._vcsock, SHUT_RDWR);
    }
    errno = error;
}

/* Installs the handler, unless the program uses the signal. A signal that is ignored is also in use, unless `replaces_ignored` is not 0. */
static inline int pinctl_can_limit_streams(int replaces_ignored) {
    struct sigaction action;
    if (sigaction(PINCTL_STREAM_LIMIT_SIGNAL, NULL, &action) != 0) return 0;
    if (action.sa_handler == pinctl_end_stream) return 1;
    if (action.sa_handler != SIG_DFL && !(replaces_ignored && action.sa_handler == SIG_IGN)) return 0;
    memset(&action, 0, sizeof action);
    action.sa_handler = pinctl_end_stream;
    action.sa_flags = SA_RESTART;
    return sigaction(PINCTL_STREAM_LIMIT_SIGNAL, &action, NULL) == 0;
}
#endif

/* Limits the look-ups of this thread over TCP. Returns a number for pinctl_end_stream_limit; -1 if there is no limit: without glibc, or
 * if the program uses the signal, or if the system has no timer left. */
static inline int pinctl_start_stream_limit(long milliseconds, int replaces_ignored) {
#if defined(__GLIBC__) && defined(__linux__)
    if (!(_res.options & RES_INIT) && res_init() != 0) return -1;
    if (!pinctl_can_limit_streams(replaces_ignored)) return -1;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, PINCTL_STREAM_LIMIT_SIGNAL);
    if (pthread_sigmask(SIG_UNBLOCK, &set, NULL) != 0) return -1;
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = PINCTL_STREAM_LIMIT_SIGNAL;
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    /* Before glibc 2.34, timer_create(2) is in another library. */
    int timer = -1;
    if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) != 0) return -1;
    if (milliseconds < 1) milliseconds = 1;
    struct itimerspec times = {
        .it_interval = {.tv_sec = 0, .tv_nsec = 100000000},
        .it_value = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000},
    };
    if (syscall(SYS_timer_settime, timer, 0, &times, NULL) == 0) return timer;
    syscall(SYS_timer_delete, timer);
    return -1;
#else
    (void)milliseconds;
    (void)replaces_ignored;
    return -1;
#endif
}

static inline void pinctl_end_stream_limit(int timer) {
#if defined(__GLIBC__) && defined(__linux__)
    if (timer >= 0) syscall(SYS_timer_delete, timer);
#else
    (void)timer;
#endif
}

#endif
