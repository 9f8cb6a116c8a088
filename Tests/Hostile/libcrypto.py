"""The cryptography that a TLS server needs, from OpenSSL's libcrypto."""
import ctypes
import subprocess
import sys


def load():
    if sys.platform != "darwin":
        return ctypes.CDLL("libcrypto.so.3")
    prefix = subprocess.run(["brew", "--prefix", "openssl@3"], check=True, capture_output=True, text=True)
    return ctypes.CDLL(f"{prefix.stdout.strip()}/lib/libcrypto.dylib")


library = load()
X25519 = 1034
GET_TAG = 16
SET_TAG = 17


def function(name, result, *arguments):
    found = getattr(library, name)
    found.restype = result
    found.argtypes = arguments
    return found


pointer, integer, size, text = ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t, ctypes.c_char_p
BIO_new_mem_buf = function("BIO_new_mem_buf", pointer, text, integer)
BIO_free = function("BIO_free", integer, pointer)
PEM_read_bio_PrivateKey = function("PEM_read_bio_PrivateKey", pointer, pointer, pointer, pointer, pointer)
EVP_PKEY_Q_keygen = library.EVP_PKEY_Q_keygen
EVP_PKEY_Q_keygen.restype = pointer
EVP_PKEY_get_raw_public_key = function("EVP_PKEY_get_raw_public_key", integer, pointer, text, pointer)
EVP_PKEY_new_raw_public_key = function("EVP_PKEY_new_raw_public_key", pointer, integer, pointer, text, size)
EVP_PKEY_CTX_new = function("EVP_PKEY_CTX_new", pointer, pointer, pointer)
EVP_PKEY_CTX_free = function("EVP_PKEY_CTX_free", None, pointer)
EVP_PKEY_CTX_ctrl_str = function("EVP_PKEY_CTX_ctrl_str", integer, pointer, text, text)
EVP_PKEY_derive_init = function("EVP_PKEY_derive_init", integer, pointer)
EVP_PKEY_derive_set_peer = function("EVP_PKEY_derive_set_peer", integer, pointer, pointer)
EVP_PKEY_derive = function("EVP_PKEY_derive", integer, pointer, text, pointer)
EVP_PKEY_decrypt_init = function("EVP_PKEY_decrypt_init", integer, pointer)
EVP_PKEY_decrypt = function("EVP_PKEY_decrypt", integer, pointer, text, pointer, text, size)
EVP_PKEY_free = function("EVP_PKEY_free", None, pointer)
i2d_PUBKEY = function("i2d_PUBKEY", integer, pointer, pointer)
EVP_MD_CTX_new = function("EVP_MD_CTX_new", pointer)
EVP_MD_CTX_free = function("EVP_MD_CTX_free", None, pointer)
EVP_DigestSignInit = function("EVP_DigestSignInit", integer, pointer, pointer, pointer, pointer, pointer)
EVP_DigestSign = function("EVP_DigestSign", integer, pointer, text, pointer, text, size)
EVP_get_digestbyname = function("EVP_get_digestbyname", pointer, text)
EVP_aes_128_gcm = function("EVP_aes_128_gcm", pointer)
EVP_CIPHER_CTX_new = function("EVP_CIPHER_CTX_new", pointer)
EVP_CIPHER_CTX_free = function("EVP_CIPHER_CTX_free", None, pointer)
EVP_CIPHER_CTX_ctrl = function("EVP_CIPHER_CTX_ctrl", integer, pointer, integer, integer, pointer)
EVP_CipherInit_ex = function("EVP_CipherInit_ex", integer, pointer, pointer, pointer, text, text, integer)
EVP_CipherUpdate = function("EVP_CipherUpdate", integer, pointer, pointer, pointer, text, integer)
EVP_CipherFinal_ex = function("EVP_CipherFinal_ex", integer, pointer, pointer, pointer)


class Refused(Exception):
    """A call to libcrypto failed, probably because of invalid bytes from the client."""


def require(condition):
    if not condition:
        raise Refused


