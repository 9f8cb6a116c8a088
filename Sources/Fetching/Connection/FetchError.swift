internal import Encodings
package import OpenSSL
package import Pinning
package import PlaintextProtocols

/// The reason why no chain was fetched from a host.
///
/// All cases are indirect, because each function that can throw the error has room for it in its frame, also for each host in flight.
package indirect enum FetchError: Error, Sendable {
    /// The name has no address, or the name service did not answer.
    case resolve(name: String, ResolveFailure)
    /// The target is an address of a family that the options exclude.
    case family(address: String, wanted: AddressFamily)
    /// No address accepted a connection.
    case connect([Attempt])
    /// The host has more addresses than a run connects to (``AddressLimits/maximumAddresses``): its name, the first address that
    /// was not contacted, and the number of all addresses.
    case excessAddresses(String, Endpoint, count: Int)
    /// The servers of the host presented more different certificates than a run keeps (``HostChains``): its name, and the address
    /// whose certificates were not kept, nil if only a proxy knows it.
    case excessCertificates(String, Endpoint?)
    /// The time limit was reached.
    case timeout(Stage, after: Duration)
    /// A step in plain text failed. Such steps run before the handshake.
    case negotiation(PlaintextStep, Endpoint, NegotiationFailure)
    /// The TLS connection to the proxy failed after its handshake.
    case tunnel(Endpoint, OpenSSLError)
    /// The connection to the proxy, or the proxy, failed.
    case proxy(Proxy.Label, FetchError)
    /// The connection through a proxy failed after the proxy had made it: the proxy, the target and the proxy for messages, and
    /// the address of the target, nil if only the proxy knows it. The error itself names the address of the proxy.
    case throughProxy(Proxy.Label, peer: String, Endpoint?, FetchError)
    /// The connection ended or broke before the handshake was complete.
    case closed(Endpoint, SystemError?)
    /// The first bytes of the peer are not TLS; the target, if it is known.
    case notTLS(Endpoint, firstBytes: [UInt8], target: Target? = nil)
    /// The peer sent a fatal TLS alert (RFC 8446, section 6).
    case alert(Endpoint, TLSAlert)
    /// The server sent a fatal TLS alert after these certificates, so the alert does not say that it has none for the client. Empty if
    /// one cannot be decoded.
    case alertAfterCertificate(Endpoint, TLSAlert, [Certificate])
    /// OpenSSL aborted the handshake, because the key of the server's certificate has a type or a curve that the client did not
    /// offer, with the certificates that the server sent. Empty if one cannot be decoded.
    case wrongKey(Endpoint, OpenSSLError, [Certificate])
    /// OpenSSL aborted the handshake.
    case handshake(Endpoint, OpenSSLError)
    /// The server sent more bytes or records than a handshake may have.
    case excessiveHandshake(Endpoint, HandshakeBudget.Limit)
    /// The prime of the server's Diffie-Hellman exchange is too long.
    case excessiveDiffieHellmanPrime(Endpoint)
    /// The handshake completed, but the server sent no certificate.
    case noCertificate(Endpoint)
    /// A certificate of the server cannot be parsed.
    case badCertificate(Endpoint, String)
    /// The failure of a handshake in which the client accepted only these types of server keys.
    case keyTypes(Set<ServerKeyType>, FetchError)

    /// A failed connection attempt.
    package struct Attempt: Sendable {
        package let endpoint: Endpoint
        package let error: SystemError
        /// Whether connect(2) failed at once, so that nothing was sent. Otherwise a router can have sent the error: Linux reports an
        /// ICMP message as ENETUNREACH too, but never before connect(2) returns (tcp_v4_err and tcp_v6_err).
        package var isLocal = false

        /// Whether this machine has no route to the address.
        var isUnroutable: Bool { isLocal && error.isUnroutable }
    }

    /// The step in which the time limit was reached.
    package enum Stage: Sendable {
        case resolving(name: String)
        /// The address waited for connections to other addresses of the host.
        case waiting(Endpoint)
        case connecting([Endpoint])
        /// Connected, in a step in plain text; `hasAnswered` is true if the peer has sent at least one byte.
        case negotiating(PlaintextStep, Endpoint, hasAnswered: Bool)
        /// Connected; `hasAnswered` is true if the peer has sent at least one byte in the handshake.
        case handshaking(Endpoint, hasAnswered: Bool)
    }

    /// This error with the types of server keys that the client accepted.
    func naming(_ keyTypes: Set<ServerKeyType>) -> FetchError {
        if case .keyTypes = self { self } else { .keyTypes(keyTypes, self) }
    }

    /// An identifier for programs; part of the JSON interface.
    package enum Code: String, Sendable {
        case resolve, refused, unreachable, timeout, proxy
        case startTLS = "starttls"
        case closed, tls
        case noCertificate = "no-certificate"
        case tooManyAddresses = "too-many-addresses"
    }

    package var code: Code {
        switch self {
        case .resolve, .family: .resolve
        case .connect(let attempts): attempts.contains { $0.error.isRefusal } ? .refused : .unreachable
        case .excessAddresses: .tooManyAddresses
        case .timeout: .timeout
        case .negotiation(.startTLS, _, _): .startTLS
        case .negotiation(.proxy, _, _), .tunnel, .proxy: .proxy
        case .throughProxy(_, _, _, let error): error.code
        case .closed: .closed
        case .notTLS, .alert, .alertAfterCertificate, .wrongKey, .handshake, .excessiveHandshake,
            .excessiveDiffieHellmanPrime,
            .badCertificate, .excessCertificates:
            .tls
        case .noCertificate: .noCertificate
        case .keyTypes(_, let error): error.code
        }
    }

    /// The URL of the proxy, without its credential; nil for a direct connection.
    package var proxy: String? {
        switch self {
        case .proxy(let name, _), .throughProxy(let name, _, _, _): name.text
        case .keyTypes(_, let error): error.proxy
        default: nil
        }
    }

    /// Whether this machine has no route to any of the addresses, for example because its network lacks the address family.
    package var isUnroutable: Bool {
        if case .keyTypes(_, let error) = self { return error.isUnroutable }
        if case .throughProxy(_, _, _, let error) = self { return error.isUnroutable }
        guard case .connect(let attempts) = self else { return false }
        return !attempts.isEmpty && attempts.allSatisfy(\.isUnroutable)
    }

    /// Whether the handshake failed because client and server have no common parameter, such as a type of server key.
    package var isNegotiationFailure: Bool {
        switch self {
        case .alert(_, let alert): alert.isHandshakeFailure || alert.isInsufficientSecurity
        case .wrongKey: true
        case .keyTypes(let accepted, let error): error.isNegotiationFailure || error.isAboutKey(notOf: accepted)
        case .throughProxy(_, _, _, let error): error.isNegotiationFailure
        default: false
        }
    }

    /// Whether the server refused the handshake after a certificate whose key has none of these types. Up to TLS 1.2, servers in Go send
    /// their only certificate for cipher suites that it shares with a type that the client offers, such as Ed25519, and then find that its
    /// key can make no signature for the client (`generateServerKeyExchange` in crypto/tls/key_agreement.go).
    private func isAboutKey(notOf types: Set<ServerKeyType>) -> Bool {
        guard case .alertAfterCertificate(_, _, let sent) = base,
            let type = sent.first.flatMap({ ServerKeyType($0.key) })
        else { return false }
        return !types.contains(type)
    }

    /// The error of the connection to the server.
    private var base: FetchError {
        switch self {
        case .keyTypes(_, let error), .throughProxy(_, _, _, let error): error.base
        default: self
        }
    }

    /// Whether the server selects none or one of these lists of certificates for the client. A list counts also if the handshake fails
    /// after it, because the client did not offer the key of the first one: RFC 8446, section 4.4.2.2, recommends that such a server sends
    /// one nevertheless. If it is not among these, another server behind the address answered, and its certificates are not known.
    package func rulesOutCertificates(otherThan known: [Set<Certificate>]) -> Bool {
        switch base {
        case .alertAfterCertificate(_, _, let sent), .wrongKey(_, _, let sent):
            !sent.isEmpty && known.contains(Set(sent))
        default: isNegotiationFailure
        }
    }

    /// Whether the handshake failed because client and server have no common version of TLS.
    package var isVersionRefusal: Bool {
        switch self {
        case .alert(_, let alert): alert.isVersionRefusal
        case .handshake(_, let error): error.isVersionRefusal
        case .keyTypes(_, let error), .throughProxy(_, _, _, let error): error.isVersionRefusal
        default: false
        }
    }

    /// Whether the server rejected the versions of TLS that the client offered. An answer with another version is no rejection: the server
    /// may have a chain for clients that offer it.
    package var isVersionRejection: Bool {
        if case .alert(_, let alert) = base { return alert.isVersionRefusal }
        return false
    }

    /// Whether the handshake failed because the server supports none of the application protocols that the client offered.
    package var isApplicationProtocolRefusal: Bool {
        if case .alert(_, let alert) = base { return alert.isApplicationProtocolRefusal }
        return false
    }

    /// Whether the server ended the handshake before it sent a certificate, with an alert or by closing the connection.
    package var isServerRefusal: Bool {
        switch self {
        case .alert, .closed: true
        case .keyTypes(_, let error), .throughProxy(_, _, _, let error): error.isServerRefusal
        default: false
        }
    }

    /// Why the look-up of the name failed; nil if the name service answered, also if the name has no address.
    package var lookUpFailure: String? {
        switch self {
        case .resolve(_, let failure) where failure.isFailedLookUp: failure.text
        case .timeout(.resolving, let limit): "no answer within \(limit.inSeconds)"
        default: nil
        }
    }

    /// The address of the connection; nil if no connection was established.
    package var endpoint: Endpoint? {
        switch self {
        case .resolve, .family, .connect, .excessAddresses, .timeout(.resolving, _), .timeout(.waiting, _),
            .timeout(.connecting, _), .proxy:
            nil
        case .throughProxy(_, _, let endpoint, _), .excessCertificates(_, let endpoint): endpoint
        case .timeout(.negotiating(_, let endpoint, _), _), .timeout(.handshaking(let endpoint, _), _),
            .negotiation(_, let endpoint, _), .tunnel(let endpoint, _), .closed(let endpoint, _),
            .notTLS(let endpoint, _, _),
            .alert(let endpoint, _), .alertAfterCertificate(let endpoint, _, _), .wrongKey(let endpoint, _, _),
            .handshake(let endpoint, _),
            .excessiveHandshake(let endpoint, _),
            .excessiveDiffieHellmanPrime(let endpoint), .noCertificate(let endpoint),
            .badCertificate(let endpoint, _):
            endpoint
        case .keyTypes(_, let error): error.endpoint
        }
    }
}
