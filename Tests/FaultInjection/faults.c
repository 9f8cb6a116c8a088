/* A library for LD_PRELOAD. At one system call of a process, it makes the call fail, kills the process, or runs an editor.
 *
 * FAULT_FOLDER   a folder: only calls on paths or descriptors in it are counted
 * FAULT_LOG      a file outside the folder, to which each counted call is added as a line with its name
 * FAULT_AT       the number of the call, from 0, at which FAULT_ACTION happens
 * FAULT_ACTION   an errno in decimal: the call fails with it; "short": a write(2) writes half of its bytes
 *                "kill": SIGKILL before the call; "killed": SIGKILL after the call
 *                "replace": an editor renames FAULT_EDIT to FAULT_TARGET before the call
 *                "append": an editor appends FAULT_EDIT's contents to FAULT_TARGET before the call, or as soon as a lease permits it
 *                "late": an editor tries to open FAULT_TARGET before the call, which breaks a lease, and appends after the call
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int busy;
static int count;
static int killed_after;
static int appends_after;
static pid_t editor;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int in_folder(const char *path) {
    const char *folder = getenv("FAULT_FOLDER");
    char resolved[PATH_MAX], parent[PATH_MAX];
    if (!folder || !path) return 0;
    busy++;
    int found = 0;
    if (!realpath(path, resolved)) {
        snprintf(parent, sizeof parent, "%s", path);
        char *slash = strrchr(parent, '/');
        if (slash) slash[slash == parent] = 0;
        if (!realpath(slash ? parent : ".", resolved)) resolved[0] = 0;
    }
    size_t length = strlen(folder);
    found = strncmp(resolved, folder, length) == 0 && (resolved[length] == '/' || resolved[length] == 0);
    busy--;
    return found;
}

static int descriptor_in_folder(int descriptor) {
    char own[64], path[PATH_MAX];
    snprintf(own, sizeof own, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(own, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    const char *folder = getenv("FAULT_FOLDER");
    return folder && strncmp(path, folder, strlen(folder)) == 0;
}

static void copy(const char *from, int to) {
    char buffer[4096];
    ssize_t size;
    int file = open(from, O_RDONLY | O_CLOEXEC);
    while ((size = read(file, buffer, sizeof buffer)) > 0)
        if (write(to, buffer, size) != size) _exit(1);
    close(file);
}

static void append(const char *edit, const char *target) {
    int ends[2];
    char byte;
    if (pipe2(ends, O_CLOEXEC) != 0) abort();
    editor = fork();
    if (editor == 0) {
        /* A lease ends when the last process closes the open file description of the lease. */
        for (int other = 3; other < 256; other++) if (other != ends[1]) close(other);
        int file = open(target, O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC);
        if (file < 0 && errno == EWOULDBLOCK) {
            /* The other process has a lease on the file. It continues, and this process waits for the lease. */
            if (write(ends[1], "w", 1) != 1) _exit(1);
            file = open(target, O_WRONLY | O_APPEND | O_CLOEXEC);
        }
        if (file < 0) _exit(1);
        copy(edit, file);
        close(file);
        _exit(write(ends[1], "d", 1) != 1);
    }
    close(ends[1]);
    if (read(ends[0], &byte, 1) != 1) abort();
    close(ends[0]);
}

static void try_to_open(const char *target) {
    pid_t process = fork();
    if (process == 0) {
        for (int other = 3; other < 256; other++) close(other);
        _exit(open(target, O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC) < 0 ? 0 : 1);
    }
    waitpid(process, NULL, 0);
}

static void append_after(void) {
    appends_after = 0;
    busy++;
    append(getenv("FAULT_EDIT"), getenv("FAULT_TARGET"));
    busy--;
}

