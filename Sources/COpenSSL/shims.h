#ifndef PINCTL_COPENSSL_SHIMS_H
#define PINCTL_COPENSSL_SHIMS_H

#include <openssl/conf.h>
#include <openssl/core_names.h>
#include <openssl/cryptoerr_legacy.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ocsp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/sslerr_legacy.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Initialize libcrypto and libssl without their thousands of error texts, which most runs do not need. The first call of each library
 * decides: ERR_clear_error(3), for example, loads the texts of libcrypto. */
static inline void pinctl_OPENSSL_init_without_error_texts(void) {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS, NULL);
}

static inline void pinctl_SSL_init_without_error_texts(void) {
    OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_SSL_STRINGS | OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS, NULL);
}

/* Loads the error texts. These functions are deprecated, because OpenSSL normally loads the texts itself. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static inline void pinctl_ERR_load_texts(void) {
#ifndef OPENSSL_NO_DEPRECATED_3_0
    ERR_load_SSL_strings();
    ERR_load_X509_strings();
    ERR_load_ASN1_strings();
    ERR_load_EVP_strings();
    ERR_load_EC_strings();
    ERR_load_RSA_strings();
    ERR_load_CRYPTO_strings();
    ERR_load_BN_strings();
    ERR_load_DH_strings();
    ERR_load_DSA_strings();
    ERR_load_ERR_strings();
    ERR_load_X509V3_strings();
    ERR_load_PEM_strings();
    ERR_load_PKCS7_strings();
    ERR_load_PKCS12_strings();
    ERR_load_OCSP_strings();
    ERR_load_OBJ_strings();
    ERR_load_BIO_strings();
    ERR_load_BUF_strings();
    ERR_load_RAND_strings();
    ERR_load_CONF_strings();
#endif
}
#pragma clang diagnostic pop

/* The functions below wrap macros, which Swift does not import. */

static inline void pinctl_OPENSSL_free(void *memory) { OPENSSL_free(memory); }

static inline int pinctl_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version) == 1;
}

static inline int pinctl_SSL_CTX_set_max_proto_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_max_proto_version(context, version) == 1;
}

static inline void pinctl_SSL_CTX_set_mode(SSL_CTX *context, long mode) {
    SSL_CTX_set_mode(context, mode);
}

static inline void pinctl_SSL_CTX_disable_session_cache(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

static inline void pinctl_SSL_CTX_set_max_cert_list(SSL_CTX *context, long bytes) {
    SSL_CTX_set_max_cert_list(context, bytes);
}

static inline void pinctl_SSL_CTX_allow_legacy_server(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_LEGACY_SERVER_CONNECT);
}

static inline void pinctl_SSL_CTX_disable_renegotiation(SSL_CTX *context) {
    SSL_CTX_clear_options(context, SSL_OP_LEGACY_SERVER_CONNECT);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
}

static inline int pinctl_SSL_CTX_request_status(SSL_CTX *context) {
    return SSL_CTX_set_tlsext_status_type(context, TLSEXT_STATUSTYPE_ocsp) == 1;
}

/* The response belongs to the session. The result is its length, or -1 without a response. */
static inline long pinctl_SSL_get_status_response(SSL *session, const unsigned char **response) {
    return SSL_get_tlsext_status_ocsp_resp(session, response);
}

static inline int pinctl_SSL_set_server_name(SSL *session, const char *name) {
    return SSL_set_tlsext_host_name(session, name) == 1;
}

/* A certificate verify callback (SSL_CTX_set_cert_verify_callback(3)) that suspends each handshake, so that SSL_do_handshake returns with
 * SSL_ERROR_WANT_RETRY_VERIFY. OpenSSL calls it as soon as it has decoded the server's Certificate message. */
static inline int pinctl_suspend_at_certificate(X509_STORE_CTX *context, void *unused) {
    SSL *session = X509_STORE_CTX_get_ex_data(context, SSL_get_ex_data_X509_STORE_CTX_idx());
    (void)unused;
    return session != NULL && SSL_set_retry_verify(session);
}

