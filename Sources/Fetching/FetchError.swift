package import OpenSSL

/// Why a host gave no chain.
package enum FetchError: Error, Sendable {
    /// The name has no address, or the service that would know did not answer.
    case resolve(name: String, ResolveFailure)
    /// An address was given, and addresses of the other family only are wanted.
    case family(address: String, wanted: AddressFamily)
    /// No address took the connection: nobody listens at any, or some cannot be reached.
    case connect([Attempt])
    /// Time ran out.
    case timeout(Stage, after: Duration)
    /// The peer ended the connection, or it broke, before the handshake was done.
    case closed(Endpoint, SystemError?)
    /// The peer answered, but not in TLS.
    case notTLS(Endpoint, firstBytes: [UInt8])
    /// The peer refused with a TLS alert (RFC 8446, section 6).
    case alert(Endpoint, TLSAlert)
    /// The handshake failed on this side.
    case handshake(Endpoint, OpenSSLError)
    /// The handshake was done without a certificate.
    case noCertificate(Endpoint)
    /// A certificate that cannot be taken apart.
    case badCertificate(Endpoint, String)

    package struct Attempt: Sendable {
        package let endpoint: Endpoint
        package let error: SystemError
    }

    package enum Stage: Sendable {
        case resolving(name: String)
        case connecting([Endpoint])
        /// Connected; `hasAnswered` tells whether the peer has sent anything.
        case handshaking(Endpoint, hasAnswered: Bool)
    }

    /// A word for programs; part of the JSON interface.
    package enum Code: String, Sendable {
        case resolve, refused, unreachable, timeout, closed, tls
        case noCertificate = "no-certificate"
    }

    package var code: Code {
        switch self {
        case .resolve, .family: .resolve
        case .connect(let attempts): attempts.contains { $0.error.isRefusal } ? .refused : .unreachable
        case .timeout: .timeout
        case .closed: .closed
        case .notTLS, .alert, .handshake, .badCertificate: .tls
        case .noCertificate: .noCertificate
        }
    }

    /// Whether there is no way from this machine to any address tried: to those of a family that its network does not have, say.
    package var isUnroutable: Bool {
        guard case .connect(let attempts) = self else { return false }
        return !attempts.isEmpty && attempts.allSatisfy(\.error.isUnroutable)
    }

    /// The address that was spoken to, where it came that far.
    package var endpoint: Endpoint? {
        switch self {
        case .resolve, .family, .connect, .timeout(.resolving, _), .timeout(.connecting, _): nil
        case .timeout(.handshaking(let endpoint, _), _), .closed(let endpoint, _), .notTLS(let endpoint, _),
            .alert(let endpoint, _), .handshake(let endpoint, _), .noCertificate(let endpoint),
            .badCertificate(let endpoint, _):
            endpoint
        }
    }
}
