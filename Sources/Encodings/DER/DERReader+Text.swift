extension DERReader {
    /// Whether the bytes of a file are probably DER, and not a text with PEM blocks that begins with the digit 0, which is also the tag of a
    /// SEQUENCE. `openssl storeutl -certs` writes such a text.
    package static func isSequence(_ bytes: [UInt8]) -> Bool {
        bytes.first == 0x30 && !bytes.prefix(24).allSatisfy { (0x20..<0x7F).contains($0) || $0.isWhiteSpace }
    }
}
