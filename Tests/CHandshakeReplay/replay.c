#include "replay.h"

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Random numbers: SplitMix64 for a thread that needs repeatable numbers. */

static _Thread_local int repeats;
static _Thread_local uint64_t state;

static int random_bytes(unsigned char *buffer, int count) {
    if (!repeats) return RAND_OpenSSL()->bytes(buffer, count);
    for (int i = 0; i < count; i++) {
        if (i % 8 == 0) state += 0x9e3779b97f4a7c15;
        uint64_t value = state;
        value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
        value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
        value ^= value >> 31;
        buffer[i] = (unsigned char)(value >> (8 * (i % 8)));
    }
    return 1;
}

static int random_status(void) { return 1; }

static const RAND_METHOD random_method = { .bytes = random_bytes, .pseudorand = random_bytes, .status = random_status };

static void install_random(void) { RAND_set_rand_method(&random_method); }

void replay_begin_random(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_random);
    state = 1;
    repeats = 1;
}

void replay_resume_random(void) { repeats = 1; }

void replay_end_random(void) { repeats = 0; }

/* The server. */

#define MAXIMUM_MESSAGES 16

struct replay_server {
    SSL_CTX *context;
    SSL *session;
    BIO *input;
    BIO *output;
    uint8_t *answer;
    uint8_t *messages[MAXIMUM_MESSAGES];
    size_t lengths[MAXIMUM_MESSAGES];
    size_t count;
    uint8_t secret[32];
    int has_secret;
};

static void note_message(int is_sent, int version, int type, const void *bytes, size_t length, SSL *session, void *argument) {
    (void)version;
    (void)session;
    replay_server *server = argument;
    if (!is_sent || type != SSL3_RT_HANDSHAKE || server->count == MAXIMUM_MESSAGES) return;
    uint8_t *copy = malloc(length);
    if (copy == NULL) return;
    memcpy(copy, bytes, length);
    server->messages[server->count] = copy;
    server->lengths[server->count++] = length;
}

static void note_secret(const SSL *session, const char *line) {
    const char label[] = "SERVER_HANDSHAKE_TRAFFIC_SECRET ";
    replay_server *server = SSL_get_app_data(session);
    if (server == NULL || strncmp(line, label, sizeof label - 1) != 0) return;
    const char *hex = strrchr(line, ' ') + 1;
    if (strlen(hex) != 64) return;
    for (int i = 0; i < 32; i++) {
        char digits[3] = { hex[2 * i], hex[2 * i + 1], 0 };
        server->secret[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    server->has_secret = 1;
}

replay_server *replay_server_new(int version, const char *chain, const char *key) {
    replay_server *server = calloc(1, sizeof *server);
    if (server == NULL) return NULL;
    int number = version == 13 ? TLS1_3_VERSION : TLS1_2_VERSION;
    server->context = SSL_CTX_new(TLS_server_method());
    if (server->context == NULL || SSL_CTX_set_min_proto_version(server->context, number) != 1
        || SSL_CTX_set_max_proto_version(server->context, number) != 1
        || SSL_CTX_set_ciphersuites(server->context, "TLS_AES_128_GCM_SHA256") != 1
        || SSL_CTX_use_certificate_chain_file(server->context, chain) != 1
        || SSL_CTX_use_PrivateKey_file(server->context, key, SSL_FILETYPE_PEM) != 1) {
        replay_server_free(server);
        return NULL;
    }
    SSL_CTX_set_options(server->context, SSL_OP_NO_TICKET);
    SSL_CTX_set_num_tickets(server->context, 0);
    SSL_CTX_set_keylog_callback(server->context, note_secret);
    server->session = SSL_new(server->context);
    server->input = BIO_new(BIO_s_mem());
    server->output = BIO_new(BIO_s_mem());
    BIO_set_mem_eof_return(server->input, -1);
    SSL_set_bio(server->session, server->input, server->output);
    SSL_set_accept_state(server->session);
    SSL_set_app_data(server->session, server);
    SSL_set_msg_callback(server->session, note_message);
    SSL_set_msg_callback_arg(server->session, server);
    return server;
}

void replay_server_free(replay_server *server) {
    if (server == NULL) return;
    SSL_free(server->session);
    SSL_CTX_free(server->context);
    for (size_t i = 0; i < server->count; i++) free(server->messages[i]);
    free(server->answer);
    free(server);
}

int replay_server_set_groups(replay_server *server, const char *groups) {
    return SSL_set1_groups_list(server->session, groups) == 1;
}

size_t replay_server_answer(replay_server *server, const uint8_t *bytes, size_t count, const uint8_t **output) {
    BIO_write(server->input, bytes, (int)count);
    SSL_do_handshake(server->session);
    size_t length = BIO_ctrl_pending(server->output);
    free(server->answer);
    server->answer = malloc(length + 1);
    if (server->answer == NULL) return 0;
    if (length > 0) BIO_read(server->output, server->answer, (int)length);
    *output = server->answer;
    return length;
}

size_t replay_server_message_count(const replay_server *server) { return server->count; }

size_t replay_server_message(const replay_server *server, size_t index, const uint8_t **bytes) {
    if (index >= server->count) return 0;
    *bytes = server->messages[index];
    return server->lengths[index];
}

int replay_server_secret(const replay_server *server, uint8_t secret[32]) {
    if (server->has_secret) memcpy(secret, server->secret, 32);
    return server->has_secret;
}

/* Records of TLS 1.3. */

/* HKDF-Expand-Label with an empty context (RFC 8446, section 7.1). */
static int expand(const uint8_t secret[32], const char *label, uint8_t *output, size_t count) {
    uint8_t info[64];
    size_t length = strlen(label), used = 0;
    info[used++] = 0;
    info[used++] = (uint8_t)count;
    info[used++] = (uint8_t)(6 + length);
    memcpy(info + used, "tls13 ", 6);
    memcpy(info + used + 6, label, length);
    used += 6 + length;
    info[used++] = 0;
    int mode = EVP_KDF_HKDF_MODE_EXPAND_ONLY;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode),
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, "SHA256", 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, 32),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, info, used),
        OSSL_PARAM_construct_end(),
    };
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
    EVP_KDF_CTX *context = kdf == NULL ? NULL : EVP_KDF_CTX_new(kdf);
    int result = context != NULL && EVP_KDF_derive(context, output, count, parameters) == 1;
    EVP_KDF_CTX_free(context);
    EVP_KDF_free(kdf);
    return result;
}

int replay_seal(const uint8_t secret[32], uint64_t sequence, const uint8_t *content, size_t count, uint8_t *record) {
    uint8_t key[16], nonce[12];
    if (!expand(secret, "key", key, sizeof key) || !expand(secret, "iv", nonce, sizeof nonce)) return 0;
    for (int i = 0; i < 8; i++) nonce[11 - i] ^= (uint8_t)(sequence >> (8 * i));
    size_t length = count + 16;
    uint8_t header[5] = { 23, 3, 3, (uint8_t)(length >> 8), (uint8_t)length };
    memcpy(record, header, sizeof header);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written = 0, last = 0;
    int result = context != NULL && EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, key, nonce) == 1
        && EVP_EncryptUpdate(context, NULL, &written, header, sizeof header) == 1
        && EVP_EncryptUpdate(context, record + 5, &written, content, (int)count) == 1
        && EVP_EncryptFinal_ex(context, record + 5 + written, &last) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, 16, record + 5 + count) == 1;
    EVP_CIPHER_CTX_free(context);
    return result;
}
