"""A TLS server for one handshake. A behaviour can change the steps, a message, or the way in which it is sent."""
import os

from connection import (
    ALERT, APPLICATION_DATA, CHANGE_CIPHER_SPEC, HANDSHAKE, Cipher, Ended, hmac_sha256, message, prefixed, record, sha256,
)
from libcrypto import PrivateKey

HELLO_REQUEST, CLIENT_HELLO, SERVER_HELLO, NEW_SESSION_TICKET, ENCRYPTED_EXTENSIONS = 0, 1, 2, 4, 8
CERTIFICATE, SERVER_KEY_EXCHANGE, CERTIFICATE_REQUEST, SERVER_HELLO_DONE, CERTIFICATE_VERIFY = 11, 12, 13, 14, 15
CLIENT_KEY_EXCHANGE, FINISHED, CERTIFICATE_STATUS, KEY_UPDATE, COMPRESSED_CERTIFICATE = 16, 20, 22, 24, 25
X25519_GROUP = 0x001D
# The random of a HelloRetryRequest (RFC 8446, section 4.1.3).
RETRY = bytes.fromhex("CF21AD74E59A6111BE1D8C021E65B891C2A211167ABB8C5E079E09E2C8A8339C")
LONGEST_FRAGMENT = 16384


def two(number):
    return number.to_bytes(2, "big")


def extension(kind, body):
    return two(kind) + prefixed(body, 2)


class ClientHello:
    def __init__(self, payload):
        self.bytes = payload
        self.random = payload[6:38]
        at = 38
        self.session_id = payload[at + 1 : at + 1 + payload[at]]
        at += 1 + payload[at]
        at += 2 + int.from_bytes(payload[at : at + 2], "big")
        at += 1 + payload[at]
        end = at + 2 + int.from_bytes(payload[at : at + 2], "big")
        at += 2
        self.extensions = {}
        while at + 4 <= end:
            kind, length = int.from_bytes(payload[at : at + 2], "big"), int.from_bytes(payload[at + 2 : at + 4], "big")
            self.extensions[kind] = payload[at + 4 : at + 4 + length]
            at += 4 + length

    @property
    def share(self):
        """Returns the client's public X25519 key."""
        shares, at = self.extensions.get(51, b""), 2
        while at + 4 <= len(shares):
            length = int.from_bytes(shares[at + 2 : at + 4], "big")
            if int.from_bytes(shares[at : at + 2], "big") == X25519_GROUP:
                return shares[at + 4 : at + 4 + length]
            at += 4 + length
        raise Ended


class Server:
    """The steps that both versions share. A behaviour changes an attribute or an entry of `instead`."""

    version = 0x0303
    random = None
    session_id = None
    compression = 0
    cipher_suite = None
    extra_extensions = b""
    # The replacement of a message, without its header.
    certificate_body = None
    signature = None
    signature_algorithm = None
    verify_data = None
    # Functions that replace `put`, by the name of the step. The arguments are the server and the message.
    instead = {}
    # Called after the last step, with the server.
    after = staticmethod(lambda server: server.connection.wait_for_end())
    # Number of bytes in each record of a handshake message.
    fragment = LONGEST_FRAGMENT

    def __init__(self, connection, identity, **changes):
        self.connection = connection
        self.chain = identity.chain
        self.key = identity.key
        self.cipher = None
        self.transcript = b""
        self.random = os.urandom(32)
        for name, value in changes.items():
            if not hasattr(self, name):
                raise AttributeError(name)
            setattr(self, name, value)

    def run(self):
        self.hello = ClientHello(self.connection.read_message())
        self.transcript = self.hello.bytes
        for step in self.steps:
            getattr(self, step.replace("-", "_"))()
        self.after(self)

    def put(self, bytes_):
        """Sends a handshake message correctly."""
        self.transcript += bytes_
        self.transmit(HANDSHAKE, bytes_)

    def give(self, step, bytes_):
        self.instead.get(step, Server.put)(self, bytes_)

    def transmit(self, kind, payload, fragment=None, version=0x0303):
        """Sends a payload in records, encrypted if there are keys. An empty payload is one record."""
        fragment = fragment or self.fragment
        parts = [payload[at : at + fragment] for at in range(0, len(payload), fragment)] or [b""]
        for part in parts:
            self.connection.send(self.cipher.encrypt(kind, part) if self.cipher else record(kind, part, version))

    def flood(self, kind, payload):
        """Sends one record repeatedly until the client ends the connection."""
        if not self.cipher:
            self.connection.flood(record(kind, payload))
        while True:
            self.connection.send(b"".join(self.cipher.encrypt(kind, payload) for _ in range(64)))

    def hello_message(self, extensions):
        session_id = self.hello.session_id if self.session_id is None else self.session_id
        body = two(self.version) + self.random + prefixed(session_id, 1) + two(self.cipher_suite)
        return message(SERVER_HELLO, body + bytes([self.compression]) + prefixed(extensions + self.extra_extensions, 2))


