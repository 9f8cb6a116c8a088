"""Writes valid or invalid DER."""


def length(count):
    if count < 128:
        return bytes([count])
    bytes_ = count.to_bytes((count.bit_length() + 7) // 8, "big")
    return bytes([0x80 | len(bytes_)]) + bytes_


def value(tag, *parts):
    contents = b"".join(parts)
    return bytes([tag]) + length(len(contents)) + contents


def sequence(*parts):
    return value(0x30, *parts)


def set_(*parts):
    return value(0x31, *parts)


def integer(number):
    return value(0x02, number.to_bytes(number.bit_length() // 8 + 1, "big", signed=True))


def boolean(condition):
    return value(0x01, b"\xff" if condition else b"\0")


def octets(bytes_):
    return value(0x04, bytes_)


def bits(bytes_, unused=0):
    return value(0x03, bytes([unused]), bytes_)


def utf8(text):
    return value(0x0C, text.encode() if isinstance(text, str) else text)


def context(number, *parts, constructed=True):
    return value((0xA0 if constructed else 0x80) | number, *parts)


def arc(number):
    bytes_ = bytes([number & 0x7F])
    while number := number >> 7:
        bytes_ = bytes([0x80 | number & 0x7F]) + bytes_
    return bytes_


def oid(text):
    first, second, *rest = [int(part) for part in text.split(".")]
    return value(0x06, arc(40 * first + second), *[arc(number) for number in rest])


NULL = value(0x05)
