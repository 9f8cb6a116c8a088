"""Each message of a handshake: omitted, repeated, oversized, in small records, in the wrong order, truncated, or with wrong contents."""
from behaviours import REFUSED, SILENT, TRUSTED, UNDECIDED
from connection import ALERT, APPLICATION_DATA, CHANGE_CIPHER_SPEC, HANDSHAKE, Ended, alert, message, prefixed, record
from handshake import (
    COMPRESSED_CERTIFICATE, HELLO_REQUEST, NEW_SESSION_TICKET, RETRY, TLS12, TLS13, X25519_GROUP, Server, extension, two,
)

MESSAGES_13 = ("server-hello", "encrypted-extensions", "certificate", "certificate-verify", "finished")
MESSAGES_12 = (
    "server-hello", "certificate", "server-key-exchange", "server-hello-done", "new-session-ticket", "change-cipher-spec",
    "finished",
)
# By the RFC a client must reject these messages, but ignoring them is harmless.
LENIENT = (TRUSTED, REFUSED)
STEPS_12 = (
    "server-hello", "certificate", "server-key-exchange", "server-hello-done", "client-flight", "new-session-ticket",
    "change-cipher-spec", "finished",
)


# Functions that replace `put` for one message.


def wait_instead(server, bytes_):
    server.connection.wait_for_end()
    raise Ended


