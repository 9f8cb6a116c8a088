internal import Encodings

/// The reason why a text is not a pin.
public struct PinSpellingError: Error, Hashable, Sendable {
    /// The given text.
    public let spelling: String
    public let reason: Reason

    /// Offsets count UTF-8 bytes from the start of the given text, including its prefix.
    public enum Reason: Error, Hashable, Sendable {
        /// The text is empty.
        case empty
        /// A digest other than SHA-256, such as `sha1` or `sha512`.
        case algorithm(String)
        /// The number of decoded bytes, which is not 32.
        case length(Int)
        /// Only the `=` at the end is missing.
        case missingPadding
        /// A `=` before the end.
        case misplacedPadding(offset: Int)
        /// A character that is not in the base64 alphabet.
        case character(offset: Int)
        /// `-` or `_`, which belong to base64url (RFC 4648, section 5).
        case urlAlphabet(offset: Int)
        /// The last character has bits that are not part of a byte.
        case trailingBits(offset: Int)
        /// A character that is not a hexadecimal digit, in a text that is mostly hexadecimal.
        case hexDigit(offset: Int)
        /// A colon is missing after a byte, although other bytes are followed by one.
        case missingColon(offset: Int)
        /// An odd number of hexadecimal digits.
        case oddHexDigits(Int)
        /// `pin-sha256="` with no quote at the end.
        case unclosedQuote
        /// The SHA-256 of zero bytes.
        case digestOfNothing
    }

    /// One sentence: what was given and what was expected.
    public var message: String {
        let quoted = spelling.quotedExcerpt
        return switch reason {
        case .empty: "a pin is expected, and there is nothing"
        case .algorithm(let name): "\(quoted) is a pin by \(name), and only pins by sha256 are read"
        case .length(let count): "\(quoted) is \(count) \(count == 1 ? "byte" : "bytes"), and a pin is 32"
        case .missingPadding: "\(quoted) lacks the \"=\" at its end"
        case .misplacedPadding(let offset): "\(quoted) has \(place(offset)), where none belongs"
        case .character(let offset): "\(quoted) has \(place(offset)), which is not in the base64 alphabet"
        case .urlAlphabet(let offset): "\(quoted) has \(place(offset)), from the alphabet of base64 for URLs"
        case .trailingBits(let offset): "\(quoted) has \(place(offset)), whose last bits belong to no byte"
        case .hexDigit(let offset): "\(quoted) has \(place(offset)), which is not a hexadecimal digit"
        case .missingColon(let offset): "\(quoted) has \(place(offset)), where a colon belongs"
        case .oddHexDigits(let count): "\(quoted) has \(count) hexadecimal digits, and a pin has 64"
        case .unclosedQuote: "\(quoted) has no closing quote"
        case .digestOfNothing: "\(quoted) is the SHA-256 of nothing"
        }
    }

    /// The next step, if there is one.
    public var hint: String? {
        switch reason {
        case .empty, .length, .misplacedPadding, .oddHexDigits:
            "a pin is the SHA-256 of a public key: 44 characters of base64, or 64 hexadecimal digits"
        case .algorithm: "make the pin anew from the certificate or the key"
        case .missingPadding:
            spelling.hasSuffix("\"")
                ? "write \(String(spelling.dropLast() + "=\"").quotedExcerpt)"
                : "write \((spelling + "=").quotedExcerpt)"
        case .character(let offset): isWhiteSpace(at: offset) ? "remove the white space" : nil
        case .urlAlphabet: "write \"+\" for \"-\" and \"/\" for \"_\""
        case .trailingBits: "a character was changed or lost: copy the pin again"
        case .hexDigit, .missingColon: nil
        case .unclosedQuote: "write \((spelling + "\"").quotedExcerpt)"
        case .digestOfNothing:
            "whatever should have printed the key printed nothing; make the pin anew from the certificate or the key"
        }
    }
}

extension PinSpellingError: CustomStringConvertible {
    public var description: String { message }
}

extension PinSpellingError {
    /// The character and its position, counted from 1: `"!" at character 12`.
    private func place(_ offset: Int) -> String {
        let scalars = spelling.unicodeScalars
        let index = spelling.utf8.index(spelling.startIndex, offsetBy: offset)
        return
            "\(String(scalars[index]).quotedExcerpt) at character \(scalars.distance(from: scalars.startIndex, to: index) + 1)"
    }

    private func isWhiteSpace(at offset: Int) -> Bool {
        spelling.unicodeScalars[spelling.utf8.index(spelling.startIndex, offsetBy: offset)].properties.isWhitespace
    }
}
