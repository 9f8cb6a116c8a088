internal import Encodings

/// The reason why a text is not a DNS name.
public enum DomainNameError: Error, Hashable, Sendable {
    case empty
    /// Two dots in a row, or a dot at the start.
    case emptyLabel
    /// The length in bytes as A-labels; for a text that was too long to convert, its length in bytes.
    case tooLong(Int)
    case labelTooLong(String)
    case whiteSpace
    /// A character that host names cannot contain.
    case character(Unicode.Scalar)
    /// A character that host names can contain, but not at this position, such as a mark without a letter before it (RFC 5891,
    /// section 4.2.3).
    case misplaced(Unicode.Scalar)
    /// The last label is a number, but the text is not an IPv4 address.
    case badAddress
    /// The text contains a private key, or a PKCS #12 file, which can have one. A report or another format would show the name.
    case privateKey, pkcs12

    init(_ kind: PrivateKeyKind) {
        self =
            switch kind {
            case .privateKey: .privateKey
            case .pkcs12: .pkcs12
            }
    }

    /// What of a private key the text contains; nil for other errors.
    var privateKeyKind: PrivateKeyKind? {
        switch self {
        case .privateKey: .privateKey
        case .pkcs12: .pkcs12
        default: nil
        }
    }

    /// The reason, to be written after the name: "has an empty label: two dots in a row, or one at the start".
    package var reason: String {
        switch self {
        case .empty: "is empty"
        case .emptyLabel: "has an empty label: two dots in a row, or one at the start"
        case .tooLong(let count): "has \(count) bytes, but the maximum is \(DomainName.maximumNameLength)"
        case .labelTooLong(let label):
            // Few characters, because the text can be a private key, which begins with a header.
            "has a label of more than \(DomainName.maximumLabelLength) bytes, \"\(label.prefix(4))…\""
        case .whiteSpace: "contains white space"
        case .character(let scalar): "contains a character that host names cannot contain: \(Self.shown(scalar))"
        case .misplaced(let scalar): "contains \(Self.shown(scalar)) at a position where host names cannot contain it"
        case .badAddress: "is neither a host name nor an IPv4 address of four numbers from 0 to 255"
        case .privateKey: "contains \(PrivateKeyKind.privateKey.rawValue)"
        case .pkcs12: "contains \(PrivateKeyKind.pkcs12.rawValue)"
        }
    }

    package var hint: String? {
        switch self {
        case .whiteSpace: "remove the white space"
        case .badAddress: "write an IPv4 address as 192.0.2.1, without leading zeros"
        case .privateKey: "remove it, and replace the key if others could read it"
        case .pkcs12: "remove it"
        case .labelTooLong, .tooLong, .character, .misplaced, .empty, .emptyLabel: nil
        }
    }

    /// The character, if it is visible, and its code point, because many characters look alike.
    private static func shown(_ scalar: Unicode.Scalar) -> String {
        if (0x21..<0x7F).contains(scalar.value) { return "\"\(Character(scalar))\"" }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .nonspacingMark, .spacingMark, .enclosingMark,
            .lineSeparator, .paragraphSeparator, .spaceSeparator:
            return code
        default: return "\"\(Character(scalar))\" (\(code))"
        }
    }
}
