/* The reference for many hosts: the minimum for a C program with this machine's OpenSSL. It has one epoll loop, one SSL_CTX and JOBS
 * parallel handshakes, and hashes the leaf's SubjectPublicKeyInfo with SHA-256. It validates nothing and stores nothing.
 *
 * usage: limit JOBS PORT < addresses      one IPv4 address on each line */
#include <arpa/inet.h>
#include <errno.h>
#include <openssl/err.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct {
    int fd;
    SSL *ssl;
    char host[64];
    unsigned watched;
} Connection;

static SSL_CTX *context;
static int poller, port, live;
static long good, bad;

static int open_next(void) {
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
        if (inet_pton(AF_INET, line, &address.sin_addr) != 1) continue;
        Connection *c = calloc(1, sizeof *c);
        strcpy(c->host, line);
        c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (connect(c->fd, (void *)&address, sizeof address) && errno != EINPROGRESS) {
            close(c->fd);
            free(c);
            bad++;
            continue;
        }
        c->ssl = SSL_new(context);
        SSL_set_fd(c->ssl, c->fd);
        SSL_set_connect_state(c->ssl);
        SSL_set_tlsext_host_name(c->ssl, "localhost");
        struct epoll_event event = { .events = c->watched = EPOLLOUT, .data.ptr = c };
        epoll_ctl(poller, EPOLL_CTL_ADD, c->fd, &event);
        live++;
        return 1;
    }
    return 0;
}

static void finish(Connection *c, int succeeded) {
    if (succeeded) {
        unsigned char *der = NULL, digest[32];
        X509 *leaf = SSL_get0_peer_certificate(c->ssl);
        int count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(leaf), &der);
        SHA256(der, count, digest);
        OPENSSL_free(der);
        printf("%s ", c->host);
        for (int i = 0; i < 32; i++) printf("%02x", digest[i]);
        puts("");
        good++;
    } else {
        bad++;
    }
    SSL_free(c->ssl);
    close(c->fd);
    free(c);
    live--;
    ERR_clear_error();
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int jobs = atoi(argv[1]);
    port = atoi(argv[2]);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    context = SSL_CTX_new(TLS_client_method());
    poller = epoll_create1(0);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    for (int i = 0; i < jobs && open_next(); i++) {}
    struct epoll_event events[256];
    while (live) {
        int count = epoll_wait(poller, events, 256, 5000);
        if (count <= 0) break;
        for (int i = 0; i < count; i++) {
            Connection *c = events[i].data.ptr;
            int result = SSL_do_handshake(c->ssl), error = SSL_get_error(c->ssl, result);
            if (result == 1 || (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE)) {
                finish(c, result == 1);
                open_next();
                continue;
            }
            unsigned wanted = error == SSL_ERROR_WANT_READ ? EPOLLIN : EPOLLOUT;
            if (wanted == c->watched) continue;
            struct epoll_event event = { .events = c->watched = wanted, .data.ptr = c };
            epoll_ctl(poller, EPOLL_CTL_MOD, c->fd, &event);
        }
    }
    fprintf(stderr, "good %ld bad %ld\n", good, bad);
    return bad != 0;
}
