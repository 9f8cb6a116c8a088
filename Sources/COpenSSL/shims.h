#ifndef PINCTL_COPENSSL_SHIMS_H
#define PINCTL_COPENSSL_SHIMS_H

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#endif
