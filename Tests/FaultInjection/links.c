/* A library for LD_PRELOAD that follows no symbolic link with the name LINK_NAME, as Linux with fs.protected_symlinks (proc(5)) follows no
 * link of another user in a shared folder: functions that follow the link fail with EACCES, and others, such as readlink(2), succeed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int is_refused(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct stat status;
    if (strcmp(name, getenv("LINK_NAME")) != 0 || lstat(path, &status) != 0 || !S_ISLNK(status.st_mode)) return 0;
    errno = EACCES;
    return 1;
}

int stat(const char *path, struct stat *status) { return is_refused(path) ? -1 : REAL(stat)(path, status); }
int access(const char *path, int mode) { return is_refused(path) ? -1 : REAL(access)(path, mode); }
int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = va_arg(list, mode_t);
    va_end(list);
    int creates = (flags & O_CREAT) && (flags & O_EXCL);
    return !(flags & O_NOFOLLOW) && !creates && is_refused(path) ? -1 : REAL(open)(path, flags, mode);
}
