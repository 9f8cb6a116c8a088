internal import COpenSSL

/// A TLS protocol version, as `--tls-min` and `--tls-max` name it.
package enum TLSVersion: String, CaseIterable, Comparable, Sendable {
    case tls10 = "1.0"
    case tls11 = "1.1"
    case tls12 = "1.2"
    case tls13 = "1.3"

    /// The number on the wire (RFC 8446, section 4.2.1).
    var code: Int32 {
        switch self {
        case .tls10: TLS1_VERSION
        case .tls11: TLS1_1_VERSION
        case .tls12: TLS1_2_VERSION
        case .tls13: TLS1_3_VERSION
        }
    }

    package static func < (left: Self, right: Self) -> Bool { left.code < right.code }
}
