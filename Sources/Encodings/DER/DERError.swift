/// An error in DER, with its offset (X.690, sections 8.1, 10 and 11).
public struct DERError: Error, Hashable, Sendable {
    /// The offset in bytes from the start of the input, from 0.
    public let offset: Int
    public let problem: Problem

    public enum Problem: Hashable, Sendable {
        /// The input ends inside an element; the value is the number of missing bytes.
        case truncated(missing: Int)
        /// The input ends where this element should begin.
        case missing(DERTag)
        /// An element other than `expected`.
        case unexpected(DERTag, expected: DERTag)
        /// An element that the structure does not allow here.
        case outOfPlace(DERTag)
        /// Bytes after the last element of a structure; the value is their number.
        case trailingBytes(Int)
        /// An indefinite length, which BER allows and DER does not.
        case indefiniteLength
        /// A length with more bytes than necessary, which BER allows and DER does not.
        case lengthNotMinimal
        /// A length of more than four bytes, or the reserved first byte FF.
        case lengthTooLarge
        /// A tag number of 2²⁸ or more, or one with more bytes than necessary.
        case unusableTag
        /// A string in parts, which BER permits and DER does not.
        case constructedString(DERTag)
        /// Contents that the type of the element does not allow.
        case invalidContents(DERTag)
    }

    public init(offset: Int, _ problem: Problem) {
        self.offset = offset
        self.problem = problem
    }

    /// Whether the input may be BER that the stricter rules of DER reject.
    public var isBER: Bool {
        switch problem {
        case .indefiniteLength, .lengthNotMinimal, .constructedString: true
        default: false
        }
    }
}

extension DERError: CustomStringConvertible {
    public var description: String {
        switch problem {
        case .truncated(let missing):
            "the element at byte \(offset) is truncated: expected \(missing) more byte\(missing == 1 ? "" : "s")"
        case .missing(let expected): "expected \(expected) at byte \(offset), found the end of the structure"
        case .unexpected(let found, let expected): "expected \(expected) at byte \(offset), found \(found)"
        case .outOfPlace(let found): "unexpected \(found) at byte \(offset)"
        case .trailingBytes(let count): "\(count) unexpected byte\(count == 1 ? "" : "s") at byte \(offset)"
        case .indefiniteLength: "BER, not DER: indefinite length at byte \(offset)"
        case .lengthNotMinimal: "BER, not DER: length with more bytes than necessary at byte \(offset)"
        case .constructedString(let tag): "BER, not DER: \(tag) in parts at byte \(offset)"
        case .lengthTooLarge: "length field of more than 4 bytes at byte \(offset)"
        case .unusableTag: "invalid tag at byte \(offset)"
        case .invalidContents(let tag): "malformed \(tag) at byte \(offset)"
        }
    }
}
