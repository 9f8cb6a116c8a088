internal import COpenSSL

/// A TLS protocol version, as `--tls-min` and `--tls-max` name it.
package enum TLSVersion: String, CaseIterable, Comparable, Sendable {
    case tls1_0 = "1.0"
    case tls1_1 = "1.1"
    case tls1_2 = "1.2"
    case tls1_3 = "1.3"

    /// The number on the wire (RFC 8446, section 4.2.1).
    var code: Int32 {
        switch self {
        case .tls1_0: TLS1_VERSION
        case .tls1_1: TLS1_1_VERSION
        case .tls1_2: TLS1_2_VERSION
        case .tls1_3: TLS1_3_VERSION
        }
    }

    package static func < (left: Self, right: Self) -> Bool { left.code < right.code }
}
