#ifndef PINCTL_COPENSSL_DIRECT_KEY_DECODING_H
#define PINCTL_COPENSSL_DIRECT_KEY_DECODING_H

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/opensslconf.h>
#include <openssl/provider.h>
#include <string.h>
#include "ec_key_decoding.h"

#if !defined(OPENSSL_NO_ENGINE) && !defined(OPENSSL_NO_DEPRECATED_3_0) && __has_include(<openssl/engine.h>)
#include <openssl/engine.h>
#define PINCTL_HAS_ENGINES 1
#endif

/* OpenSSL 3.0 and 3.1 search all decoders of all providers for each public key of a certificate, which takes about half the time of
 * a handshake. They first ask whether an engine has a method for the key's algorithm. If one does, they decode the key with the
 * function of OpenSSL 1.1 and do not search (x509_pubkey_decode in crypto/x509/x_pubkey.c). This engine has OpenSSL's own methods for
 * EC and RSA. If that function fails, OpenSSL searches as before. OpenSSL 3.2 stores the result of its search. */
#ifdef PINCTL_HAS_ENGINES
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

static inline int pinctl_key_methods(ENGINE *engine, EVP_PKEY_METHOD **method, const int **types, int type) {
    static const int all[] = { EVP_PKEY_EC, EVP_PKEY_RSA };
    (void)engine;
    if (method == NULL) {
        *types = all;
        return sizeof all / sizeof *all;
    }
    *method = (EVP_PKEY_METHOD *)EVP_PKEY_meth_find(type);
    return *method != NULL;
}

static inline int pinctl_count_provider(OSSL_PROVIDER *provider, void *others) {
    if (strcmp(OSSL_PROVIDER_get0_name(provider), "default") != 0) ++*(int *)others;
    return 1;
}

/* Whether the configuration selects nothing but the default provider: no engine, no other provider, no property query that the
 * default provider does not satisfy. */
static inline int pinctl_uses_only_default_provider(void) {
    int others = 0;
    EVP_MD *digest;
    ENGINE *engine;
    OPENSSL_init_crypto(OPENSSL_INIT_LOAD_CONFIG, NULL);
    if (OSSL_PROVIDER_do_all(NULL, pinctl_count_provider, &others) != 1 || others != 0) return 0;
    if (EVP_default_properties_is_fips_enabled(NULL)) return 0;
    digest = EVP_MD_fetch(NULL, "SHA256", NULL);
    if (digest == NULL) return 0;
    EVP_MD_free(digest);
    engine = ENGINE_get_first();
    ENGINE_free(engine);
    return engine == NULL;
}

static inline int pinctl_decode_keys_directly(void) {
    unsigned long version = OpenSSL_version_num();
    ENGINE *engine;
    int is_ready;
    if (version < 0x30000000UL || version >= 0x30200000UL) return 0;
    if (!pinctl_uses_only_default_provider()) return 0;
    engine = ENGINE_new();
    is_ready = engine != NULL && ENGINE_set_id(engine, "pinctl-keys")
        && ENGINE_set_name(engine, "direct decoding of public keys")
        && ENGINE_set_pkey_meths(engine, pinctl_key_methods) && ENGINE_set_default_pkey_meths(engine);
    ENGINE_free(engine);
    /* Without stored curves, OpenSSL creates each curve as before. */
    if (is_ready) (void)pinctl_store_curves();
    return is_ready;
}

#pragma clang diagnostic pop
#else
static inline int pinctl_decode_keys_directly(void) { return 0; }
#endif

#endif
