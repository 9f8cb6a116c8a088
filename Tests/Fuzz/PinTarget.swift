// Seeds: *.der
internal import Pinning

/// Pins and their base64: a pin is 32 bytes, and its text is 44 characters of the alphabet.
enum PinTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        precondition((Pin(digest: bytes) != nil) == (bytes.count == 32))
        precondition(Pin(subjectPublicKeyInfo: bytes).base64.utf8.count == 44)

        let text = Array(Base64.encode(bytes).utf8)
        precondition(text.count == (bytes.count + 2) / 3 * 4)
        precondition(text.dropLast(2).allSatisfy { $0 != UInt8(ascii: "=") })
    }
}
