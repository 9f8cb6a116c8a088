/* The reference for `hash`: reads the names of DER files from standard input, parses each file with OpenSSL, and hashes its
 * SubjectPublicKeyInfo. */
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    static unsigned char contents[1 << 20];
    char path[4096];
    long bad = 0;
    while (fgets(path, sizeof path, stdin)) {
        path[strcspn(path, "\n")] = 0;
        FILE *file = fopen(path, "rb");
        if (!file) {
            bad++;
            continue;
        }
        size_t size = fread(contents, 1, sizeof contents, file);
        fclose(file);
        const unsigned char *next = contents;
        X509 *certificate = d2i_X509(NULL, &next, size);
        if (!certificate) {
            bad++;
            continue;
        }
        unsigned char *der = NULL, digest[32];
        char text[64];
        int count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der);
        SHA256(der, count, digest);
        OPENSSL_free(der);
        X509_free(certificate);
        EVP_EncodeBlock((unsigned char *)text, digest, 32);
        printf("%s  %s\n", text, path);
    }
    return bad != 0;
}