static inline void pinctl_SSL_CTX_suspend_at_certificate(SSL_CTX *context) {
    SSL_CTX_set_cert_verify_callback(context, pinctl_suspend_at_certificate, NULL);
}

/* Whether the server proves that it has its key before the client sends a certificate. In TLS 1.3 it always does (RFC 8446, section
 * 4.4.3), before with the signature of an ephemeral key exchange (RFC 5246, section 7.4.3). With a static RSA key exchange only its
 * Finished message proves it (RFC 5246, section 7.4.7.1). */
static inline int pinctl_SSL_proves_key_first(const SSL *session) {
    const SSL_CIPHER *suite = SSL_get_pending_cipher(session);
    int exchange;
    if (SSL_version(session) == TLS1_3_VERSION) return 1;
    if (suite == NULL) suite = SSL_get_current_cipher(session);
    if (suite == NULL || SSL_CIPHER_get_auth_nid(suite) == NID_auth_null) return 0;
    exchange = SSL_CIPHER_get_kx_nid(suite);
    return exchange == NID_kx_ecdhe || exchange == NID_kx_dhe;
}

/* Called before a session uses its certificate. `expected` is a STACK_OF(X509): a server gets none if its own certificate is not in it
 * or if the server has not proved yet that it has the key. */
static inline int pinctl_certificate_callback(SSL *session, void *expected) {
    STACK_OF(X509) *served = SSL_get_peer_cert_chain(session);
    int is_expected = 0;
    for (int index = 0; !is_expected && served != NULL && index < sk_X509_num(expected); index++)
        is_expected = X509_cmp(sk_X509_value(served, 0), sk_X509_value(expected, index)) == 0;
    if (!is_expected || !pinctl_SSL_proves_key_first(session)) SSL_certs_clear(session);
    return 1;
}

/* `expected` must live as long as the session. */
static inline void pinctl_SSL_set_expected_servers(SSL *session, STACK_OF(X509) *expected) {
    SSL_set_cert_cb(session, pinctl_certificate_callback, expected);
}

/* A queue of bytes in memory. Reading from it while it is empty returns "retry", as a non-blocking socket does. */
static inline BIO *pinctl_BIO_new_stream(void) {
    BIO *stream = BIO_new(BIO_s_mem());
    if (stream != NULL) BIO_set_mem_eof_return(stream, -1);
    return stream;
}

/* Maximum length of the prime of a finite-field Diffie-Hellman exchange. The cost of an exchange grows with its cube: 4,096 bits
 * take about 35 ms, and OpenSSL's own maximum of 10,000 bits takes about 900 ms in one call. */
#define PINCTL_MAXIMUM_DH_BITS 4096

typedef int (*pinctl_security_callback_type)(const SSL *, const SSL_CTX *, int, int, int, void *, void *);

/* Limits finite-field Diffie-Hellman, then calls OpenSSL's own security callback, which `original` points to. */
static inline int pinctl_security_callback(
    const SSL *session, const SSL_CTX *context, int operation, int bits, int nid, void *other, void *original) {
    switch (operation) {
    case SSL_SECOP_TMP_DH:
        /* TLS 1.2: `other` is the server's key. OpenSSL calls this before it computes with the prime of the key. */
        if (session != NULL && other != NULL && EVP_PKEY_get_bits((EVP_PKEY *)other) > PINCTL_MAXIMUM_DH_BITS) {
            SSL_set_app_data((SSL *)session, (void *)"");
            return 0;
        }
        break;
    case SSL_SECOP_CURVE_SUPPORTED:
    case SSL_SECOP_CURVE_CHECK:
        /* TLS 1.3: longer groups are neither offered nor accepted. */
        if (nid == NID_ffdhe6144 || nid == NID_ffdhe8192) return 0;
        break;
    }
    return ((pinctl_security_callback_type)original)(session, context, operation, bits, nid, other, NULL);
}

static inline void pinctl_SSL_CTX_limit_dh(SSL_CTX *context) {
    SSL_CTX_set0_security_ex_data(context, (void *)SSL_CTX_get_security_callback(context));
    SSL_CTX_set_security_callback(context, pinctl_security_callback);
}