class PrivateKey:
    """A private key; `kind` is "EC", "RSA" or "X25519"."""

    def __init__(self, handle, kind):
        require(handle)
        self.handle = handle
        self.kind = kind

    @classmethod
    def read(cls, path, kind):
        with open(path, "rb") as file:
            contents = file.read()
        memory = BIO_new_mem_buf(contents, len(contents))
        key = PEM_read_bio_PrivateKey(memory, None, None, None)
        BIO_free(memory)
        return cls(key, kind)

    @classmethod
    def elliptic(cls, curve="P-256"):
        return cls(EVP_PKEY_Q_keygen(None, None, b"EC", curve.encode()), "EC")

    @classmethod
    def rsa(cls, bits):
        return cls(EVP_PKEY_Q_keygen(None, None, b"RSA", ctypes.c_size_t(bits)), "RSA")

    @classmethod
    def x25519(cls):
        return cls(EVP_PKEY_Q_keygen(None, None, b"X25519"), "X25519")

    def __del__(self):
        EVP_PKEY_free(self.handle)

    @property
    def spki(self):
        buffer = ctypes.create_string_buffer(65536)
        position = ctypes.c_void_p(ctypes.addressof(buffer))
        length = i2d_PUBKEY(self.handle, ctypes.byref(position))
        require(length > 0)
        return buffer.raw[:length]

    @property
    def share(self):
        """Returns the public X25519 key."""
        buffer, length = ctypes.create_string_buffer(32), ctypes.c_size_t(32)
        require(EVP_PKEY_get_raw_public_key(self.handle, buffer, ctypes.byref(length)) == 1)
        return buffer.raw

    def secret_with(self, share):
        """Returns the shared X25519 secret."""
        peer = EVP_PKEY_new_raw_public_key(X25519, None, share, len(share))
        context = EVP_PKEY_CTX_new(self.handle, None)
        try:
            buffer, length = ctypes.create_string_buffer(32), ctypes.c_size_t(32)
            require(peer and EVP_PKEY_derive_init(context) == 1)
            require(EVP_PKEY_derive_set_peer(context, peer) == 1)
            require(EVP_PKEY_derive(context, buffer, ctypes.byref(length)) == 1)
            return buffer.raw
        finally:
            EVP_PKEY_CTX_free(context)
            EVP_PKEY_free(peer)

    def decrypt(self, bytes_):
        """Decrypts with RSAES-PKCS1-v1_5."""
        context = EVP_PKEY_CTX_new(self.handle, None)
        try:
            buffer, length = ctypes.create_string_buffer(8192), ctypes.c_size_t(8192)
            require(EVP_PKEY_decrypt_init(context) == 1)
            require(EVP_PKEY_decrypt(context, buffer, ctypes.byref(length), bytes_, len(bytes_)) == 1)
            return buffer.raw[: length.value]
        finally:
            EVP_PKEY_CTX_free(context)

    def sign(self, bytes_, digest="sha256", pss=False):
        context = EVP_MD_CTX_new()
        try:
            key_context = ctypes.c_void_p()
            digest = EVP_get_digestbyname(digest.encode())
            require(EVP_DigestSignInit(context, ctypes.byref(key_context), digest, None, self.handle) == 1)
            if pss:
                require(EVP_PKEY_CTX_ctrl_str(key_context, b"rsa_padding_mode", b"pss") == 1)
                require(EVP_PKEY_CTX_ctrl_str(key_context, b"rsa_pss_saltlen", b"digest") == 1)
            buffer, length = ctypes.create_string_buffer(8192), ctypes.c_size_t(8192)
            require(EVP_DigestSign(context, buffer, ctypes.byref(length), bytes_, len(bytes_)) == 1)
            return buffer.raw[: length.value]
        finally:
            EVP_MD_CTX_free(context)


def aes_gcm(key, nonce, associated, bytes_, encrypts):
    """AES-128-GCM. The encrypted text ends with the tag of 16 bytes. A wrong tag raises Refused."""
    context = EVP_CIPHER_CTX_new()
    try:
        tag = None if encrypts else bytes_[-16:]
        bytes_ = bytes_ if encrypts else bytes_[:-16]
        output, length = ctypes.create_string_buffer(len(bytes_) + 16), ctypes.c_int()
        require(EVP_CipherInit_ex(context, EVP_aes_128_gcm(), None, key, nonce, int(encrypts)) == 1)
        require(EVP_CipherUpdate(context, None, ctypes.byref(length), associated, len(associated)) == 1)
        require(EVP_CipherUpdate(context, output, ctypes.byref(length), bytes_, len(bytes_)) == 1)
        if not encrypts:
            require(EVP_CIPHER_CTX_ctrl(context, SET_TAG, 16, tag) == 1)
        rest = ctypes.create_string_buffer(16)
        require(EVP_CipherFinal_ex(context, rest, ctypes.byref(length)) == 1)
        if not encrypts:
            return output.raw[: len(bytes_)]
        tag = ctypes.create_string_buffer(16)
        require(EVP_CIPHER_CTX_ctrl(context, GET_TAG, 16, tag) == 1)
        return output.raw[: len(bytes_)] + tag.raw
    finally:
        EVP_CIPHER_CTX_free(context)