/* Returns an errno to fail with, or 0 to make the call. */
static int at(const char *name) {
    if (busy) return 0;
    busy++;
    const char *log = getenv("FAULT_LOG"), *wanted = getenv("FAULT_AT"), *action = getenv("FAULT_ACTION");
    int result = 0, number = count++;
    if (log) {
        int file = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
        dprintf(file, "%s\n", name);
        close(file);
    }
    if (wanted && action && atoi(wanted) == number) {
        const char *edit = getenv("FAULT_EDIT"), *target = getenv("FAULT_TARGET");
        if (strcmp(action, "kill") == 0) raise(SIGKILL);
        else if (strcmp(action, "killed") == 0) killed_after = 1;
        else if (strcmp(action, "short") == 0) result = strcmp(name, "write") == 0 ? -1 : 0;
        else if (strcmp(action, "replace") == 0) { if (rename(edit, target) != 0) abort(); }
        else if (strcmp(action, "append") == 0) append(edit, target);
        else if (strcmp(action, "late") == 0) {
            try_to_open(target);
            appends_after = 1;
        }
        else result = atoi(action);
    }
    busy--;
    return result;
}

#define CALL(name, counts, ...) do { \
    int fault = !busy && (counts) ? at(#name) : 0; \
    if (fault > 0) { errno = fault; return -1; } \
    __typeof__(REAL(name)(__VA_ARGS__)) result = REAL(name)(__VA_ARGS__); \
    int error = errno; \
    if (killed_after) raise(SIGKILL); \
    if (appends_after) append_after(); \
    errno = error; \
    return result; \
} while (0)

int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = va_arg(list, mode_t);
    va_end(list);
    CALL(open, in_folder(path), path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = va_arg(list, mode_t);
    va_end(list);
    CALL(open64, in_folder(path), path, flags, mode);
}

ssize_t write(int descriptor, const void *bytes, size_t size) {
    int fault = !busy && descriptor_in_folder(descriptor) ? at("write") : 0;
    if (fault > 0) { errno = fault; return -1; }
    if (fault < 0) size = (size + 1) / 2;
    ssize_t result = REAL(write)(descriptor, bytes, size);
    if (killed_after) raise(SIGKILL);
    return result;
}

int fsync(int descriptor) { CALL(fsync, descriptor_in_folder(descriptor), descriptor); }
int fchmod(int descriptor, mode_t mode) { CALL(fchmod, descriptor_in_folder(descriptor), descriptor, mode); }
int fchown(int descriptor, uid_t user, gid_t group) {
    CALL(fchown, descriptor_in_folder(descriptor), descriptor, user, group);
}
int ftruncate(int descriptor, off_t size) { CALL(ftruncate, descriptor_in_folder(descriptor), descriptor, size); }
int flock(int descriptor, int operation) { CALL(flock, descriptor_in_folder(descriptor), descriptor, operation); }
int fstat(int descriptor, struct stat *status) { CALL(fstat, descriptor_in_folder(descriptor), descriptor, status); }
int stat(const char *path, struct stat *status) { CALL(stat, in_folder(path), path, status); }
int lstat(const char *path, struct stat *status) { CALL(lstat, in_folder(path), path, status); }
int access(const char *path, int mode) { CALL(access, in_folder(path), path, mode); }
int mkdir(const char *path, mode_t mode) { CALL(mkdir, in_folder(path), path, mode); }
int unlink(const char *path) { CALL(unlink, in_folder(path), path); }
int link(const char *from, const char *to) { CALL(link, in_folder(to), from, to); }
int rename(const char *from, const char *to) { CALL(rename, in_folder(to), from, to); }
int linkat(int one, const char *from, int two, const char *to, int flags) {
    CALL(linkat, in_folder(to), one, from, two, to, flags);
}
ssize_t read(int descriptor, void *bytes, size_t size) { CALL(read, descriptor_in_folder(descriptor), descriptor, bytes, size); }
ssize_t pread(int descriptor, void *bytes, size_t size, off_t offset) {
    CALL(pread, descriptor_in_folder(descriptor), descriptor, bytes, size, offset);
}

/* A program calls renameat2(2) through this function. */
long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    CALL(syscall, number == SYS_renameat2 && in_folder((const char *)d), number, a, b, c, d, e, f);
}

/* The editor is a child process, which can still wait for the lease. Wait for its end. */
void _exit(int status) {
    if (editor > 0) {
        busy++;
        waitpid(editor, NULL, 0);
    }
    REAL(_exit)(status);
    __builtin_unreachable();
}