def close_inside(server, bytes_):
    server.transmit(HANDSHAKE, bytes_[: len(bytes_) // 2])
    raise Ended


def wait_inside(server, bytes_):
    server.transmit(HANDSHAKE, bytes_[: len(bytes_) // 2])
    wait_instead(server, bytes_)


def close_after(server, bytes_):
    server.put(bytes_)
    raise Ended


def reset_after(server, bytes_):
    server.put(bytes_)
    server.connection.reset()
    raise Ended


def repeat(server, bytes_):
    server.put(bytes_)
    server.put(bytes_)


def oversize(server, bytes_):
    """A message of 16 MB, which is sent completely."""
    server.transmit(HANDSHAKE, bytes_[:1] + b"\xff\xff\xff" + bytes_[4:])
    server.flood(HANDSHAKE, bytes(16384))


def lengthen(server, bytes_):
    """One additional byte, with a length that includes it."""
    server.put(message(bytes_[0], bytes_[4:] + b"\0"))


def shorten(server, bytes_):
    """The last byte is missing, with a length that excludes it."""
    server.put(message(bytes_[0], bytes_[4:-1]))


def split(server, bytes_):
    """One byte in each record."""
    server.transcript += bytes_
    server.transmit(HANDSHAKE, bytes_, fragment=1)


def split_with_empty_records(server, bytes_):
    """An empty record after each byte."""
    server.transcript += bytes_
    for at in range(len(bytes_)):
        server.transmit(HANDSHAKE, bytes_[at : at + 1])
        server.transmit(HANDSHAKE, b"")


def refuse_after(server, bytes_):
    server.put(bytes_)
    server.transmit(ALERT, alert(2, 40))
    raise Ended


def interrupt(server, bytes_):
    """Application data in the middle of a message."""
    server.transmit(HANDSHAKE, bytes_[:3])
    server.transmit(APPLICATION_DATA, b"hello")
    server.transmit(HANDSHAKE, bytes_[3:])
    server.connection.wait_for_end()
    raise Ended


TREATMENTS = {
    "never-sent": wait_instead,
    "closed-inside": close_inside,
    "stalled-inside": wait_inside,
    "closed-after": close_after,
    "reset-after": reset_after,
    "repeated": repeat,
    "oversized": oversize,
    "lengthened": lengthen,
    "shortened": shorten,
    "in-one-byte-records": split,
    "between-empty-records": split_with_empty_records,
    "refused-after": refuse_after,
    "interrupted": interrupt,
}


def without(steps, step):
    return tuple(each for each in steps if each != step)


def swapped(steps, step):
    """Exchanges the step and the next step."""
    at = steps.index(step)
    return (*steps[:at], steps[at + 1], step, *steps[at + 2 :])


def before(steps, step, *added):
    at = steps.index(step)
    return (*steps[:at], *added, *steps[at:])


def add_to(behaviours, authority):
    def tls13(identity=authority.good, **changes):
        return lambda connection: TLS13(connection, identity, **changes).run()

    def tls12(identity=authority.good, **changes):
        return lambda connection: TLS12(connection, identity, **changes).run()

    behaviours.add("tls13-good", TRUSTED, tls13())
    behaviours.add("tls12-good", TRUSTED, tls12(steps=STEPS_12))
    behaviours.add("tls13-good-rsa", TRUSTED, tls13(authority.rsa))
    for exchange in ("ECDHE", "DHE", "RSA"):
        behaviours.add(f"tls12-good-{exchange.lower()}-rsa", TRUSTED, tls12(authority.rsa, exchange=exchange))
    add_treatments(behaviours, tls13, tls12)
    add_hellos(behaviours, tls13, tls12)
    add_retries(behaviours, tls13)
    add_key_exchanges(behaviours, tls12, authority)
    add_signatures(behaviours, tls13, tls12, authority)
    add_endings(behaviours, tls13, tls12)


def add_treatments(behaviours, tls13, tls12):
    for message_ in MESSAGES_13:
        for treatment, act in TREATMENTS.items():
            outcomes = outcome(message_, treatment, is_last=message_ == "finished")
            behaviours.add(f"tls13-{message_}-{treatment}", outcomes, tls13(instead={message_: act}))
        if message_ != "finished":
            steps = without(TLS13.steps, message_)
            behaviours.add(f"tls13-{message_}-withheld", REFUSED, tls13(steps=steps))
            steps = swapped(without(TLS13.steps, "change-cipher-spec"), message_)
            behaviours.add(f"tls13-{message_}-after-next", REFUSED, tls13(steps=steps))
    for message_ in MESSAGES_12:
        if message_ == "change-cipher-spec":
            continue
        for treatment, act in TREATMENTS.items():
            if treatment in ("lengthened", "shortened") and message_ == "server-hello-done":
                continue
            outcomes = outcome(message_, treatment, is_last=message_ == "finished")
            behaviours.add(f"tls12-{message_}-{treatment}", outcomes, tls12(instead={message_: act}, steps=STEPS_12))
        if message_ != "finished":
            # OpenSSL accepts a missing ticket even if the server announced one.
            outcomes = {"server-hello-done": SILENT, "new-session-ticket": (TRUSTED, REFUSED)}.get(message_, REFUSED)
            behaviours.add(f"tls12-{message_}-withheld", outcomes, tls12(steps=without(STEPS_12, message_)))
    for message_ in ("server-hello", "certificate", "server-key-exchange", "new-session-ticket", "change-cipher-spec"):
        behaviours.add(f"tls12-{message_}-after-next", REFUSED, tls12(steps=swapped(STEPS_12, message_)))
    everything = {"fragment": 1}
    behaviours.add("tls13-all-in-one-byte-records", TRUSTED, tls13(**everything))
    behaviours.add("tls12-all-in-one-byte-records", TRUSTED, tls12(**everything))


def outcome(message_, treatment, is_last):
    if treatment in ("in-one-byte-records",):
        return TRUSTED
    if treatment == "between-empty-records":
        return (TRUSTED, REFUSED)
    if treatment in ("never-sent", "stalled-inside"):
        return SILENT
    # pinctl reads nothing after the last message.
    if is_last and treatment in ("closed-after", "repeated", "refused-after"):
        return TRUSTED
    if is_last and treatment == "reset-after":
        return (TRUSTED, REFUSED)
    return REFUSED


def add_hellos(behaviours, tls13, tls12):
    for version in (0x0000, 0x0002, 0x0300, 0x0301, 0x0302, 0x0304, 0x0305, 0xFEFD, 0xFFFF):
        behaviours.add(f"tls12-version-{version:04x}", REFUSED, tls12(version=version))
    for version in (0x0300, 0x0303, 0x0305, 0x7F1C):
        behaviours.add(f"tls13-selected-version-{version:04x}", REFUSED, tls13(selected_version=version))
    behaviours.add("tls13-legacy-version-0304", LENIENT, tls13(version=0x0304))
    behaviours.add("tls12-downgrade-mark", REFUSED, tls12(random=bytes(24) + b"DOWNGRD\x01"))
    suites = {
        "null": 0x0000, "export": 0x0003, "rc4": 0x0005, "anonymous": 0x00A7, "of-tls13": 0x1301, "unknown": 0xEEEE,
        "fallback-mark": 0x5600, "renegotiation-mark": 0x00FF,
    }  # fmt: skip
    for name, suite in suites.items():
        behaviours.add(f"tls12-cipher-suite-{name}", REFUSED, tls12(cipher_suite=suite))
    for name, suite in {"of-tls12": 0xC02B, "unknown": 0x13FF}.items():
        behaviours.add(f"tls13-cipher-suite-{name}", REFUSED, tls13(cipher_suite=suite))
    behaviours.add("tls12-compression", REFUSED, tls12(compression=1))
    behaviours.add("tls13-compression", REFUSED, tls13(compression=1))
    behaviours.add("tls12-session-id-too-long", REFUSED, tls12(session_id=bytes(33)))
    behaviours.add("tls13-session-id-of-another", REFUSED, tls13(session_id=bytes(32)))
    extensions = {
        "not-offered": extension(0x5555, b"x"),
        "repeated": extension(0xFF01, b"\0") * 2,
        "length-wrong": two(0xFF01) + two(400) + b"\0",
        "cut-off": b"\xff",
        "alpn-not-offered": extension(16, prefixed(prefixed(b"h2", 1), 2)),
        "heartbeat": extension(15, b"\x01"),
        "next-protocol": extension(13172, b""),
        "thousands": b"".join(extension(0x6000 + number, b"") for number in range(4000)),
    }
    for name, bytes_ in extensions.items():
        outcomes = LENIENT if name in ("not-offered", "heartbeat", "thousands") else REFUSED
        behaviours.add(f"tls12-extension-{name}", outcomes, tls12(extra_extensions=bytes_))
        behaviours.add(f"tls13-extension-{name}", outcomes, tls13(extra_extensions=bytes_))
    shares = {"empty": b"", "short": bytes([9]) * 31, "long": bytes([9]) * 33, "zero": bytes(32), "of-low-order": b"\x01" + bytes(31)}
    for name, share in shares.items():
        behaviours.add(f"tls13-key-share-{name}", REFUSED, tls13(share=share))
    for name, group in {"not-offered": 0x0016, "unknown": 0xEEEE, "zero": 0}.items():
        behaviours.add(f"tls13-key-share-group-{name}", REFUSED, tls13(selected_group=group))
    behaviours.add("tls13-key-share-of-another-curve", REFUSED, tls13(selected_group=0x0017))
    behaviours.add("tls13-key-selected-before-shared", REFUSED, tls13(extra_extensions=extension(41, two(0))))
    bodies = {
        "empty": b"", "length-wrong": b"\xff\xff", "key-share": prefixed(extension(51, b"\0\x1d"), 2),
        "alpn-not-offered": prefixed(extension(16, prefixed(prefixed(b"h2", 1), 2)), 2),
        "unknown": prefixed(extension(0x5555, bytes(10000)), 2),
        "early-data": prefixed(extension(42, b""), 2),
    }  # fmt: skip
    for name, body in bodies.items():
        outcomes = LENIENT if name == "unknown" else REFUSED
        behaviours.add(f"tls13-encrypted-extensions-{name}", outcomes, tls13(encrypted_extensions_body=body))


def add_retries(behaviours, tls13):
    once = ("hello-retry-request", *TLS13.steps)
    behaviours.add("tls13-retry-once", TRUSTED, tls13(steps=once))
    behaviours.add("tls13-retry-twice", REFUSED, tls13(steps=("hello-retry-request", *once)))
    behaviours.add("tls13-retry-without-end", REFUSED, tls13(steps=("hello-retry-request",) * 10000))
    behaviours.add("tls13-retry-huge-cookie", UNDECIDED + (TRUSTED,), tls13(steps=once, cookie=b"c" * 60000))
    behaviours.add("tls13-retry-empty-cookie", REFUSED, tls13(steps=once, cookie=b""))
    version = extension(43, two(0x0304))
    groups = {"same": X25519_GROUP, "not-offered": 0x0016, "unknown": 0xEEEE}
    for name, group in groups.items():
        extensions = version + extension(51, two(group))
        behaviours.add(f"tls13-retry-group-{name}", REFUSED, tls13(steps=once, retry_extensions=extensions))
    behaviours.add("tls13-retry-without-change", REFUSED, tls13(steps=once, retry_extensions=version))
    behaviours.add("tls13-retry-without-version", LENIENT, tls13(steps=once, retry_extensions=extension(44, b"\0\x01c")))
    behaviours.add("tls12-random-of-a-retry", REFUSED, lambda c: tls12_retry(c))


def tls12_retry(connection):
    connection.read_record()
    connection.flood(record(HANDSHAKE, message(2, b"\x03\x03" + RETRY + b"\0\xc0\x2b\0\0\0")))


def add_key_exchanges(behaviours, tls12, authority):
    points = {"empty": b"", "short": bytes([9]) * 31, "long": bytes([9]) * 33, "zero": bytes(32)}
    for name, point in points.items():
        parameters = b"\x03" + two(X25519_GROUP) + prefixed(point, 1)
        behaviours.add(f"tls12-ecdhe-point-{name}", REFUSED, tls12(parameters=parameters))
    curves = {
        "unknown": b"\x03" + two(0xEEEE) + prefixed(bytes(32), 1),
        "explicit": b"\x01" + prefixed(b"\xff" * 255, 1) * 6,
        "of-no-type": b"\x09" + prefixed(bytes(200), 1),
        "p256-point-off-the-curve": b"\x03" + two(0x0017) + prefixed(b"\x04" + bytes([1]) * 64, 1),
        "p256-point-at-infinity": b"\x03" + two(0x0017) + prefixed(b"\x00", 1),
        "cut-off": b"\x03\x00",
        "empty": b"",
    }
    for name, parameters in curves.items():
        behaviours.add(f"tls12-ecdhe-curve-{name}", REFUSED, tls12(parameters=parameters))
    export = prefixed(bytes([0xC1]) * 64, 2) + prefixed(b"\x01\0\x01", 2)
    steps = TLS12.steps
    behaviours.add(
        "tls12-rsa-with-export-key", REFUSED,
        lambda c: run_with_steps(TLS12(c, authority.rsa, exchange="RSA", parameters=export), steps),
    )  # fmt: skip
    primes = {
        "of-1-bit": 1, "of-16-bits": 65521, "of-512-bits": 2**512 - 569, "even": 2**2048 - 2, "composite": 3 * (2**2046 + 1),
        "of-8192-bits": 2**8192 - 1, "of-10000-bits": 2**10000 - 1, "of-10001-bits": 2**10001 - 1, "of-65000-bits": 2**65000 - 1,
        "of-500000-bits": 2**500000 - 1, "zero": 0,
    }  # fmt: skip
    for name, prime in primes.items():
        outcomes = UNDECIDED + (TRUSTED,) if name in ("even", "composite", "of-8192-bits", "of-10000-bits") else REFUSED
        changes = {"exchange": "DHE", "prime": prime, "public": 4} if prime else {"exchange": "DHE", "parameters": bytes(6)}
        behaviours.add(f"tls12-dhe-prime-{name}", outcomes, tls12(authority.rsa, **changes))
    prime = TLS12.prime
    for name, public in {"zero": 0, "one": 1, "minus-one": prime - 1, "the-prime": prime, "beyond": prime + 5}.items():
        behaviours.add(f"tls12-dhe-public-{name}", REFUSED, tls12(authority.rsa, exchange="DHE", public=public))
    for generator in (0, 1):
        changes = {"exchange": "DHE", "generator": generator, "public": 4}
        behaviours.add(f"tls12-dhe-generator-{generator}", REFUSED, tls12(authority.rsa, **changes))


def run_with_steps(server, steps):
    server.steps = steps
    server.run()


def add_signatures(behaviours, tls13, tls12, authority):
    another = authority.intermediate_key.sign(b"another text")
    signatures = {"of-another-text": another, "empty": b"", "of-zeros": bytes(70), "huge": bytes(16000)}
    for name, signature in signatures.items():
        behaviours.add(f"tls12-signature-{name}", REFUSED, tls12(signature=signature))
        behaviours.add(f"tls13-signature-{name}", REFUSED, tls13(signature=signature))
    algorithms = {"sha1": 0x0203, "md5": 0x0101, "pss-for-ecdsa": 0x0804, "ed25519": 0x0807, "anonymous": 0x0000, "unknown": 0xEEEE}
    for name, algorithm in algorithms.items():
        behaviours.add(f"tls12-signature-algorithm-{name}", REFUSED, tls12(signature_algorithm=algorithm))
        behaviours.add(f"tls13-signature-algorithm-{name}", REFUSED, tls13(signature_algorithm=algorithm))
    behaviours.add("tls13-signature-algorithm-pkcs1", REFUSED, tls13(authority.rsa, signature_algorithm=0x0401))


def add_endings(behaviours, tls13, tls12):
    for name, data in {"wrong": b"x" * 12, "empty": b"", "short": b"x" * 11, "long": b"x" * 60}.items():
        behaviours.add(f"tls12-finished-{name}", REFUSED, tls12(verify_data=data))
    for name, data in {"wrong": b"x" * 32, "empty": b"", "short": b"x" * 31, "long": b"x" * 60}.items():
        behaviours.add(f"tls13-finished-{name}", REFUSED, tls13(verify_data=data))
    steps = ("server-hello", "change-cipher-spec", "certificate", "server-key-exchange", "server-hello-done")
    behaviours.add("tls12-change-cipher-spec-early", REFUSED, tls12(steps=steps))
    steps = before(TLS12.steps, "finished", "change-cipher-spec")
    behaviours.add("tls12-change-cipher-spec-twice", REFUSED, tls12(steps=steps))
    steps = before(TLS12.steps, "certificate", "change-cipher-spec", "finished")
    behaviours.add("tls12-finished-at-once", REFUSED, tls12(steps=steps))
    behaviours.add("tls12-finished-without-encryption", REFUSED, tls12(steps=without(TLS12.steps, "change-cipher-spec")))
    behaviours.add("tls12-certificate-status-not-asked-for", REFUSED, tls12(steps=before(TLS12.steps, "server-key-exchange", "certificate-status")))
    behaviours.add("tls12-certificate-request", TRUSTED, tls12(steps=before(TLS12.steps, "server-hello-done", "certificate-request")))
    behaviours.add("tls13-certificate-request", TRUSTED, tls13(steps=before(TLS13.steps, "certificate", "certificate-request")))
    steps = before(TLS13.steps, "certificate", "certificate-request", "certificate-request")
    behaviours.add("tls13-certificate-request-twice", REFUSED, tls13(steps=steps))
    for name, body in {"empty": b"", "of-zeros": bytes(1000), "of-16-mb": None}.items():
        behaviours.add(f"tls13-compressed-certificate-{name}", REFUSED, tls13(instead={"certificate": compressed(body)}))
    behaviours.add("tls13-hello-unencrypted-rest", REFUSED, tls13(instead={"encrypted-extensions": unencrypted}))
    behaviours.add("tls12-record-mac-wrong", REFUSED, tls12(instead={"finished": damaged}))
    behaviours.add("tls13-record-mac-wrong", REFUSED, tls13(instead={"certificate": damaged}))
    behaviours.add("tls13-record-of-padding", REFUSED, tls13(instead={"certificate": only_padding}))
    behaviours.add("tls13-inner-content-type-unknown", REFUSED, tls13(instead={"certificate": of_unknown_type}))
    behaviours.add("tls13-finished-and-more-in-one-record", REFUSED, tls13(instead={"finished": with_more}))
    behaviours.add("tls13-server-hello-and-more-in-one-record", REFUSED, tls13(instead={"server-hello": with_more}))


def compressed(body):
    def act(server, bytes_):
        if body is None:
            server.transmit(HANDSHAKE, message(COMPRESSED_CERTIFICATE, b"", length=0xFFFFFF))
            server.flood(HANDSHAKE, bytes(16384))
        server.put(message(COMPRESSED_CERTIFICATE, body))

    return act


def unencrypted(server, bytes_):
    server.connection.send(record(HANDSHAKE, bytes_))


def damaged(server, bytes_):
    encrypted = bytearray(server.cipher.encrypt(HANDSHAKE, bytes_))
    encrypted[-1] ^= 1
    server.connection.send(bytes(encrypted))


def only_padding(server, bytes_):
    server.connection.send(server.cipher.encrypt(0, b"", padding=16000))


def of_unknown_type(server, bytes_):
    server.transmit(99, bytes_)


def with_more(server, bytes_):
    server.transcript += bytes_
    server.transmit(HANDSHAKE, bytes_ + message(NEW_SESSION_TICKET, bytes(40)))