class TLS13(Server):
    cipher_suite = 0x1301
    selected_version = 0x0304
    selected_group = X25519_GROUP
    share = None
    encrypted_extensions_body = b"\0\0"
    request_context = b""
    cookie = b"cookie"
    retry_extensions = None
    steps = ("server-hello", "change-cipher-spec", "encrypted-extensions", "certificate", "certificate-verify", "finished")

    def __init__(self, connection, identity, **changes):
        super().__init__(connection, identity, **changes)
        self.handshake_secret = None
        self.ephemeral = PrivateKey.x25519()

    def hello_retry_request(self):
        extensions = extension(43, two(self.selected_version)) + extension(44, prefixed(self.cookie, 2))
        if self.retry_extensions is not None:
            extensions = self.retry_extensions
        random, self.random = self.random, RETRY
        retry = self.hello_message(extensions)
        self.random = random
        self.transcript = message(254, sha256(self.transcript))
        self.give("hello-retry-request", retry)
        while True:
            kind, payload = self.connection.read_record()
            if kind == HANDSHAKE:
                break
            if kind == ALERT:
                raise Ended
        self.hello = ClientHello(payload)
        self.transcript += payload

    def server_hello(self):
        share = self.ephemeral.share if self.share is None else self.share
        extensions = extension(43, two(self.selected_version))
        extensions += extension(51, two(self.selected_group) + prefixed(share, 2))
        self.give("server-hello", self.hello_message(extensions))
        self.use_handshake_keys()

    def change_cipher_spec(self):
        self.connection.send(record(CHANGE_CIPHER_SPEC, b"\x01"))

    def encrypted_extensions(self):
        self.use_handshake_keys()
        self.give("encrypted-extensions", message(ENCRYPTED_EXTENSIONS, self.encrypted_extensions_body))

    def certificate_request(self):
        body = prefixed(b"", 1) + prefixed(extension(13, prefixed(b"\x04\x03\x08\x04", 2)), 2)
        self.give("certificate-request", message(CERTIFICATE_REQUEST, body))

    def certificate(self):
        self.use_handshake_keys()
        entries = b"".join(prefixed(der, 3) + prefixed(b"", 2) for der in self.chain)
        body = prefixed(self.request_context, 1) + prefixed(entries, 3)
        self.give("certificate", message(CERTIFICATE, body if self.certificate_body is None else self.certificate_body))

    def certificate_verify(self):
        self.use_handshake_keys()
        content = b" " * 64 + b"TLS 1.3, server CertificateVerify\0" + sha256(self.transcript)
        algorithm = self.signature_algorithm
        if algorithm is None:
            algorithm = 0x0403 if self.key.kind == "EC" else 0x0804
        signature = self.key.sign(content, pss=self.key.kind == "RSA") if self.signature is None else self.signature
        self.give("certificate-verify", message(CERTIFICATE_VERIFY, two(algorithm) + prefixed(signature, 2)))

    def finished(self):
        self.use_handshake_keys()
        key = self.expand(self.secret, b"finished", 32)
        right = hmac_sha256(key, sha256(self.transcript))
        self.give("finished", message(FINISHED, right if self.verify_data is None else self.verify_data))
        derived = self.expand(self.handshake_secret, b"derived", 32, sha256(b""))
        main = hmac_sha256(derived, bytes(32))
        self.use(self.expand(main, b"s ap traffic", 32, sha256(self.transcript)))

    def key_update(self, asks=0):
        self.transmit(HANDSHAKE, message(KEY_UPDATE, bytes([asks])))
        self.use(self.expand(self.secret, b"traffic upd", 32))

    def use_handshake_keys(self):
        if self.handshake_secret:
            return
        early = hmac_sha256(bytes(32), bytes(32))
        derived = self.expand(early, b"derived", 32, sha256(b""))
        self.handshake_secret = hmac_sha256(derived, self.ephemeral.secret_with(self.hello.share))
        self.use(self.expand(self.handshake_secret, b"s hs traffic", 32, sha256(self.transcript)))

    def use(self, secret):
        self.secret = secret
        self.cipher = Cipher(self.expand(secret, b"key", 16), self.expand(secret, b"iv", 12), True)

    @staticmethod
    def expand(secret, label, length, context=b""):
        """HKDF-Expand-Label (RFC 8446, section 7.1). For these lengths it needs one block."""
        info = two(length) + prefixed(b"tls13 " + label, 1) + prefixed(context, 1)
        return hmac_sha256(secret, info + b"\x01")[:length]