/* Puts AES-128 first among the cipher suites of TLS 1.3, if the list is OpenSSL's own: hashing with SHA-256 is faster than with the
 * SHA-384 of the AES-256 suite. A list from the system's configuration stays as it is. */
static inline void pinctl_SSL_CTX_prefer_aes128(SSL_CTX *context) {
    static const unsigned long standard[] = {
        TLS1_3_CK_AES_256_GCM_SHA384, TLS1_3_CK_CHACHA20_POLY1305_SHA256, TLS1_3_CK_AES_128_GCM_SHA256
    };
    const STACK_OF(SSL_CIPHER) *suites = SSL_CTX_get_ciphers(context);
    int index;
    for (index = 0; index < 3; index++) {
        const SSL_CIPHER *suite = sk_SSL_CIPHER_value(suites, index);
        if (suite == NULL || SSL_CIPHER_get_id(suite) != standard[index]) return;
    }
    SSL_CTX_set_ciphersuites(
        context, "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_256_GCM_SHA384");
}

/* Replaces the limits that the configuration file of OpenSSL sets for every context (config(5), "system_default") by the defaults of
 * OpenSSL, except for the cipher suites up to TLS 1.2, the groups and the signature algorithms. Returns 1 if it succeeds. */
static inline int pinctl_SSL_CTX_lift_limits(SSL_CTX *context) {
    /* Servers can require the two extensions. */
    SSL_CTX_clear_options(
        context, SSL_OP_NO_SSL_MASK | SSL_OP_NO_EXTENDED_MASTER_SECRET | SSL_OP_NO_ENCRYPT_THEN_MAC);
    /* 2 is the highest level that a Linux distribution uses as its default. */
    if (SSL_CTX_get_security_level(context) > 2) SSL_CTX_set_security_level(context, 2);
    return SSL_CTX_set_min_proto_version(context, 0) == 1 && SSL_CTX_set_max_proto_version(context, 0) == 1
        && SSL_CTX_set_ciphersuites(context, OSSL_default_ciphersuites()) == 1;
}

/* Returns whether pinctl_security_callback refused the server's prime. */
static inline int pinctl_SSL_refused_dh_prime(const SSL *session) { return SSL_get_app_data(session) != NULL; }

static inline int pinctl_SSL_CTX_set_signature_algorithms(SSL_CTX *context, const char *algorithms) {
    return (int)SSL_CTX_set1_sigalgs_list(context, algorithms);
}

static inline int pinctl_SSL_CTX_set_client_signature_algorithms(SSL_CTX *context, const char *algorithms) {
    return (int)SSL_CTX_set1_client_sigalgs_list(context, algorithms);
}

static inline int pinctl_SSL_CTX_set_groups(SSL_CTX *context, const char *groups) {
    return (int)SSL_CTX_set1_groups_list(context, groups);
}

/* The caller keeps ownership of the certificate. */
static inline int pinctl_SSL_CTX_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
    return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

static inline int pinctl_sk_X509_NAME_num(const STACK_OF(X509_NAME) *names) { return sk_X509_NAME_num(names); }

static inline X509_NAME *pinctl_sk_X509_NAME_value(const STACK_OF(X509_NAME) *names, int index) {
    return sk_X509_NAME_value(names, index);
}

static inline const SSL_CIPHER *pinctl_SSL_get_current_cipher(const SSL *session) {
    return SSL_get_current_cipher(session);
}

/* A context for HMAC with a hash function (EVP_MAC-HMAC(7)), without a key; NULL if no provider has it. */
static inline EVP_MAC_CTX *pinctl_HMAC_new(const char *digest) {
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    EVP_MAC_CTX *context = mac == NULL ? NULL : EVP_MAC_CTX_new(mac);
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest, 0), OSSL_PARAM_construct_end()
    };
    EVP_MAC_free(mac);
    if (context != NULL && EVP_MAC_CTX_set_params(context, parameters) != 1) {
        EVP_MAC_CTX_free(context);
        return NULL;
    }
    return context;
}

