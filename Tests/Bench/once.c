/* Runs a command and prints, on standard error, the most memory that it had at once, in KB. A process starts with its parent's
 * peak as its own, so the parent has to be as small as this.
 *
 * usage: peak COMMAND [ARGUMENT...] */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status)) return 1;
    fprintf(stderr, "%ld\n", usage.ru_maxrss);
    return WEXITSTATUS(status);
}
