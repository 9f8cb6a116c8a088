"""One accepted connection: bytes and TLS records, in plain text or encrypted."""
import hmac
import hashlib
import random
import select
import socket
import struct

import libcrypto

CHANGE_CIPHER_SPEC, ALERT, HANDSHAKE, APPLICATION_DATA, HEARTBEAT = 20, 21, 22, 23, 24
# A fixed seed: bytes that do not depend on the client's keys are equal in each run.
generator = random.Random(20240607)


class Ended(Exception):
    """The client ended the connection."""


def prefixed(bytes_, width):
    """Returns the bytes after their length, which has `width` bytes."""
    return len(bytes_).to_bytes(width, "big") + bytes_


def record(kind, payload, version=0x0303, length=None):
    """Returns a record. `length` replaces its true length."""
    return struct.pack(">BHH", kind, version, len(payload) if length is None else length) + payload


def message(kind, body, length=None):
    """Returns a handshake message. `length` replaces its true length."""
    return bytes([kind]) + (len(body) if length is None else length).to_bytes(3, "big") + body


def alert(level, description):
    return bytes([level, description])


class Connection:
    def __init__(self, connected):
        self.socket = connected
        self.received = b""

    def send(self, bytes_):
        try:
            self.socket.sendall(bytes_)
        except OSError as error:
            raise Ended from error

    def read_some(self):
        """Waits for the next bytes of the client, and returns them."""
        first = self.read(1)
        rest, self.received = self.received, b""
        return first + rest

    def read(self, count):
        while len(self.received) < count:
            try:
                chunk = self.socket.recv(65536)
            except OSError as error:
                raise Ended from error
            if not chunk:
                raise Ended
            self.received += chunk
        result, self.received = self.received[:count], self.received[count:]
        return result

    def read_record(self):
        kind, _, length = struct.unpack(">BHH", self.read(5))
        return kind, self.read(length)

    def read_message(self):
        """Reads a handshake message that is one record, as the messages of OpenSSL's clients are."""
        kind, payload = self.read_record()
        if kind != HANDSHAKE:
            raise Ended
        return payload

    def flood(self, bytes_):
        """Sends these bytes repeatedly until the client ends the connection."""
        bytes_ *= max(1, 262144 // len(bytes_))
        while True:
            self.send(bytes_)

    def drip(self, bytes_, seconds=0.05):
        """Sends one byte at a time, with a pause after each."""
        for byte in bytes_:
            self.send(bytes([byte]))
            self.pause(seconds)

    def pause(self, seconds):
        """Waits, at most until the client ends the connection."""
        waiting = select.poll()
        waiting.register(self.socket, select.POLLIN)
        if waiting.poll(seconds * 1000) and not self.socket.recv(65536):
            raise Ended

    def wait_for_end(self):
        """Sends nothing until the client ends the connection."""
        while True:
            try:
                if not self.socket.recv(65536):
                    return
            except OSError:
                return

    def half_close(self):
        self.socket.shutdown(socket.SHUT_WR)

    def reset(self):
        """Ends the connection with RST."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


class Cipher:
    """AES-128-GCM in one direction: the nonces and the associated data of TLS 1.2 (RFC 5288) or of TLS 1.3 (RFC 8446, 5.2)."""

    def __init__(self, key, iv, is_tls13):
        self.key = key
        self.iv = iv
        self.is_tls13 = is_tls13
        self.number = 0

    def encrypt(self, kind, payload, padding=0):
        number, self.number = self.number, self.number + 1
        if self.is_tls13:
            inner = payload + bytes([kind]) + bytes(padding)
            header = struct.pack(">BHH", APPLICATION_DATA, 0x0303, len(inner) + 16)
            return header + libcrypto.aes_gcm(self.key, self.nonce(number), header, inner, True)
        explicit = number.to_bytes(8, "big")
        associated = explicit + struct.pack(">BHH", kind, 0x0303, len(payload))
        encrypted = libcrypto.aes_gcm(self.key, self.iv + explicit, associated, payload, True)
        return record(kind, explicit + encrypted)

    def decrypt(self, kind, payload):
        number, self.number = self.number, self.number + 1
        if self.is_tls13:
            header = struct.pack(">BHH", kind, 0x0303, len(payload))
            inner = libcrypto.aes_gcm(self.key, self.nonce(number), header, payload, False).rstrip(b"\0")
            return inner[-1], inner[:-1]
        associated = number.to_bytes(8, "big") + struct.pack(">BHH", kind, 0x0303, len(payload) - 24)
        return kind, libcrypto.aes_gcm(self.key, self.iv + payload[:8], associated, payload[8:], False)

    def nonce(self, number):
        return bytes(a ^ b for a, b in zip(self.iv, number.to_bytes(12, "big")))


def hmac_sha256(key, bytes_):
    return hmac.new(key, bytes_, hashlib.sha256).digest()


def sha256(bytes_):
    return hashlib.sha256(bytes_).digest()
