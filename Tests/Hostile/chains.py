"""Certificate chains that are long, wide, cyclic, malformed, empty, huge, in the wrong order, or have absurd fields."""
import der
from authority import (
    AUTHORITY, COMMON_NAME, ECDSA_SHA256, FIRST, HOSTS, LAST, LEAF, RSA_SHA256, Identity, certificate, extension,
    is_authority, key_usage, moment, name, names,
)  # fmt: skip
from behaviours import REFUSED, TRUSTED, UNDECIDED, UNTRUSTED
from connection import generator, prefixed
from der import boolean, integer, octets, oid, sequence, set_, utf8
from handshake import TLS12, TLS13, extension as tls_extension
from libcrypto import PrivateKey

EITHER = (TRUSTED, UNTRUSTED)
SHOWN_OR_REFUSED = (TRUSTED, UNTRUSTED, REFUSED)


def add_to(behaviours, authority):
    def add(name_, outcomes, chain, key=None):
        """Sends these certificates in TLS 1.3, and also in TLS 1.2 if nothing else is wrong."""
        identity = Identity(chain, key or authority.leaf_key)
        behaviours.add(name_, outcomes, lambda connection: TLS13(connection, identity).run())

    add_shapes(add, authority)
    add_sizes(add, authority)
    add_lists(behaviours, authority)
    add_fields(add, authority)
    add_names(add, authority)
    add_extensions(add, authority)
    add_keys(add, authority)
    add_costs(add, authority)


def add_shapes(add, authority):
    good, key = authority.good.chain, authority.leaf_key
    leaf, intermediate, root = good[0], good[1], authority.root
    for count, outcomes in ((10, TRUSTED), (90, UNTRUSTED), (200, UNTRUSTED), (600, UNTRUSTED), (1500, REFUSED)):
        identity = authority.line(count)
        add(f"chain-of-{count}-intermediates", outcomes, identity.chain)
    wide = authority.line(90, "S" * 200000)
    add("chain-of-90-intermediates-and-a-wide-subject", UNTRUSTED, wide.chain)
    add("chain-without-intermediate", UNTRUSTED, [leaf])
    add("chain-with-root-before-intermediate", TRUSTED, [leaf, root, intermediate])
    add("chain-in-reverse", REFUSED, [root, intermediate, leaf])
    add("chain-leaf-twice", TRUSTED, [leaf, leaf, intermediate])
    add("chain-leaf-500-times", TRUSTED, [leaf] * 500 + [intermediate])
    add("chain-intermediate-500-times", TRUSTED, [leaf] + [intermediate] * 500)
    wide = [
        certificate(authority.intermediate_name, authority.root_name, authority.root_key, PrivateKey.elliptic().spki, AUTHORITY)
        for _ in range(300)
    ]
    add("chain-wide-of-300-keys-with-one-name", UNTRUSTED, [leaf, *wide])
    add("chain-wide-of-300-keys-and-the-right-one-last", EITHER, [leaf, *wide, intermediate])
    again = [
        certificate(
            authority.intermediate_name, authority.root_name, authority.root_key, authority.intermediate_key.spki, AUTHORITY,
            serial=number,
        )
        for number in range(300)
    ]  # fmt: skip
    add("chain-wide-of-300-certificates-of-one-key", TRUSTED, [leaf, *again])
    first, second = PrivateKey.elliptic(), PrivateKey.elliptic()
    cycle = [
        certificate(name("Hostile A"), name("Hostile B"), second, first.spki, AUTHORITY),
        certificate(name("Hostile B"), name("Hostile A"), first, second.spki, AUTHORITY),
    ]
    under_cycle = certificate(name("Hostile Test Leaf"), name("Hostile A"), first, key.spki, LEAF)
    add("chain-cyclic", UNTRUSTED, [under_cycle, *cycle])
    add("chain-cyclic-100-times", UNTRUSTED, [under_cycle, *cycle * 100])
    own = certificate(name("Hostile Own"), name("Hostile Own"), key, key.spki, [*LEAF, is_authority()])
    add("chain-self-signed", UNTRUSTED, [own])
    add("chain-self-signed-300-times", UNTRUSTED, [own] * 300)
    mesh = [
        certificate(name(f"Hostile {a}"), name(f"Hostile {b}"), first, first.spki, AUTHORITY)
        for a in range(12) for b in range(12) if a != b
    ]  # fmt: skip
    under_mesh = certificate(name("Hostile Test Leaf"), name("Hostile 0"), first, key.spki, LEAF)
    add("chain-mesh-of-144-cross-signatures", UNTRUSTED, [under_mesh, *mesh])
    by_leaf = certificate(name("Hostile Below"), name("Hostile Test Leaf"), key, first.spki, LEAF)
    wide_name = name("W" * 70000)
    below_wide = certificate(name("Hostile Test Leaf"), wide_name, first, key.spki, LEAF)
    wide_issuer = certificate(wide_name, name("V" * 70000), first, first.spki, AUTHORITY)
    add("chain-of-unknown-issuers-with-wide-names", UNTRUSTED, [below_wide, wide_issuer])
    add("chain-with-400-extra-certificates-of-long-names", TRUSTED, [*good, *[
        certificate(name(f"{number} " + "E" * 300), name("E"), first, first.spki, []) for number in range(400)
    ]])
    add("chain-issued-by-leaf", UNTRUSTED, [by_leaf, leaf, intermediate], first)
    named_as_root = certificate(authority.root_name, authority.root_name, first, first.spki, AUTHORITY)
    under_false_root = certificate(name("Hostile Test Leaf"), authority.root_name, first, key.spki, LEAF)
    add("chain-with-a-false-root-of-the-right-name", UNTRUSTED, [under_false_root, named_as_root])


