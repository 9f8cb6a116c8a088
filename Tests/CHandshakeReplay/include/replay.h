#ifndef PINCTL_TESTS_REPLAY_H
#define PINCTL_TESTS_REPLAY_H

#include <stddef.h>
#include <stdint.h>

/* Functions of OpenSSL that only recorded handshakes need: repeatable random numbers, a server in memory, and the encryption of
 * TLS 1.3 records. */

/* From this call on, OpenSSL returns the same sequence of random numbers to this thread, from its start. */
void replay_begin_random(void);
/* Continues the sequence after replay_end_random. */
void replay_resume_random(void);
/* Restores OpenSSL's true random numbers for this thread. */
void replay_end_random(void);

typedef struct replay_server replay_server;

/* Returns a server of TLS 1.2 (12) or TLS 1.3 (13) with one cipher suite; NULL if the files are not a chain and its key in PEM. */
replay_server *replay_server_new(int version, const char *chain, const char *key);
void replay_server_free(replay_server *server);

/* Sets the groups of the key exchange, such as "P-384:X448", before the first answer. Returns 1, or 0 for an unknown group. */
int replay_server_set_groups(replay_server *server, const char *groups);

/* Passes bytes of the client to the server. Returns the number of bytes that the server answers, which `output` points to until
 * the next call. */
size_t replay_server_answer(replay_server *server, const uint8_t *bytes, size_t count, const uint8_t **output);

/* The handshake messages that the server has sent so far, in plain text: their number, and each of them. */
size_t replay_server_message_count(const replay_server *server);
size_t replay_server_message(const replay_server *server, size_t index, const uint8_t **bytes);

/* The server's handshake traffic secret of TLS 1.3 (RFC 8446, section 7.1): 32 bytes; 0 before the secret exists. */
int replay_server_secret(const replay_server *server, uint8_t secret[32]);

/* Protects a record of TLS 1.3 with TLS_AES_128_GCM_SHA256 (RFC 8446, section 5.2): `content` is the fragment and its content
 * type. Writes 5 + count + 16 bytes. Returns 1, or 0 if OpenSSL fails. */
int replay_seal(const uint8_t secret[32], uint64_t sequence, const uint8_t *content, size_t count, uint8_t *record);

#endif
