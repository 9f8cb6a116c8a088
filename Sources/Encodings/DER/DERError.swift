/// Why bytes are not the DER they should be (X.690, sections 8.1, 10 and 11).
public struct DERError: Error, Hashable, Sendable {
    /// Where, counted in bytes from the start of the input, from 0.
    public let offset: Int
    public let problem: Problem

    public enum Problem: Hashable, Sendable {
        /// The bytes end inside an element; this many are missing.
        case truncated(missing: Int)
        /// The bytes end where this element should begin.
        case missing(DERTag)
        /// Another element stands where `expected` should.
        case unexpected(DERTag, expected: DERTag)
        /// Another element stands here than the structure has room for.
        case outOfPlace(DERTag)
        /// This many bytes follow the last element of a structure.
        case trailingBytes(Int)
        /// BER's indefinite length: DER has none.
        case indefiniteLength
        /// A length written with more bytes than it needs: BER, not DER.
        case lengthNotMinimal
        /// A length of more than four bytes, or the reserved first byte FF.
        case lengthTooLarge
        /// A tag number of 2²⁸ or more, or one written with more bytes than it needs.
        case unusableTag
        /// The element has the right tag and contents that its type does not allow.
        case invalidContents(DERTag)
    }

    public init(offset: Int, _ problem: Problem) {
        self.offset = offset
        self.problem = problem
    }

    /// Whether the bytes may be BER that DER's stricter rules refuse.
    public var isBER: Bool { problem == .indefiniteLength || problem == .lengthNotMinimal }
}

extension DERError: CustomStringConvertible {
    public var description: String {
        switch problem {
        case .truncated(let missing):
            "the element at byte \(offset) is cut short: \(missing) more byte\(missing == 1 ? "" : "s") expected"
        case .missing(let expected): "\(expected) expected at byte \(offset), where its surroundings end"
        case .unexpected(let found, let expected): "\(expected) expected at byte \(offset), found \(found)"
        case .outOfPlace(let found): "\(found) out of place at byte \(offset)"
        case .trailingBytes(let count): "\(count) byte\(count == 1 ? "" : "s") too many at byte \(offset)"
        case .indefiniteLength: "BER, not DER: an indefinite length at byte \(offset)"
        case .lengthNotMinimal: "BER, not DER: a length longer than it needs to be at byte \(offset)"
        case .lengthTooLarge: "a length that no certificate has at byte \(offset)"
        case .unusableTag: "a tag that is not DER at byte \(offset)"
        case .invalidContents(let tag): "a malformed \(tag) at byte \(offset)"
        }
    }
}