def add_sizes(add, authority):
    good = authority.good.chain
    for kilobytes, outcomes in ((150, TRUSTED), (240, TRUSTED), (900, REFUSED), (5000, REFUSED)):
        filler = extension("1.3.6.1.4.1.99999.1", octets(bytes(30000)))
        extra = [
            certificate(name(f"Filler {number}"), authority.root_name, authority.root_key, authority.leaf_key.spki, [filler])
            for number in range(kilobytes // 30)
        ]
        add(f"chain-of-{kilobytes}-kilobytes", outcomes, [*good, *extra])
    small = certificate(name("S"), name("S"), authority.leaf_key, authority.leaf_key.spki, [])
    add("chain-of-800-certificates", TRUSTED, [*good, *[small] * 800])
    add("chain-of-3000-certificates", REFUSED, [*good, *[small] * 3000])
    tiny = certificate(sequence(), sequence(), authority.leaf_key, authority.leaf_key.spki, [], signature=b"", serial=1)
    add("chain-of-250-kilobytes-of-tiny-certificates", TRUSTED, [*good, *[tiny] * (250000 // (len(tiny) + 5))])
    add("chain-of-1-megabyte-of-tiny-certificates", REFUSED, [*good, *[tiny] * (1000000 // (len(tiny) + 5))])
    for kilobytes, outcomes in ((240, TRUSTED), (900, REFUSED)):
        large = extension("1.3.6.1.4.1.99999.1", octets(bytes(kilobytes * 1000)))
        add(f"leaf-of-{kilobytes}-kilobytes", outcomes, authority.identity(extensions=[*LEAF, large]).chain)


def add_lists(behaviours, authority):
    def add(name_, outcomes, certificates):
        """Returns message bodies for both versions. The entries need not be certificates."""
        list12 = prefixed(b"".join(prefixed(each, 3) for each in certificates), 3)
        list13 = prefixed(b"", 1) + prefixed(b"".join(prefixed(each, 3) + b"\0\0" for each in certificates), 3)
        add_bodies(name_, outcomes, list12, list13)

    def add_bodies(name_, outcomes, list12, list13):
        behaviours.add(
            f"tls12-certificate-{name_}", outcomes, lambda c: TLS12(c, authority.good, certificate_body=list12).run()
        )
        behaviours.add(
            f"tls13-certificate-{name_}", outcomes, lambda c: TLS13(c, authority.good, certificate_body=list13).run()
        )

    leaf, intermediate = authority.good.chain
    add("list-empty", REFUSED, [])
    add("of-no-bytes", REFUSED, [b""])
    add("of-no-bytes-after-leaf", REFUSED, [leaf, b"", intermediate])
    add("cut-off", REFUSED, [leaf[:-1], intermediate])
    add("cut-off-after-leaf", REFUSED, [leaf, intermediate[:-1]])
    add("with-a-byte-more", REFUSED, [leaf + b"\0", intermediate])
    add("of-noise", REFUSED, [generator.randbytes(1000), intermediate])
    add("of-noise-after-leaf", REFUSED, [leaf, generator.randbytes(1000)])
    add("of-zeros", REFUSED, [bytes(1000)])
    add("of-nested-sequences", REFUSED, [nested(2000), intermediate])
    add("of-nested-sequences-of-indefinite-length", REFUSED, [b"\x30\x80" * 20000, intermediate])
    add("in-pem", REFUSED, [b"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"])
    add("of-a-length-beyond-its-end", REFUSED, [b"\x30\x84\xff\xff\xff\xff" + leaf[4:]])
    entry12, entry13 = prefixed(leaf, 3), prefixed(leaf, 3) + b"\0\0"
    add_bodies("list-shorter-than-told", REFUSED, b"\xff\xff\xff" + entry12, b"\0\xff\xff\xff" + entry13)
    add_bodies("list-longer-than-told", REFUSED, b"\0\0\x01" + entry12, b"\0\0\0\x01" + entry13)
    add_bodies("longer-than-list", REFUSED, prefixed(b"\xff\xff\xff" + leaf, 3), b"\0" + prefixed(b"\xff\xff\xff" + leaf, 3))
    add_bodies("body-empty", REFUSED, b"", b"")

    def add13(name_, outcomes, body):
        behaviours.add(
            f"tls13-certificate-{name_}", outcomes, lambda c: TLS13(c, authority.good, certificate_body=body).run()
        )

    def with_extensions(extensions):
        entries = prefixed(leaf, 3) + prefixed(extensions, 2) + prefixed(intermediate, 3) + b"\0\0"
        return b"\0" + prefixed(entries, 3)

    add13("request-context", REFUSED, prefixed(b"context", 1) + prefixed(entry13, 3))
    add13("extension-not-asked-for", REFUSED, with_extensions(tls_extension(5, b"\x01" + prefixed(b"0\0", 3))))
    add13("extension-unknown", (TRUSTED, REFUSED), with_extensions(tls_extension(0x5555, bytes(60000))))
    add13("extension-length-wrong", REFUSED, with_extensions(b"\0\x05\xff\xff"))


def nested(depth):
    result = b""
    for _ in range(depth):
        result = sequence(result)
    return result


def add_fields(add, authority):
    def add_leaf(name_, outcomes, **changes):
        add(f"leaf-{name_}", outcomes, authority.identity(**changes).chain)

    serials = {"negative": -5, "zero": 0, "of-20000-bytes": 1 << 160000, "empty": b"\x02\0", "of-another-type": b"\x04\x01a"}
    for name_, serial in serials.items():
        add_leaf(f"serial-{name_}", SHOWN_OR_REFUSED if name_ in ("empty", "of-another-type") else TRUSTED, serial=serial)
    versions = {"1": None, "0-written": 0, "9": 9, "negative": -1, "huge": 1 << 4000}
    for name_, version in versions.items():
        add_leaf(f"version-{name_}", SHOWN_OR_REFUSED, version=version)
    validities = {
        "expired": (UNTRUSTED, sequence(moment(FIRST), moment("20210101000000Z"))),
        "not-yet-valid": (UNTRUSTED, sequence(moment("20990101000000Z"), moment("20991231235959Z"))),
        "ends-before-it-begins": (UNTRUSTED, sequence(moment(LAST), moment(FIRST))),
        "without-end": (TRUSTED, sequence(moment(FIRST), moment("99991231235959Z"))),
        "year-0": (EITHER, sequence(der.value(0x18, b"00000101000000Z"), moment(LAST))),
        "month-13": (UNTRUSTED, sequence(der.value(0x18, b"20201301000000Z"), moment(LAST))),
        "second-99": (UNTRUSTED, sequence(moment(FIRST), der.value(0x18, b"20491231235999Z"))),
        "not-a-time": (UNTRUSTED, sequence(der.value(0x17, b"never"), der.value(0x17, b"\x1b[31malways"))),
        "time-of-100000-digits": (UNTRUSTED, sequence(moment(FIRST), der.value(0x18, b"2" * 100000 + b"Z"))),
        "in-a-time-zone": (EITHER, sequence(der.value(0x17, b"200101000000+0100"), moment(LAST))),
        "empty": (REFUSED, sequence()),
        "of-integers": (REFUSED, sequence(integer(1), integer(2))),
    }
    for name_, (outcomes, validity) in validities.items():
        add_leaf(f"validity-{name_}", outcomes, validity=validity)
    unknown = sequence(oid("1.3.6.1.4.1.99999.7"))
    add_leaf("signature-algorithm-unknown", UNTRUSTED, algorithm=unknown)
    add_leaf("signature-algorithms-differ", SHOWN_OR_REFUSED, outer=RSA_SHA256)
    add_leaf("signature-of-another-key", UNTRUSTED, signature=authority.root_key.sign(b"another text"))
    add_leaf("signature-empty", UNTRUSTED, signature=b"")
    add_leaf("signature-of-100-kilobytes", UNTRUSTED, signature=bytes(100000))


def add_names(add, authority):
    def add_subject(name_, outcomes, subject):
        add(f"leaf-subject-{name_}", outcomes, authority.identity(subject=subject).chain)

    subjects = {
        "empty": sequence(),
        "of-100-kilobytes": name("S" * 100000),
        "of-5000-names": name(*["S"] * 5000),
        "of-5000-names-in-one-set": sequence(set_(*[sequence(oid(COMMON_NAME), utf8("S"))] * 5000)),
        "with-escape-codes": name("\x1b]0;title\x07\x1b[2J\r\n\x7f\u009b31m"),
        "with-several-lines": name("one\npinctl: error: two\r\n::error::three"),
        "with-nul": name("good.example.test\0.evil.test"),
        "with-reversed-text": name("\u202etset.elpmaxe\u2066\u200b\ufeff"),
        "of-invalid-utf8": name(utf8(b"\xff\xfe\xc0\x80\xed\xa0\x80\xf8")),
        "of-half-a-bmp-string": name(der.value(0x1E, b"\0a\0")),
        "of-lone-surrogates": name(der.value(0x1E, b"\xd8\0\xdc\0\xd8\0")),
        "of-universal-string-beyond-unicode": name(der.value(0x1C, b"\x7f\xff\xff\xff\0\x11\0\0")),
        "of-another-type": name(integer(5)),
        "with-attribute-of-a-huge-number": name("S", attribute=f"1.3.6.1.{1 << 4000}"),
        "with-attribute-of-many-numbers": name("S", attribute=".".join(["1.3", *["9"] * 20000])),
        "quoted": name('"</testcase><script>\'\\,=+;#%0A::error::'),
        "of-combining-characters": name("a" + "\u0301" * 5000),
    }
    for name_, subject in subjects.items():
        refused = name_ in ("of-another-type", "of-invalid-utf8", "of-half-a-bmp-string")
        lenient = refused or name_.startswith(("of-lone", "of-universal", "with-attribute", "with-nul"))
        add_subject(name_, SHOWN_OR_REFUSED if lenient else TRUSTED, subject)


def add_extensions(add, authority):
    def add_leaf(name_, outcomes, *extensions):
        add(f"leaf-{name_}", outcomes, authority.identity(extensions=extensions).chain)

    many = [f"host-{number}.example.test" for number in range(9000)]
    add_leaf("with-9000-names", TRUSTED, names(HOSTS, *many))
    add_leaf("with-10000-other-names", UNTRUSTED, names(*[f"host-{number}.invalid" for number in range(10000)]))
    add_leaf("with-a-name-of-60-kilobytes", TRUSTED, names(HOSTS, "a." * 30000 + "test"))
    add_leaf("for-a-name-of-60-kilobytes", UNTRUSTED, names("a." * 30000 + "test"))
    add_leaf("with-a-name-of-nul", UNTRUSTED, names("good.example.test\0.evil.test"))
    add_leaf("for-every-name", UNTRUSTED, names("*"))
    add_leaf("for-every-test", UNTRUSTED, names("*.test", "*.*.test", "*.*", "."))
    add_leaf("for-part-of-a-label", UNTRUSTED, names("tls*.example.test", "*-*.example.test", "leaf-for-*.example.test"))
    add_leaf("for-no-name", UNTRUSTED, key_usage(0x80, 7))
    add_leaf("for-names-with-escape-codes", UNTRUSTED, names("\x1b[2J\x1b]0;title\x07.test", "a\nb.test", "\x7f.test"))
    addresses = der.context(7, b"\x7f\0\0", constructed=False)
    add_leaf("for-an-address-of-three-bytes", UNTRUSTED, extension("2.5.29.17", sequence(addresses)))
    add_leaf("for-names-of-another-type", SHOWN_OR_REFUSED, extension("2.5.29.17", integer(5)))
    add_leaf("for-names-cut-off", SHOWN_OR_REFUSED, extension("2.5.29.17", b"\x30\x84\xff\xff\xff\xff"))
    add_leaf("for-names-nested", SHOWN_OR_REFUSED, extension("2.5.29.17", sequence(der.context(4, nested(5000)))))
    add_leaf("extension-critical-and-unknown", UNTRUSTED, *LEAF, extension("1.3.6.1.4.1.99999.2", b"\5\0", critical=True))
    add_leaf("extension-repeated", SHOWN_OR_REFUSED, *LEAF, *LEAF)
    numbered = [extension(f"1.3.6.1.4.1.99999.3.{number}", b"\5\0") for number in range(9000)]
    add_leaf("extensions-9000", TRUSTED, *LEAF, *numbered)
    add_leaf("extension-repeated-9000-times", SHOWN_OR_REFUSED, *LEAF, *[numbered[0]] * 9000)
    add_leaf("extension-nested", TRUSTED, *LEAF, extension("1.3.6.1.4.1.99999.4", nested(20000)))
    add_leaf("extension-of-a-huge-number", EITHER, *LEAF, extension(f"1.3.6.1.{1 << 14000}", b"\5\0"))
    add_leaf("key-identifier-of-100-kilobytes", TRUSTED, *LEAF, extension("2.5.29.14", octets(bytes(100000))))
    issuer = extension("2.5.29.35", sequence(der.context(0, bytes(100000), constructed=False)))
    add_leaf("issuer-identifier-of-100-kilobytes", EITHER, *LEAF, issuer)
    add_leaf("key-usage-empty", SHOWN_OR_REFUSED, names(HOSTS), extension("2.5.29.15", der.bits(b"")))
    add_leaf("key-usage-of-100-kilobytes", EITHER, names(HOSTS), extension("2.5.29.15", der.bits(b"\xff" * 100000)))
    client = extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.2")))
    add_leaf("for-clients", UNTRUSTED, *LEAF, client)
    usages = [oid(f"1.3.6.1.4.1.99999.5.{number}") for number in range(15000)]
    add_leaf("for-15000-purposes", UNTRUSTED, *LEAF, extension("2.5.29.37", sequence(*usages)))
    add_leaf("that-is-an-authority", TRUSTED, *LEAF, is_authority())
    add_leaf("path-length-negative", EITHER, *LEAF, is_authority(-1))
    add_leaf("path-length-huge", EITHER, *LEAF, is_authority(1 << 4000))
    url = der.context(6, b"http://127.0.0.1:9/" + b"u" * 20, constructed=False)
    access = sequence(*[sequence(oid("1.3.6.1.5.5.7.48.2"), url)] * 4000)
    add_leaf("with-4000-places-of-its-issuer", TRUSTED, *LEAF, extension("1.3.6.1.5.5.7.1.1", access))
    point = sequence(der.context(0, der.context(0, url)))
    add_leaf("with-4000-revocation-lists", TRUSTED, *LEAF, extension("2.5.29.31", sequence(*[point] * 4000)))
    policies = [sequence(oid(f"1.3.6.1.4.1.99999.6.{number}")) for number in range(10000)]
    add_leaf("with-10000-policies", TRUSTED, *LEAF, extension("2.5.29.32", sequence(*policies)))
    add_constraints(add, authority)


def add_costs(add, authority):
    """Signatures and names that are slow to check, in chains of the maximum length."""

    def modulus(bits):
        return int.from_bytes(generator.randbytes(bits // 8), "big") | 1 | 1 << bits - 1

    def dsa():
        """The largest numbers that OpenSSL accepts. Whether they are prime is unknown."""
        prime, order = modulus(9984), modulus(256)
        parameters = sequence(integer(prime), integer(order), integer(modulus(9976)))
        return sequence(sequence(oid("1.2.840.10040.4.1"), parameters), der.bits(integer(modulus(9976))))

    dsa_sha256 = sequence(oid("2.16.840.1.101.3.4.3.2"))
    dsa_signature = sequence(integer(modulus(248)), integer(modulus(248)))
    kinds = {
        "rsa-exponents-of-3072-bits": (lambda: rsa_spki(modulus(3072), modulus(3064)), RSA_SHA256, 384, 90),
        "rsa-moduli-of-16384-bits": (lambda: rsa_spki(modulus(16384), modulus(64)), RSA_SHA256, 2048, 40),
        "dsa-keys-of-9984-bits": (dsa, dsa_sha256, dsa_signature, 40),
    }
    for name_, (spki, algorithm, signature, count) in kinds.items():
        if isinstance(signature, int):
            signature = b"\x01" + generator.randbytes(signature - 1)
        chain = [
            certificate(
                name(f"Hostile {number}"), name(f"Hostile {number + 1}"), None, spki(), AUTHORITY, algorithm=algorithm,
                signature=signature,
            )
            for number in range(count - 1)
        ]  # fmt: skip
        # The root signs it, so the chain has an end.
        chain.append(certificate(name(f"Hostile {count - 1}"), authority.root_name, authority.root_key, spki(), AUTHORITY))
        leaf = certificate(
            name("Hostile Test Leaf"), name("Hostile 0"), None, authority.leaf_key.spki, LEAF, algorithm=algorithm,
            signature=signature,
        )  # fmt: skip
        add(f"chain-of-{count}-{name_}", UNTRUSTED, [leaf, *chain])
    many = [f"host-{number}.example.test" for number in range(1000)]
    chain, above, by = [], authority.root_name, authority.root_key
    for level in range(9):
        subtrees = [sequence(der.context(2, f"x{number}.invalid".encode(), constructed=False)) for number in range(1000)]
        constraints = extension("2.5.29.30", sequence(der.context(1, *subtrees)), critical=True)
        subject, own = name(f"Hostile Constrained {level}"), PrivateKey.elliptic()
        chain.insert(0, certificate(subject, above, by, own.spki, [*AUTHORITY, constraints]))
        above, by = subject, own
    leaf = certificate(name("Hostile Test Leaf"), above, by, authority.leaf_key.spki, [names(HOSTS, *many)])
    add("chain-of-1000-names-under-9-times-1000-constraints", EITHER, [leaf, *chain])


def rsa_spki(modulus, exponent):
    return sequence(sequence(oid("1.2.840.113549.1.1.1"), der.NULL), der.bits(sequence(integer(modulus), integer(exponent))))


def add_constraints(add, authority):
    """Names of the leaf and constraints of its issuer. A client compares each name with each constraint."""
    key = PrivateKey.elliptic()
    subtrees = [sequence(der.context(2, f"excluded-{number}.invalid".encode(), constructed=False)) for number in range(4000)]
    constraints = extension("2.5.29.30", sequence(der.context(1, *subtrees)), critical=True)
    issuer = certificate(name("Hostile Constrained"), authority.root_name, authority.root_key, key.spki, [*AUTHORITY, constraints])
    many = [f"host-{number}.example.test" for number in range(4000)]
    leaf = certificate(
        name("Hostile Test Leaf"), name("Hostile Constrained"), key, authority.leaf_key.spki, [names(HOSTS, *many)]
    )
    add("chain-of-4000-names-under-4000-constraints", EITHER, [leaf, issuer])
    mappings, chain, above, by = [], [], authority.root_name, authority.root_key
    for number in range(1, 31):
        ids = [oid(f"1.3.6.1.4.1.99999.8.{each}") for each in range(2)]
        mappings = sequence(*[sequence(one, other) for one in ids for other in ids])
        policies = extension("2.5.29.32", sequence(*[sequence(each) for each in ids]))
        own = PrivateKey.elliptic()
        more = [*AUTHORITY, policies, extension("2.5.29.33", mappings)]
        chain.insert(0, certificate(name(f"Hostile Policy {number}"), above, by, own.spki, more))
        above, by = name(f"Hostile Policy {number}"), own
    leaf = certificate(name("Hostile Test Leaf"), above, by, authority.leaf_key.spki, LEAF)
    add("chain-of-30-policy-mappings", EITHER, [leaf, *chain])


def add_keys(add, authority):
    def add_leaf(name_, outcomes, spki, key=None):
        add(f"leaf-key-{name_}", outcomes, authority.identity(spki=spki).chain, key)

    rsa = oid("1.2.840.113549.1.1.1"), der.NULL
    modulus = int.from_bytes(generator.randbytes(256), "big") | 1 | 1 << 2047
    huge = int.from_bytes(generator.randbytes(2048), "big") | 1 | 1 << 16383
    keys = {
        "rsa-of-16384-bits": rsa_spki(huge, 65537),
        "rsa-of-16384-bits-and-a-huge-exponent": rsa_spki(huge, huge - 2),
        "rsa-of-400000-bits": rsa_spki(1 << 400000 | 1, 65537),
        "rsa-of-1-bit": rsa_spki(1, 1),
        "rsa-of-a-negative-modulus": rsa_spki(-modulus, 65537),
        "rsa-of-an-even-modulus": rsa_spki(modulus + 1, 65537),
        "rsa-of-exponent-0": rsa_spki(modulus, 0),
        "rsa-of-exponent-1": rsa_spki(modulus, 1),
        "rsa-empty": sequence(sequence(*rsa), der.bits(b"")),
        "unknown": sequence(sequence(oid("1.3.6.1.4.1.99999.9")), der.bits(bytes(64))),
        "empty": sequence(sequence(), der.bits(b"")),
        "of-unused-bits": sequence(sequence(oid("1.2.840.10045.2.1"), oid("1.2.840.10045.3.1.7")), der.bits(bytes(65), 7)),
        "point-off-the-curve": ec_spki(oid("1.2.840.10045.3.1.7"), b"\x04" + bytes([1]) * 64),
        "point-at-infinity": ec_spki(oid("1.2.840.10045.3.1.7"), b"\0"),
        "point-empty": ec_spki(oid("1.2.840.10045.3.1.7"), b""),
        "curve-unknown": ec_spki(oid("1.3.6.1.4.1.99999.10"), b"\x04" + bytes(64)),
        "curve-explicit-and-not-prime": ec_spki(explicit_curve(697), b"\x02" + bytes([5]) * 2),
        "curve-explicit-of-a-huge-field": ec_spki(explicit_curve(2**6000 - 1), b"\x02" + bytes([5]) * 750),
        "ed25519-of-one-byte": sequence(sequence(oid("1.3.101.112")), der.bits(b"\x01")),
        "dsa-of-huge-numbers": dsa_spki(1 << 30000 | 1),
    }
    for name_, spki in keys.items():
        add_leaf(name_, REFUSED, spki)
    add_leaf("rsa-of-1024-bits", SHOWN_OR_REFUSED, (weak := PrivateKey.rsa(1024)).spki, weak)


def ec_spki(parameters, point):
    return sequence(sequence(oid("1.2.840.10045.2.1"), parameters), der.bits(point))


def explicit_curve(prime):
    """Parameters that are not a field: a careless implementation computes a square root forever (CVE-2022-0778)."""
    width = (prime.bit_length() + 7) // 8
    field = sequence(oid("1.2.840.10045.1.1"), integer(prime))
    curve = sequence(octets((23).to_bytes(width, "big")), octets((7).to_bytes(width, "big")))
    base = octets(b"\x02" + (8).to_bytes(width, "big"))
    return sequence(integer(1), field, curve, base, integer(13), integer(1))


def dsa_spki(number):
    parameters = sequence(integer(number), integer(number), integer(2))
    return sequence(sequence(oid("1.2.840.10040.4.1"), parameters), der.bits(integer(number)))
