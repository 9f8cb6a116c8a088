internal import Encodings
package import Pinning

/// How platforms read days in their configurations.
package enum PlatformDate {
    /// Android and TrustKit for Android: `new SimpleDateFormat("yyyy-MM-dd")`, not lenient, `parse(text)`.
    ///
    /// Only the beginning of the text must be a day. So short numbers, blanks before a number and any text after the day are
    /// accepted (verified with OpenJDK 17).
    ///
    /// - Returns: 00:00 UTC of the day; nil if the platform rejects the text.
    package static func simpleDateFormat(_ text: String) -> Timestamp? {
        var rest = Array(text.utf8)[...]
        guard let year = number(&rest), take(UInt8(ascii: "-"), &rest), let month = number(&rest),
            take(UInt8(ascii: "-"), &rest), let day = number(&rest)
        else { return nil }
        return Timestamp(year: year, month: month, day: day)
    }

    /// TrustKit for Apple's platforms: `NSDateFormatter` with the format `yyyy-MM-dd` in UTC.
    ///
    /// - Returns: 00:00 UTC of the day; nil if the formatter does not read the text, so that the pins never expire.
    package static func dateFormatter(_ text: String) -> Timestamp? {
        var rest = Array(text.utf8)[...]
        guard rest.first?.isDigit == true, let year = number(&rest), take(UInt8(ascii: "-"), &rest),
            rest.first?.isDigit == true, let month = number(&rest), take(UInt8(ascii: "-"), &rest),
            rest.first?.isDigit == true, let day = number(&rest), rest.isEmpty
        else { return nil }
        return Timestamp(year: year, month: month, day: day)
    }

    private static func take(_ byte: UInt8, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// A number of at most nine digits, with blanks and tabs before it.
    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
        let digits = rest.prefix { $0.isDigit }
        guard !digits.isEmpty, digits.count <= 9 else { return nil }
        rest = rest[digits.endIndex...]
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}

/// How platforms read truth values in their configurations.
package enum PlatformBool {
    /// Android: the attribute as aapt2 compiles it, read with `getAttributeBooleanValue(name, false)`
    /// (tools/aapt2/ResourceUtils.cpp, core/java/android/content/res/XmlBlock.java).
    ///
    /// - Returns: nil for a text that is neither a truth value nor a number nor a color, so that the default applies.
    package static func android(_ text: String) -> Bool? {
        let bytes = Array(text.utf8)[...].trimmed
        let text = String(decoding: bytes, as: UTF8.self)
        switch text {
        case "true", "True", "TRUE": return true
        case "false", "False", "FALSE": return false
        default: break
        }
        if bytes.first == UInt8(ascii: "#") {
            let digits = bytes.dropFirst()
            guard [3, 4, 6, 8].contains(digits.count), digits.allSatisfy({ Hex.value(of: $0) != nil }) else {
                return nil
            }
            // A colour without an alpha value is opaque, so its number is not zero.
            return digits.count == 3 || digits.count == 6 || digits.contains { $0 != UInt8(ascii: "0") }
        }
        var digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes
        let isHexadecimal = digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8)
        if isHexadecimal { digits = digits.dropFirst(2) }
        let isNumber =
            !digits.isEmpty && digits.count <= 10
            && digits.allSatisfy { isHexadecimal ? Hex.value(of: $0) != nil : $0.isDigit }
        return isNumber ? digits.contains { $0 != UInt8(ascii: "0") } : nil
    }

    /// TrustKit for Android: `Boolean.parseBoolean`.
    package static func java(_ text: String) -> Bool { text.lowercased() == "true" }

    /// TrustKit for Apple's platforms: `-[NSString boolValue]`, which skips white space, a sign and zeros, and then accepts
    /// `Y`, `y`, `T`, `t` and the digits 1 to 9.
    package static func foundation(_ text: String) -> Bool {
        var rest = Array(text.utf8).drop { $0.isWhiteSpace }
        if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        rest = rest.drop { $0 == UInt8(ascii: "0") }
        guard let first = rest.first else { return false }
        return "YyTt123456789".utf8.contains(first)
    }
}
