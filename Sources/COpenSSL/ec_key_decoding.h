#ifndef PINCTL_COPENSSL_EC_KEY_DECODING_H
#define PINCTL_COPENSSL_EC_KEY_DECODING_H

#include <openssl/asn1.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/opensslconf.h>
#include <openssl/x509.h>

/* The function of OpenSSL 3.0 and 3.1 that decodes an EC public key (eckey_pub_decode in crypto/ec/ec_ameth.c) creates the curve for
 * each key, although EC_KEY_set_group() copies it. The method below copies a stored curve instead. Everything else of a key is
 * decoded and checked by the same functions of OpenSSL. The method is one of the application and not of an engine: OpenSSL would
 * connect each key with the engine, and find no methods for a key on the curve SM2 then. */
#ifndef OPENSSL_NO_DEPRECATED_3_0
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

/* The curve, if its keys are frequent in certificates; otherwise NULL. It is created at the first use and never freed. */
static inline const EC_GROUP *pinctl_stored_curve(int name) {
    static EC_GROUP *curves[3];
    EC_GROUP **place, *curve, *other = NULL;
    switch (name) {
    case NID_X9_62_prime256v1: place = &curves[0]; break;
    case NID_secp384r1: place = &curves[1]; break;
    case NID_secp521r1: place = &curves[2]; break;
    default: return NULL;
    }
    curve = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (curve != NULL) return curve;
    curve = EC_GROUP_new_by_curve_name(name);
    if (curve == NULL) return NULL;
    EC_GROUP_set_asn1_flag(curve, OPENSSL_EC_NAMED_CURVE);
    if (!__atomic_compare_exchange_n(place, &other, curve, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        /* Another thread was first. */
        EC_GROUP_free(curve);
        curve = other;
    }
    return curve;
}

/* A key without its point, from the parameters of its algorithm (RFC 5480, section 2.1.1). */
static inline EC_KEY *pinctl_key_on_curve(const X509_ALGOR *algorithm) {
    int type = 0, is_set = 0;
    const void *value = NULL;
    const EC_GROUP *stored;
    EC_GROUP *created;
    EC_KEY *key;
    X509_ALGOR_get0(NULL, &type, &value, algorithm);
    if (type == V_ASN1_SEQUENCE) {
        const unsigned char *bytes = ASN1_STRING_get0_data(value);
        return d2i_ECParameters(NULL, &bytes, ASN1_STRING_length(value));
    }
    if (type != V_ASN1_OBJECT) return NULL;
    key = EC_KEY_new();
    if (key == NULL) return NULL;
    stored = pinctl_stored_curve(OBJ_obj2nid(value));
    if (stored != NULL) {
        is_set = EC_KEY_set_group(key, stored);
    } else {
        created = EC_GROUP_new_by_curve_name(OBJ_obj2nid(value));
        if (created != NULL) {
            EC_GROUP_set_asn1_flag(created, OPENSSL_EC_NAMED_CURVE);
            is_set = EC_KEY_set_group(key, created);
            EC_GROUP_free(created);
        }
    }
    if (is_set == 1) return key;
    EC_KEY_free(key);
    return NULL;
}

static inline int pinctl_decode_ec_key(EVP_PKEY *result, const X509_PUBKEY *encoded) {
    const unsigned char *point = NULL;
    int length = 0;
    X509_ALGOR *algorithm = NULL;
    EC_KEY *key;
    if (X509_PUBKEY_get0_param(NULL, &point, &length, &algorithm, encoded) != 1) return 0;
    key = pinctl_key_on_curve(algorithm);
    if (key == NULL) return 0;
    /* The functions for the point and for the result check it, and give an SM2 key its type. */
    if (o2i_ECPublicKey(&key, &point, length) != NULL && EVP_PKEY_assign_EC_KEY(result, key) == 1) return 1;
    EC_KEY_free(key);
    return 0;
}

static inline int pinctl_encode_ec_key(X509_PUBKEY *result, const EVP_PKEY *encoded) {
    const EC_KEY *key = EVP_PKEY_get0_EC_KEY(encoded);
    const EC_GROUP *curve = key == NULL ? NULL : EC_KEY_get0_group(key);
    int name = curve != NULL && EC_GROUP_get_asn1_flag(curve) != 0 ? EC_GROUP_get_curve_name(curve) : NID_undef;
    unsigned char *point = NULL;
    int length = curve == NULL ? 0 : i2o_ECPublicKey(key, &point);
    ASN1_STRING *explicit = NULL;
    if (length <= 0) return 0;
    if (name == NID_undef) {
        explicit = ASN1_STRING_type_new(V_ASN1_SEQUENCE);
        if (explicit != NULL) explicit->length = i2d_ECParameters(key, &explicit->data);
        if (explicit == NULL || explicit->length <= 0) goto failed;
        if (X509_PUBKEY_set0_param(result, OBJ_nid2obj(EVP_PKEY_EC), V_ASN1_SEQUENCE, explicit, point, length) == 1) return 1;
    } else if (X509_PUBKEY_set0_param(result, OBJ_nid2obj(EVP_PKEY_EC), V_ASN1_OBJECT, OBJ_nid2obj(name), point, length) == 1) {
        return 1;
    }
failed:
    ASN1_STRING_free(explicit);
    OPENSSL_free(point);
    return 0;
}

/* 1: the keys have the same point, 0: another one, -2: they cannot be compared (EVP_PKEY_eq(3)). */
static inline int pinctl_compare_ec_keys(const EVP_PKEY *first, const EVP_PKEY *second) {
    const EC_KEY *left = EVP_PKEY_get0_EC_KEY(first), *right = EVP_PKEY_get0_EC_KEY(second);
    const EC_GROUP *curve = right == NULL ? NULL : EC_KEY_get0_group(right);
    const EC_POINT *one = left == NULL ? NULL : EC_KEY_get0_public_key(left);
    const EC_POINT *other = right == NULL ? NULL : EC_KEY_get0_public_key(right);
    if (curve == NULL || one == NULL || other == NULL) return -2;
    switch (EC_POINT_cmp(curve, one, other, NULL)) {
    case 0: return 1;
    case 1: return 0;
    default: return -2;
    }
}

static inline int pinctl_print_ec_key(BIO *output, const EVP_PKEY *printed, int indentation, ASN1_PCTX *options) {
    const EC_KEY *key = EVP_PKEY_get0_EC_KEY(printed);
    (void)options;
    return key == NULL ? 0 : EC_KEY_print(output, key, indentation);
}

static inline int pinctl_ec_key_size(const EVP_PKEY *measured) {
    const EC_KEY *key = EVP_PKEY_get0_EC_KEY(measured);
    return key == NULL ? 0 : ECDSA_size(key);
}

static inline int pinctl_ec_key_bits(const EVP_PKEY *measured) {
    const EC_KEY *key = EVP_PKEY_get0_EC_KEY(measured);
    const EC_GROUP *curve = key == NULL ? NULL : EC_KEY_get0_group(key);
    return curve == NULL ? 0 : EC_GROUP_order_bits(curve);
}

/* Replaces OpenSSL's method for EC keys in this process. Call it once, before any thread starts. */
static inline int pinctl_store_curves(void) {
    const EVP_PKEY_ASN1_METHOD *original = EVP_PKEY_asn1_find(NULL, EVP_PKEY_EC);
    EVP_PKEY_ASN1_METHOD *method = original == NULL ? NULL : EVP_PKEY_asn1_new(EVP_PKEY_EC, 0, "EC", "EC keys with stored curves");
    if (method == NULL) return 0;
    EVP_PKEY_asn1_copy(method, original);
    EVP_PKEY_asn1_set_public(method, pinctl_decode_ec_key, pinctl_encode_ec_key, pinctl_compare_ec_keys, pinctl_print_ec_key,
        pinctl_ec_key_size, pinctl_ec_key_bits);
    if (EVP_PKEY_asn1_add0(method) == 1) return 1;
    EVP_PKEY_asn1_free(method);
    return 0;
}

#pragma clang diagnostic pop
#endif

#endif