static inline int pinctl_sk_SSL_CIPHER_num(const STACK_OF(SSL_CIPHER) *suites) { return sk_SSL_CIPHER_num(suites); }

static inline const SSL_CIPHER *pinctl_sk_SSL_CIPHER_value(const STACK_OF(SSL_CIPHER) *suites, int index) {
    return sk_SSL_CIPHER_value(suites, index);
}

static inline STACK_OF(X509) *pinctl_sk_X509_new(void) { return sk_X509_new_null(); }

static inline int pinctl_sk_X509_push_retaining(STACK_OF(X509) *stack, X509 *certificate) {
    if (X509_up_ref(certificate) != 1) return 0;
    if (sk_X509_push(stack, certificate) > 0) return 1;
    X509_free(certificate);
    return 0;
}

static inline int pinctl_sk_X509_num(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }

static inline X509 *pinctl_sk_X509_value(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}

static inline void pinctl_sk_X509_free_all(STACK_OF(X509) *stack) { sk_X509_pop_free(stack, X509_free); }

static inline STACK_OF(X509) *pinctl_X509_chain_up_ref(STACK_OF(X509) *stack) {
    return X509_chain_up_ref(stack);
}

static inline STACK_OF(X509_CRL) *pinctl_sk_X509_CRL_new(void) { return sk_X509_CRL_new_null(); }

static inline int pinctl_sk_X509_CRL_push(STACK_OF(X509_CRL) *stack, X509_CRL *list) {
    return sk_X509_CRL_push(stack, list) > 0;
}

static inline void pinctl_sk_X509_CRL_free_all(STACK_OF(X509_CRL) *stack) {
    sk_X509_CRL_pop_free(stack, X509_CRL_free);
}

static inline GENERAL_NAMES *pinctl_GENERAL_NAMES_new(void) { return sk_GENERAL_NAME_new_null(); }

/* Takes ownership of the name, even if it fails. */
static inline int pinctl_GENERAL_NAMES_push(GENERAL_NAMES *names, GENERAL_NAME *name) {
    if (sk_GENERAL_NAME_push(names, name) > 0) return 1;
    GENERAL_NAME_free(name);
    return 0;
}

static inline GENERAL_NAMES *pinctl_X509_subject_names(X509 *certificate) {
    return X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}

static inline int pinctl_GENERAL_NAMES_num(GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }

/* NULL for a name that is not an IP address. */
static inline const ASN1_OCTET_STRING *pinctl_GENERAL_NAMES_address(GENERAL_NAMES *names, int index) {
    const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
    return name != NULL && name->type == GEN_IPADD ? name->d.iPAddress : NULL;
}

static inline void pinctl_GENERAL_NAMES_free(GENERAL_NAMES *names) { sk_GENERAL_NAME_pop_free(names, GENERAL_NAME_free); }

/* Adds one extension to the request. The caller keeps ownership of the extension. */
static inline int pinctl_X509_REQ_add_extension(X509_REQ *request, X509_EXTENSION *extension) {
    STACK_OF(X509_EXTENSION) *extensions = sk_X509_EXTENSION_new_null();
    int result = extensions != NULL && sk_X509_EXTENSION_push(extensions, extension) > 0
        && X509_REQ_add_extensions(request, extensions) == 1;
    sk_X509_EXTENSION_free(extensions);
    return result;
}

/* Accepts a certificate if the validation time equals its notAfter, because the validity period includes that second (RFC 5280,
 * section 4.1.2.5). X509_verify_cert refuses it, because X509_cmp_time(3) returns one result for "equal" and "earlier". */
