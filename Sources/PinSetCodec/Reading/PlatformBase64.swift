internal import Encodings

/// The base64 decoders of the platforms, each with the spellings that it accepts.
package enum PlatformBase64 {
    /// Android: `android.util.Base64.decode` with the flags 0 (frameworks/base, core/java/android/util/Base64.java).
    ///
    /// Characters outside the alphabet are skipped. Padding may be missing, and the bits after the last byte may be set.
    package static func android(_ text: String) -> [UInt8]? {
        var output: [UInt8] = []
        var value: UInt32 = 0
        var state = 0
        for byte in text.utf8 {
            if let digit = digit(byte) {
                guard state < 4 else { return nil }
                value = value << 6 | UInt32(digit)
                state += 1
                if state == 4 {
                    append(value, count: 3, to: &output)
                    (value, state) = (0, 0)
                }
            } else if byte == UInt8(ascii: "=") {
                switch state {
                case 2:
                    append(value << 12, count: 1, to: &output)
                    state = 5
                case 3:
                    append(value << 6, count: 2, to: &output)
                    state = 6
                // The second character of "==".
                case 5: state = 6
                default: return nil
                }
            }
        }
        switch state {
        case 0, 6: break
        case 2: append(value << 12, count: 1, to: &output)
        case 3: append(value << 6, count: 2, to: &output)
        default: return nil
        }
        return output
    }

    /// Apple: `SecBase64Decode` with `kSecB64_F_STOP_ON_NOTHING` (Security-61901, OSX/sec/Security/SecBase64.c).
    ///
    /// Characters outside the alphabet are skipped, decoding ends at the first padded group, and a group without padding at
    /// the end is dropped.
    package static func apple(_ text: String) -> [UInt8] {
        var output: [UInt8] = []
        var value: UInt32 = 0
        var count = 0
        for byte in text.utf8 {
            if let digit = digit(byte) {
                value = value << 6 | UInt32(digit)
                count += 1
                if count == 4 {
                    append(value, count: 3, to: &output)
                    (value, count) = (0, 0)
                }
            } else if byte == UInt8(ascii: "=") {
                if count == 2 { append(value << 12, count: 1, to: &output) }
                if count == 3 { append(value << 6, count: 2, to: &output) }
                return output
            }
        }
        return output
    }

    /// Foundation: `NSData(base64Encoded:options:)` without options.
    ///
    /// Only the alphabet and the padding are accepted. The bits after the last byte may be set.
    package static func foundation(_ text: String) -> [UInt8]? {
        let bytes = Array(text.utf8)
        guard bytes.count.isMultiple(of: 4) else { return nil }
        return padded(bytes)
    }

    /// OkHttp: `String.decodeBase64()` of okio (okio/internal/-Base64.kt).
    ///
    /// Padding is optional, the URL alphabet is accepted, and blanks, tabs and line ends are skipped.
    package static func okio(_ text: String) -> [UInt8]? {
        var bytes = Array(text.utf8)
        while let last = bytes.last, last == UInt8(ascii: "=") || isBlank(last) { bytes.removeLast() }
        return groups(bytes.lazy.filter { !isBlank($0) }, allowsURLAlphabet: true)
    }

    /// wget: `wget_base64_decode` (src/utils.c). White space is skipped, and padding is required.
    package static func wget(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let bytes = text.filter { !$0.isWhiteSpace }
        guard bytes.count.isMultiple(of: 4) else { return nil }
        return padded(bytes)
    }

    /// Decodes groups of four characters. Only the last group may have padding.
    private static func padded(_ bytes: [UInt8]) -> [UInt8]? {
        var digits = bytes[...]
        for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
        // Padding after a complete group is an error.
        guard !digits.count.isMultiple(of: 4) || digits.count == bytes.count else { return nil }
        return groups(digits)
    }

    /// Decodes groups of four characters without padding. The last group may be shorter, and the bits after its last byte may be
    /// set.
    private static func groups(_ bytes: some Sequence<UInt8>, allowsURLAlphabet: Bool = false) -> [UInt8]? {
        var output: [UInt8] = []
        var value: UInt32 = 0
        var count = 0
        for byte in bytes {
            let standard =
                switch byte {
                case UInt8(ascii: "-") where allowsURLAlphabet: UInt8(ascii: "+")
                case UInt8(ascii: "_") where allowsURLAlphabet: UInt8(ascii: "/")
                default: byte
                }
            guard let digit = digit(standard) else { return nil }
            value = value << 6 | UInt32(digit)
            count += 1
            if count == 4 {
                append(value, count: 3, to: &output)
                (value, count) = (0, 0)
            }
        }
        switch count {
        case 0: break
        case 2: append(value << 12, count: 1, to: &output)
        case 3: append(value << 6, count: 2, to: &output)
        default: return nil
        }
        return output
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
    }

    /// Appends the first bytes of a group of 24 bits.
    private static func append(_ value: UInt32, count: Int, to output: inout [UInt8]) {
        output.append(UInt8(truncatingIfNeeded: value >> 16))
        if count > 1 { output.append(UInt8(truncatingIfNeeded: value >> 8)) }
        if count > 2 { output.append(UInt8(truncatingIfNeeded: value)) }
    }
}
