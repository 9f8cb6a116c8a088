internal import Encodings

/// The reason why a text is not a pin.
public struct PinSpellingError: Error, Hashable, Sendable {
    /// The given text.
    public let spelling: String
    public let reason: Reason

    /// Offsets are in UTF-8 bytes from the start of the given text, including its prefix.
    public enum Reason: Error, Hashable, Sendable {
        /// The text is empty.
        case empty
        /// A digest other than SHA-256, such as `sha1` or `sha512`.
        case algorithm(String)
        /// The number of decoded bytes, which is not 32.
        case length(Int)
        /// The `=` at the end is missing; the rest is correct.
        case missingPadding
        /// A `=` before the end.
        case misplacedPadding(offset: Int)
        /// A character that is not in the base64 alphabet.
        case character(offset: Int)
        /// `-` or `_`, which belong to base64url (RFC 4648, section 5).
        case urlAlphabet(offset: Int)
        /// The last character has bits that are not part of a complete byte.
        case trailingBits(offset: Int)
        /// A character that is not a hexadecimal digit, in a text that is mostly hexadecimal.
        case hexDigit(offset: Int)
        /// A colon is missing after a byte, although there are colons after other bytes.
        case missingColon(offset: Int)
        /// An odd number of hexadecimal digits.
        case oddHexDigits(Int)
        /// `pin-sha256="` with no quote at the end.
        case unclosedQuote
        /// The SHA-256 of empty input.
        case digestOfNothing
    }

    /// One sentence: what was given and what was expected.
    public var message: String {
        let quoted = spelling.quotedExcerpt
        return switch reason {
        case .empty: "the pin is empty"
        case .algorithm(let name): "\(quoted) is a \(name) digest, but a pin is a sha256 digest"
        case .length(let count): "\(quoted) has \(count) \(count == 1 ? "byte" : "bytes"), but a pin has 32"
        case .missingPadding: "\(quoted) does not end with \"=\""
        case .misplacedPadding(let offset):
            "\(quoted) has \(describedCharacter(offset)), which is allowed only at the end"
        case .character(let offset): "\(quoted) has \(describedCharacter(offset)), which is not in the base64 alphabet"
        case .urlAlphabet(let offset): "\(quoted) has \(describedCharacter(offset)), which belongs to base64url"
        case .trailingBits(let offset):
            "\(quoted) has \(describedCharacter(offset)), which has bits that are not part of a byte"
        case .hexDigit(let offset): "\(quoted) has \(describedCharacter(offset)), which is not a hexadecimal digit"
        case .missingColon(let offset): "\(quoted) has \(describedCharacter(offset)), where a colon is expected"
        case .oddHexDigits(let count): "\(quoted) has \(count) hexadecimal digits, but a pin has 64"
        case .unclosedQuote: "\(quoted) has no closing quote"
        case .digestOfNothing: "\(quoted) is the SHA-256 of empty input"
        }
    }

    /// The next step, if there is one.
    public var hint: String? {
        switch reason {
        case .empty, .length, .misplacedPadding, .oddHexDigits:
            "write the SHA-256 of a public key: 44 characters of base64, or 64 hexadecimal digits"
        case .algorithm: "generate the pin again from the certificate or key"
        case .missingPadding:
            spelling.hasSuffix("\"")
                ? "write \(String(spelling.dropLast() + "=\"").quotedExcerpt)"
                : "write \((spelling + "=").quotedExcerpt)"
        case .character(let offset): isWhiteSpace(at: offset) ? "remove the white space" : nil
        case .urlAlphabet where spelling.hasPrefix("-----BEGIN "): "generate the pin from this certificate or key"
        case .urlAlphabet: "write \"+\" for \"-\" and \"/\" for \"_\""
        case .trailingBits: "copy the pin again: a character was changed or lost"
        case .hexDigit, .missingColon: nil
        case .unclosedQuote: "write \((spelling + "\"").quotedExcerpt)"
        case .digestOfNothing:
            "generate the pin again from the certificate or key: the command that should print the key printed nothing"
        }
    }
}

extension PinSpellingError: CustomStringConvertible {
    public var description: String { message }
}

extension PinSpellingError {
    /// The character and its position, counted from 1: `"!" at character 12`.
    private func describedCharacter(_ offset: Int) -> String {
        let scalars = spelling.unicodeScalars
        let index = spelling.utf8.index(spelling.startIndex, offsetBy: offset)
        return
            "\(String(scalars[index]).quotedExcerpt) at character \(scalars.distance(from: scalars.startIndex, to: index) + 1)"
    }

    private func isWhiteSpace(at offset: Int) -> Bool {
        spelling.unicodeScalars[spelling.utf8.index(spelling.startIndex, offsetBy: offset)].properties.isWhitespace
    }
}