static inline int pinctl_accept_last_second(int ok, X509_STORE_CTX *context) {
    X509_VERIFY_PARAM *parameter = X509_STORE_CTX_get0_param(context);
    X509 *certificate = X509_STORE_CTX_get_current_cert(context);
    time_t at;
    if (ok || X509_STORE_CTX_get_error(context) != X509_V_ERR_CERT_HAS_EXPIRED) return ok;
    if (parameter == NULL || certificate == NULL) return 0;
    at = (X509_VERIFY_PARAM_get_flags(parameter) & X509_V_FLAG_USE_CHECK_TIME) != 0
        ? X509_VERIFY_PARAM_get_time(parameter) : time(NULL);
    if (ASN1_TIME_cmp_time_t(X509_get0_notAfter(certificate), at) != 0) return 0;
    X509_STORE_CTX_set_error(context, X509_V_OK);
    return 1;
}

/* The code of X509_verify_cert(3) for a certificate that is not valid at a time, or X509_V_OK. A certificate is valid until the end of
 * the second in its notAfter. */
static inline int pinctl_X509_time_error(const X509 *certificate, time_t at) {
    const ASN1_TIME *start = X509_get0_notBefore(certificate), *end = X509_get0_notAfter(certificate);
    int order = X509_cmp_time(start, &at);
    if (order == 0) return X509_V_ERR_ERROR_IN_CERT_NOT_BEFORE_FIELD;
    if (order > 0) return X509_V_ERR_CERT_NOT_YET_VALID;
    order = X509_cmp_time(end, &at);
    if (order == 0) return X509_V_ERR_ERROR_IN_CERT_NOT_AFTER_FIELD;
    return order < 0 && ASN1_TIME_cmp_time_t(end, at) != 0 ? X509_V_ERR_CERT_HAS_EXPIRED : X509_V_OK;
}

static inline void pinctl_X509_STORE_CTX_accept_last_second(X509_STORE_CTX *context) {
    X509_STORE_CTX_set_verify_cb(context, pinctl_accept_last_second);
}

static inline long pinctl_BIO_get_mem_data(BIO *source, char **start) { return BIO_get_mem_data(source, start); }

/* Whether every file in which OpenSSL looks up a name by its hash, in these folders with colons between them, is a regular file of at
 * most 16 MiB. OpenSSL waits for the writer of a FIFO, and for the end of an endless file. It skips a symbolic link to no file. */
static inline int pinctl_has_readable_files(const char *folders, const char *mark, const X509_NAME *name) {
    int is_valid = 0;
    unsigned long hash = X509_NAME_hash_ex(name, NULL, NULL, &is_valid);
    while (is_valid && *folders != 0) {
        size_t length = strcspn(folders, ":");
        struct stat status;
        for (int number = 0; length > 0; number++) {
            char path[PATH_MAX];
            int count = snprintf(
                path, sizeof path, "%.*s/%08lx.%s%d", (int)length, folders, hash, mark, number);
            if (count < 0 || (size_t)count >= sizeof path || lstat(path, &status) != 0) break;
            if (stat(path, &status) != 0) continue;
            if (!S_ISREG(status.st_mode) || status.st_size > 16 << 20) return 0;
        }
        folders += length + (folders[length] == ':');
    }
    return is_valid;
}

/* Adds the certificates of a file that their trust settings reject for servers. */
static inline void pinctl_add_rejected_of_file(X509_STORE *store, const char *path) {
    BIO *file = BIO_new_file(path, "rb");
    X509 *certificate;
    /* As in X509_load_cert_file(3), all labels of certificates can have settings. */
    while (file != NULL && (certificate = PEM_read_bio_X509_AUX(file, NULL, NULL, (void *)"")) != NULL) {
        if (X509_check_trust(certificate, X509_TRUST_SSL_SERVER, 0) == X509_TRUST_REJECTED)
            X509_STORE_add_cert(store, certificate);
        X509_free(certificate);
    }
    BIO_free(file);
}

/* Adds the rejected copies in all folders. A store keeps the first copy of a certificate, so this must precede the other copies: then one
 * rejected copy is enough. X509_LOOKUP_hash_dir(3) would read only the first folder that has a certificate with this subject, which can be
 * another certificate. */
