/* Runs a command once. The last line on standard error contains the elapsed seconds, the seconds of CPU time, and the maximum
 * memory in KB. An interpreter would change these values more than this program does: this program starts the command at once, and
 * a process inherits the maximum memory of its parent. usage: once COMMAND [ARGUMENT...] */
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double seconds(long whole, long micro) { return whole + micro / 1e6; }

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    struct timespec before, after;
    struct rusage usage;
    pid_t child;
    int status;
    clock_gettime(CLOCK_MONOTONIC, &before);
    if (posix_spawnp(&child, argv[1], NULL, NULL, argv + 1, environ) != 0) return 127;
    if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status)) return 1;
    clock_gettime(CLOCK_MONOTONIC, &after);
    fprintf(stderr, "%.6f %.6f %ld\n", (after.tv_sec - before.tv_sec) + (after.tv_nsec - before.tv_nsec) / 1e9,
            seconds(usage.ru_utime.tv_sec, usage.ru_utime.tv_usec) + seconds(usage.ru_stime.tv_sec, usage.ru_stime.tv_usec),
            usage.ru_maxrss);
    return WEXITSTATUS(status);
}
