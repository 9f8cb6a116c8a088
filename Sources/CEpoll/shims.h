#ifndef PINCTL_CEPOLL_SHIMS_H
#define PINCTL_CEPOLL_SHIMS_H

#ifdef __linux__
#include <sys/epoll.h>
#endif

#endif
