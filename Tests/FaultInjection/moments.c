/* A library for LD_PRELOAD that does something at one call of a process, or fails calls for extended attributes.
 *
 * MOMENT            the first call with this name: "lock" (flock), "name" (linkat), or "replace": renameat2 with RENAME_EXCHANGE, or
 *                   with NO_EXCHANGE, which makes this call fail as on file systems without it, rename
 * MOMENT_BEFORE     a command of the shell before the call
 * MOMENT_AFTER      a command of the shell after the call
 * MOMENT_SIGNALS    the numbers of signals that arrive after the call, such as "2 2"
 * ATTRIBUTE_CALL    a call for extended attributes that fails with the errno ATTRIBUTE_ERROR
 * ATTRIBUTE_OF_SYSTEM  each file has only the attribute security.test, which no process may set and whose value differs for each file
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int is_over;

static void run(const char *variable) {
    const char *command = getenv(variable);
    unsetenv("LD_PRELOAD");
    if (command && system(command) != 0) abort();
}

static int begins(const char *name) {
    const char *moment = getenv("MOMENT");
    if (is_over || !moment || strcmp(moment, name) != 0) return 0;
    is_over = 1;
    run("MOMENT_BEFORE");
    return 1;
}

static void end(void) {
    int error = errno, number, length;
    run("MOMENT_AFTER");
    const char *signals = getenv("MOMENT_SIGNALS");
    for (; signals && sscanf(signals, "%d%n", &number, &length) == 1; signals += length) raise(number);
    errno = error;
}

#define CALL(name, moment, ...) do { \
    int is_now = begins(moment); \
    __typeof__(REAL(name)(__VA_ARGS__)) result = REAL(name)(__VA_ARGS__); \
    if (is_now) end(); \
    return result; \
} while (0)

int flock(int descriptor, int operation) { CALL(flock, "lock", descriptor, operation); }

int linkat(int one, const char *from, int two, const char *to, int flags) {
    CALL(linkat, "name", one, from, two, to, flags);
}

int rename(const char *from, const char *to) { CALL(rename, "replace", from, to); }

/* A program calls renameat2(2) through this function. */
long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (number != SYS_renameat2) return REAL(syscall)(number, a, b, c, d, e, f);
    if (getenv("NO_EXCHANGE")) {
        errno = EINVAL;
        return -1;
    }
    CALL(syscall, "replace", number, a, b, c, d, e, f);
}

static int fails(const char *name) {
    const char *call = getenv("ATTRIBUTE_CALL");
    if (!call || strcmp(call, name) != 0) return 0;
    errno = atoi(getenv("ATTRIBUTE_ERROR"));
    return 1;
}

ssize_t flistxattr(int descriptor, char *names, size_t size) {
    static const char name[] = "security.test";
    if (fails("flistxattr")) return -1;
    if (!getenv("ATTRIBUTE_OF_SYSTEM")) return REAL(flistxattr)(descriptor, names, size);
    memcpy(names, name, sizeof name);
    return sizeof name;
}

ssize_t fgetxattr(int descriptor, const char *name, void *value, size_t size) {
    struct stat status;
    if (fails("fgetxattr")) return -1;
    if (!getenv("ATTRIBUTE_OF_SYSTEM") || strcmp(name, "security.test") != 0)
        return REAL(fgetxattr)(descriptor, name, value, size);
    fstat(descriptor, &status);
    return snprintf(value, size, "%llu", (unsigned long long)status.st_ino);
}

int fsetxattr(int descriptor, const char *name, const void *value, size_t size, int flags) {
    if (fails("fsetxattr")) return -1;
    if (getenv("ATTRIBUTE_OF_SYSTEM")) {
        errno = EPERM;
        return -1;
    }
    return REAL(fsetxattr)(descriptor, name, value, size, flags);
}
