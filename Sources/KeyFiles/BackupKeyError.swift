internal import Pinning

/// The operation that failed in OpenSSL, with OpenSSL's reason.
package enum BackupKeyError: Error, Hashable, Sendable {
    case generation(reason: String)
    case encoding(reason: String)
    case request(reason: String)

    package var message: String {
        switch self {
        case .generation(let reason): "OpenSSL cannot generate a key of this type: \(reason)"
        case .encoding(let reason): "OpenSSL cannot encrypt or write the key: \(reason)"
        case .request(let reason): "OpenSSL cannot create the certificate request: \(reason)"
        }
    }
}