class TLS12(Server):
    # "ECDHE", "DHE" or "RSA".
    exchange = "ECDHE"
    group = X25519_GROUP
    # The replacement of the key exchange parameters.
    parameters = None
    prime = int("FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD"
                "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
                "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F"
                "83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B"
                "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510"
                "15728E5A8AACAA68FFFFFFFFFFFFFFFF", 16)  # fmt: skip
    generator = 2
    public = None
    ticket = b"ticket"
    steps = (
        "server-hello", "certificate", "server-key-exchange", "server-hello-done", "client-flight", "change-cipher-spec",
        "finished",
    )

    def __init__(self, connection, identity, **changes):
        super().__init__(connection, identity, **changes)
        self.secret = None
        self.ephemeral = PrivateKey.x25519()
        self.exponent = int.from_bytes(os.urandom(32), "big")
        if self.cipher_suite is None:
            suites = {("ECDHE", "EC"): 0xC02B, ("ECDHE", "RSA"): 0xC02F, ("DHE", "RSA"): 0x009E, ("RSA", "RSA"): 0x009C}
            self.cipher_suite = suites[self.exchange, self.key.kind]
        if self.exchange == "RSA":
            self.steps = tuple(step for step in self.steps if step != "server-key-exchange")

    def server_hello(self):
        extensions = extension(0xFF01, b"\0")
        if "new-session-ticket" in self.steps:
            extensions += extension(35, b"")
        self.give("server-hello", self.hello_message(extensions))

    def certificate(self):
        body = prefixed(b"".join(prefixed(der, 3) for der in self.chain), 3)
        self.give("certificate", message(CERTIFICATE, body if self.certificate_body is None else self.certificate_body))

    def server_key_exchange(self):
        if self.parameters is not None:
            parameters = self.parameters
        elif self.exchange == "DHE":
            width = (self.prime.bit_length() + 7) // 8
            public = pow(self.generator, self.exponent, self.prime) if self.public is None else self.public
            numbers = (self.prime, width), (self.generator, 1), (public, width)
            parameters = b"".join(prefixed(number.to_bytes(width, "big"), 2) for number, width in numbers)
        else:
            parameters = b"\x03" + two(self.group) + prefixed(self.ephemeral.share, 1)
        signature = self.signature
        if signature is None:
            signature = self.key.sign(self.hello.random + self.random + parameters)
        algorithm = self.signature_algorithm
        if algorithm is None:
            algorithm = 0x0403 if self.key.kind == "EC" else 0x0401
        body = parameters + two(algorithm) + prefixed(signature, 2)
        self.give("server-key-exchange", message(SERVER_KEY_EXCHANGE, body))

    def certificate_status(self):
        self.give("certificate-status", message(CERTIFICATE_STATUS, b"\x01" + prefixed(b"\x30\x00", 3)))

    def certificate_request(self):
        body = prefixed(b"\x01\x40", 1) + prefixed(b"\x04\x03\x04\x01", 2) + prefixed(b"", 2)
        self.give("certificate-request", message(CERTIFICATE_REQUEST, body))

    def server_hello_done(self):
        self.give("server-hello-done", message(SERVER_HELLO_DONE, b""))

    def client_flight(self):
        while True:
            kind, payload = self.connection.read_record()
            if kind == ALERT:
                raise Ended
            if kind == CHANGE_CIPHER_SPEC:
                break
            self.transcript += payload
            if payload[0] == CLIENT_KEY_EXCHANGE:
                self.agree(payload[4:])
        kind, payload = self.connection.read_record()
        client_key, client_iv = self.keys[0:16], self.keys[32:36]
        self.transcript += Cipher(client_key, client_iv, False).decrypt(kind, payload)[1]

    def agree(self, body):
        if self.exchange == "RSA":
            premaster = self.key.decrypt(body[2:])
        elif self.exchange == "DHE":
            shared = pow(int.from_bytes(body[2:], "big"), self.exponent, self.prime)
            premaster = shared.to_bytes((shared.bit_length() + 7) // 8, "big")
        else:
            premaster = self.ephemeral.secret_with(body[1:])
        self.secret = self.expand(premaster, b"master secret", self.hello.random + self.random, 48)

    @property
    def keys(self):
        """Returns the keys and nonces of client and server (RFC 5246, section 6.3). Without a secret, it uses zeros."""
        return self.expand(self.secret or bytes(48), b"key expansion", self.random + self.hello.random, 40)

    def new_session_ticket(self):
        self.give("new-session-ticket", message(NEW_SESSION_TICKET, bytes(4) + prefixed(self.ticket, 2)))

    def change_cipher_spec(self):
        self.give_change()
        if not self.cipher:
            self.cipher = Cipher(self.keys[16:32], self.keys[36:40], False)

    def give_change(self):
        bytes_ = b"\x01"
        if "change-cipher-spec" in self.instead:
            self.instead["change-cipher-spec"](self, bytes_)
        else:
            self.transmit(CHANGE_CIPHER_SPEC, bytes_)

    def finished(self):
        right = self.expand(self.secret or bytes(48), b"server finished", sha256(self.transcript), 12)
        self.give("finished", message(FINISHED, right if self.verify_data is None else self.verify_data))

    @staticmethod
    def expand(secret, label, seed, length):
        """The pseudorandom function of TLS 1.2 (RFC 5246, section 5)."""
        seed, result = label + seed, b""
        block = seed
        while len(result) < length:
            block = hmac_sha256(secret, block)
            result += hmac_sha256(secret, block + seed)
        return result[:length]
