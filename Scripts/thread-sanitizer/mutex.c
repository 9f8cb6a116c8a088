// Shows ThreadSanitizer the slow paths of Synchronization.Mutex. Scripts/sanitize links this file into the programs that it builds.
//
// On Linux, the fast paths of Mutex are atomic operations that the compiler inlines, so ThreadSanitizer sees them. If a thread has to
// wait, the functions below of libswiftSynchronization.so call futex(2). That library is built without the sanitizer, so without this
// file each access after such a wait is reported as a race. The functions are methods of a structure that is passed by its address.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define METHOD __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

static void *original(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) abort();
    return function;
}

METHOD void lock(uint32_t thread, SELF) __asm__(LOCK);
METHOD bool tryLock(SELF) __asm__(TRY_LOCK);
METHOD void unlock(SELF) __asm__(UNLOCK);

METHOD void lock(uint32_t thread, SELF) {
    METHOD void (*function)(uint32_t, SELF) = original(LOCK);
    function(thread, mutex);
    __tsan_acquire(mutex);
}

METHOD bool tryLock(SELF) {
    METHOD bool (*function)(SELF) = original(TRY_LOCK);
    bool isLocked = function(mutex);
    if (isLocked) __tsan_acquire(mutex);
    return isLocked;
}

METHOD void unlock(SELF) {
    METHOD void (*function)(SELF) = original(UNLOCK);
    __tsan_release(mutex);
    function(mutex);
}
