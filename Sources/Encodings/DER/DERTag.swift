/// The tag of one DER element: class, form and number (X.690, section 8.1.2).
public struct DERTag: Hashable, Sendable {
    /// The class is in bits 30 and 31, the constructed bit is bit 29, and the number is in the other bits. One word makes
    /// comparison fast.
    private let word: UInt32

    /// The class of a tag, which determines who defines its meaning.
    public enum Class: UInt8, Sendable {
        case universal, application, contextSpecific, privateUse
    }

    /// Maximum tag number, far above the numbers in certificates.
    static let maximumNumber: UInt32 = 1 << 28 - 1

    init(class: Class, isConstructed: Bool, number: UInt32) {
        word = UInt32(`class`.rawValue) << 30 | (isConstructed ? 1 << 29 : 0) | number & Self.maximumNumber
    }

    /// The tag of a single identifier byte.
    @inline(__always)
    init(identifier: UInt8) {
        word = UInt32(identifier & 0xE0) << 24 | UInt32(identifier & 0x1F)
    }

    /// The tag with the constructed bit.
    var constructed: DERTag { DERTag(class: `class`, isConstructed: true, number: number) }

    public var `class`: Class { Class(rawValue: UInt8(word >> 30)) ?? .universal }
    public var isConstructed: Bool { word & 1 << 29 != 0 }
    public var number: UInt32 { word & Self.maximumNumber }
}

extension DERTag {
    package static let boolean = DERTag(identifier: 0x01)
    package static let integer = DERTag(identifier: 0x02)
    package static let bitString = DERTag(identifier: 0x03)
    package static let octetString = DERTag(identifier: 0x04)
    package static let null = DERTag(identifier: 0x05)
    package static let objectIdentifier = DERTag(identifier: 0x06)
    package static let utf8String = DERTag(identifier: 0x0C)
    package static let numericString = DERTag(identifier: 0x12)
    package static let printableString = DERTag(identifier: 0x13)
    package static let teletexString = DERTag(identifier: 0x14)
    package static let ia5String = DERTag(identifier: 0x16)
    package static let utcTime = DERTag(identifier: 0x17)
    package static let generalizedTime = DERTag(identifier: 0x18)
    package static let visibleString = DERTag(identifier: 0x1A)
    package static let universalString = DERTag(identifier: 0x1C)
    package static let bmpString = DERTag(identifier: 0x1E)
    package static let sequence = DERTag(identifier: 0x30)
    package static let set = DERTag(identifier: 0x31)

    /// `[number]` around another element: EXPLICIT tagging, or IMPLICIT tagging of a constructed type.
    package static func wrapper(_ number: UInt32) -> DERTag {
        DERTag(class: .contextSpecific, isConstructed: true, number: number)
    }

    /// `[number]` instead of a primitive type's own tag: IMPLICIT tagging.
    package static func implicit(_ number: UInt32) -> DERTag {
        DERTag(class: .contextSpecific, isConstructed: false, number: number)
    }
}

extension DERTag: CustomStringConvertible {
    /// The name as ASN.1 writes it: `SEQUENCE`, `INTEGER`, `[0]`, `[APPLICATION 3]`.
    public var description: String {
        switch `class` {
        case .universal: universalName
        case .application: "[APPLICATION \(number)]"
        case .contextSpecific: "[\(number)]"
        case .privateUse: "[PRIVATE \(number)]"
        }
    }

    private var universalName: String {
        switch number {
        case 0: "end-of-contents"
        case 1: "BOOLEAN"
        case 2: "INTEGER"
        case 3: "BIT STRING"
        case 4: "OCTET STRING"
        case 5: "NULL"
        case 6: "OBJECT IDENTIFIER"
        case 10: "ENUMERATED"
        case 12: "UTF8String"
        case 16: "SEQUENCE"
        case 17: "SET"
        case 18: "NumericString"
        case 19: "PrintableString"
        case 20: "TeletexString"
        case 22: "IA5String"
        case 23: "UTCTime"
        case 24: "GeneralizedTime"
        case 26: "VisibleString"
        case 28: "UniversalString"
        case 30: "BMPString"
        default: "[UNIVERSAL \(number)]"
        }
    }
}
