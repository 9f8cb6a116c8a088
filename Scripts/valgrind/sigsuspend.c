// A library for LD_PRELOAD that replaces sigsuspend(2). valgrind 3.19 changes the mask of the caller, and stops with an internal error
// because the mask of libdispatch is in read-only memory. libdispatch calls sigsuspend if the main thread of a program ends, as in
// the program of the tests.
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask) {
    sigset_t copy = *mask;
    return (int)syscall(SYS_rt_sigsuspend, &copy, 8);
}
