/// A TLS protocol version. The raw value is its version number as text.
package enum TLSVersion: String, CaseIterable, Comparable, Sendable {
    case tls10 = "1.0"
    case tls11 = "1.1"
    case tls12 = "1.2"
    case tls13 = "1.3"

    /// The version number on the wire (RFC 8446, section 4.2.1).
    var wireNumber: UInt16 {
        switch self {
        case .tls10: 0x0301
        case .tls11: 0x0302
        case .tls12: 0x0303
        case .tls13: 0x0304
        }
    }

    /// OpenSSL's name of the version.
    var name: String { self == .tls10 ? "TLSv1" : "TLSv\(rawValue)" }

    package static func < (left: Self, right: Self) -> Bool { left.wireNumber < right.wireNumber }
}
