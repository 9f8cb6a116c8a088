/// Base64 with the standard alphabet (RFC 4648, section 4).
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// `bytes` in base64, padded, without line breaks.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        var accumulator: UInt32 = 0
        var pending = 0
        for byte in bytes {
            accumulator = accumulator << 8 | UInt32(byte)
            pending += 1
            if pending == 3 {
                for shift: UInt32 in [18, 12, 6, 0] { output.append(alphabet[Int(accumulator >> shift & 63)]) }
                accumulator = 0
                pending = 0
            }
        }
        if pending > 0 {
            accumulator <<= UInt32(8 * (3 - pending))
            for index: UInt32 in 0..<4 {
                let isPadding = index > UInt32(pending)
                output.append(isPadding ? UInt8(ascii: "=") : alphabet[Int(accumulator >> (18 - 6 * index) & 63)])
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
