"""A root, an intermediate and leaves, and certificates that no CA would issue."""
import base64
import hashlib
from dataclasses import dataclass

import der
from der import boolean, integer, octets, oid, sequence, set_, utf8
from libcrypto import PrivateKey

COMMON_NAME = "2.5.4.3"
ECDSA_SHA256 = sequence(oid("1.2.840.10045.4.3.2"))
RSA_SHA256 = sequence(oid("1.2.840.113549.1.1.11"), der.NULL)
FIRST, LAST = "20200101000000Z", "20491231235959Z"
HOSTS = "*.example.test"


@dataclass
class Identity:
    """The chain of a server: the certificates, leaf first, and the leaf's key."""

    chain: list
    key: PrivateKey


def name(*texts, attribute=COMMON_NAME):
    return sequence(*[set_(sequence(oid(attribute), text if isinstance(text, bytes) else utf8(text))) for text in texts])


def moment(text):
    """UTCTime until 2049, as RFC 5280, section 4.1.2.5, requires."""
    if text[:4] < "2050":
        return der.value(0x17, text[2:].encode())
    return der.value(0x18, text.encode())


def extension(kind, contents, critical=False):
    return sequence(oid(kind), boolean(True) if critical else b"", octets(contents))


def names(*dns):
    return extension("2.5.29.17", sequence(*[der.context(2, each.encode(), constructed=False) for each in dns]))


def is_authority(path_length=None):
    return extension("2.5.29.19", sequence(boolean(True), b"" if path_length is None else integer(path_length)), True)


def key_usage(bits, unused):
    return extension("2.5.29.15", der.bits(bytes([bits]), unused), True)


AUTHORITY = [is_authority(), key_usage(0x06, 1)]
LEAF = [names(HOSTS), key_usage(0x80, 7)]


def certificate(
    subject, issuer, by, spki, extensions, *, serial=None, validity=None, version=2, algorithm=None, outer=None,
    signature=None,
):  # fmt: skip
    """Returns a certificate signed by a key. A field given as bytes is written unchanged."""
    if serial is None:
        serial = int.from_bytes(hashlib.sha256(subject + spki).digest()[:8], "big") + 1
    algorithm = algorithm or (ECDSA_SHA256 if by.kind == "EC" else RSA_SHA256)
    fields = sequence(
        b"" if version is None else der.context(0, integer(version)),
        serial if isinstance(serial, bytes) else integer(serial),
        algorithm,
        issuer,
        validity or sequence(moment(FIRST), moment(LAST)),
        subject,
        spki,
        der.context(3, sequence(*extensions)) if extensions else b"",
    )
    return sequence(fields, outer or algorithm, der.bits(by.sign(fields) if signature is None else signature))


def pin(spki):
    return base64.b64encode(hashlib.sha256(spki).digest()).decode()


def pem(certificate):
    text = base64.b64encode(certificate).decode()
    lines = [text[at : at + 64] for at in range(0, len(text), 64)]
    return "\n".join(["-----BEGIN CERTIFICATE-----", *lines, "-----END CERTIFICATE-----", ""])


class Authority:
    def __init__(self):
        self.root_key, self.intermediate_key = PrivateKey.elliptic(), PrivateKey.elliptic()
        self.leaf_key, self.rsa_key = PrivateKey.elliptic(), PrivateKey.rsa(2048)
        self.root_name, self.intermediate_name = name("Hostile Test Root"), name("Hostile Test Intermediate")
        self.root = certificate(self.root_name, self.root_name, self.root_key, self.root_key.spki, AUTHORITY)
        self.intermediate = certificate(
            self.intermediate_name, self.root_name, self.root_key, self.intermediate_key.spki, AUTHORITY
        )
        self.good = self.identity()
        self.rsa = Identity([self.leaf(spki=self.rsa_key.spki), self.intermediate], self.rsa_key)

    @property
    def pins(self):
        keys = {"leaf": self.leaf_key, "rsa": self.rsa_key, "intermediate": self.intermediate_key, "root": self.root_key}
        return {role: pin(key.spki) for role, key in keys.items()}

    def leaf(self, **changes):
        fields = {"subject": name("Hostile Test Leaf"), "spki": self.leaf_key.spki, "extensions": LEAF} | changes
        subject, spki, extensions = fields.pop("subject"), fields.pop("spki"), fields.pop("extensions")
        return certificate(subject, self.intermediate_name, self.intermediate_key, spki, extensions, **fields)

    def identity(self, **changes):
        """Returns the chain of a leaf with these fields changed."""
        return Identity([self.leaf(**changes), self.intermediate], self.leaf_key)

    def line(self, count, leaf_name="Hostile Test Leaf"):
        """Returns the chain of a leaf with `count` intermediates."""
        issuer, key, chain = self.root_name, self.root_key, []
        for number in range(count):
            subject, own = name(f"Hostile Test Intermediate {number}"), PrivateKey.elliptic()
            chain.insert(0, certificate(subject, issuer, key, own.spki, AUTHORITY))
            issuer, key = subject, own
        leaf = certificate(name(leaf_name), issuer, key, self.leaf_key.spki, LEAF)
        return Identity([leaf, *chain], self.leaf_key)
