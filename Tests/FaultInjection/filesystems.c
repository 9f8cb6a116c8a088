/* A library for LD_PRELOAD that behaves as other file systems and kernels do:
 *
 * AS_NFS         an exclusive flock(2) needs a descriptor that is open for writing, and the server gives no delegation, so that no
 *                lease is granted (flock(2), "NFS details"; fcntl(2), "Leases")
 * WITHOUT_UMASK  a file without a name does not get the umask, as on some file systems before Linux 6.0
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int flock(int descriptor, int operation) {
    if (getenv("AS_NFS") && (operation & LOCK_EX) && (fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_RDONLY) {
        errno = EBADF;
        return -1;
    }
    return REAL(flock)(descriptor, operation);
}

int fcntl(int descriptor, int command, ...) {
    va_list list;
    va_start(list, command);
    long argument = va_arg(list, long);
    va_end(list);
    if (getenv("AS_NFS") && command == F_SETLEASE && argument == F_RDLCK) {
        errno = EAGAIN;
        return -1;
    }
    return REAL(fcntl)(descriptor, command, argument);
}

int fstatfs(int descriptor, struct statfs *status) {
    int result = REAL(fstatfs)(descriptor, status);
    if (getenv("AS_NFS")) status->f_type = 0x6969;
    return result;
}

int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = va_arg(list, mode_t);
    va_end(list);
    if (!getenv("WITHOUT_UMASK") || (flags & O_TMPFILE) != O_TMPFILE) return REAL(open)(path, flags, mode);
    mode_t mask = umask(0);
    int result = REAL(open)(path, flags, mode);
    umask(mask);
    return result;
}