static inline void pinctl_add_rejected_in_folders(X509_STORE *store, const char *folders, const X509_NAME *name) {
    int is_valid = 0;
    unsigned long hash = X509_NAME_hash_ex(name, NULL, NULL, &is_valid);
    ERR_set_mark();
    while (is_valid && *folders != 0) {
        size_t length = strcspn(folders, ":");
        struct stat status;
        for (int number = 0; length > 0; number++) {
            char path[PATH_MAX];
            int count = snprintf(path, sizeof path, "%.*s/%08lx.%d", (int)length, folders, hash, number);
            if (count < 0 || (size_t)count >= sizeof path || lstat(path, &status) != 0) break;
            pinctl_add_rejected_of_file(store, path);
        }
        folders += length + (folders[length] == ':');
    }
    ERR_pop_to_mark();
}

/* Finds a certificate or a revocation list as X509_LOOKUP_hash_dir(3) does, but reads only regular files, and rejected certificates
 * first. */
static inline int pinctl_look_up_in_folder(
    X509_LOOKUP *lookup, X509_LOOKUP_TYPE type, const X509_NAME *name, X509_OBJECT *found) {
    const char *folders = X509_STORE_get_ex_data(X509_LOOKUP_get_store(lookup), 0);
    if (folders == NULL || !pinctl_has_readable_files(folders, type == X509_LU_CRL ? "r" : "", name)) return 0;
    if (type == X509_LU_X509) pinctl_add_rejected_in_folders(X509_LOOKUP_get_store(lookup), folders, name);
    return X509_LOOKUP_meth_get_get_by_subject(X509_LOOKUP_hash_dir())(lookup, type, name, found);
}

/* X509_LOOKUP_hash_dir(3) with pinctl_look_up_in_folder; NULL if there is no memory. Call it on one thread at a time. */
static inline X509_LOOKUP_METHOD *pinctl_X509_LOOKUP_folder(void) {
    static X509_LOOKUP_METHOD *method = NULL;
    X509_LOOKUP_METHOD *original = X509_LOOKUP_hash_dir();
    if (method != NULL) return method;
    X509_LOOKUP_METHOD *new_method = X509_LOOKUP_meth_new("regular files in a folder");
    if (new_method == NULL) return NULL;
    X509_LOOKUP_meth_set_new_item(new_method, X509_LOOKUP_meth_get_new_item(original));
    X509_LOOKUP_meth_set_free(new_method, X509_LOOKUP_meth_get_free(original));
    X509_LOOKUP_meth_set_ctrl(new_method, X509_LOOKUP_meth_get_ctrl(original));
    X509_LOOKUP_meth_set_get_by_subject(new_method, pinctl_look_up_in_folder);
    return method = new_method;
}

/* Remembers the folders of pinctl_look_up_in_folder. The store owns the memory until pinctl_X509_STORE_free. Returns 1 if it succeeds. */
static inline int pinctl_X509_STORE_set_folders(X509_STORE *store, const char *folders) {
    char *old = X509_STORE_get_ex_data(store, 0);
    size_t size = (old == NULL ? 0 : strlen(old) + 1) + strlen(folders) + 1;
    char *all = OPENSSL_malloc(size);
    if (all == NULL) return 0;
    snprintf(all, size, "%s%s%s", old == NULL ? "" : old, old == NULL ? "" : ":", folders);
    if (X509_STORE_set_ex_data(store, 0, all) != 1) {
        OPENSSL_free(all);
        return 0;
    }
    OPENSSL_free(old);
    return 1;
}

static inline void pinctl_X509_STORE_free(X509_STORE *store) {
    char *folders = X509_STORE_get_ex_data(store, 0);
    X509_STORE_free(store);
    OPENSSL_free(folders);
}

static inline int pinctl_X509_LOOKUP_add_dir(X509_LOOKUP *lookup, const char *path) {
    return X509_LOOKUP_add_dir(lookup, path, X509_FILETYPE_PEM);
}

static inline int pinctl_ERR_GET_LIB(unsigned long code) { return ERR_GET_LIB(code); }

static inline int pinctl_ERR_GET_REASON(unsigned long code) { return ERR_GET_REASON(code); }

static inline int pinctl_ERR_SYSTEM_ERROR(unsigned long code) { return ERR_SYSTEM_ERROR(code); }

#endif
