internal import CommandSupport
internal import Encodings
internal import Fetching
internal import Pinning

/// The result of one host in one row of a table.
struct FetchRow {
    let result: FetchResult
    let now: Timestamp

    private var handshake: HandshakeResult? { try? result.outcome.get() }
    var chain: CertificateChain? { handshake?.chain }
    private var leaf: Certificate? { chain?.entries.first?.certificate }
    private var error: FetchError? { if case .failure(let error) = result.outcome { error } else { nil } }

    var target: String { result.target.description }
    var address: String { (handshake?.endpoint ?? result.part?.endpoint ?? error?.endpoint)?.description ?? "" }
    /// `trusted`, `untrusted` or `unreachable`.
    var status: String { chain.map { $0.isTrusted ? "trusted" : "untrusted" } ?? "unreachable" }
    /// Whether the server proved that it has the leaf's key; nil if there is no chain.
    var isProven: Bool? { handshake?.isProven }
    /// The code of the first reason; empty for a trusted chain.
    var reason: String { chain.map { $0.failures.first?.code ?? "" } ?? error?.code.rawValue ?? "" }
    /// The reasons as a sentence; empty for a trusted chain.
    var message: String { chain?.reason ?? error?.message ?? "" }
    var subject: String { leaf?.subject?.displayName ?? "" }
    var issuer: String { leaf?.issuer?.displayName ?? "" }
    /// The name of the trust anchor; empty if the chain is not trusted.
    var root: String { chain?.anchor.map { KnownAuthorities.name(of: $0.pin) ?? $0.subject?.displayName ?? "" } ?? "" }
    var key: String { leaf?.key.description ?? "" }
    var signature: String { leaf?.signatureAlgorithm ?? "" }
    var version: String { handshake?.protocolVersion ?? "" }
    var pin: Pin? { leaf?.pin }

    /// The certificate of the chain that expires first, without the trust anchor, whose expiry most clients ignore.
    private var firstToExpire: Certificate? {
        guard let chain else { return nil }
        let below = chain.isTrusted && chain.entries.count > 1 ? chain.entries.dropLast() : chain.entries[...]
        return below.map(\.certificate).filter { $0.notAfter != nil }.min { left, right in
            (left.notAfter?.secondsSince1970 ?? .max) < (right.notAfter?.secondsSince1970 ?? .max)
        }
    }

    /// The end of validity of the chain.
    var notAfter: Timestamp? { firstToExpire?.notAfter }
    /// The number of whole days until ``notAfter``; negative if it has passed.
    var daysLeft: Int64? { notAfter.map { now.days(until: $0) } }

    /// Whether a certificate of the chain has a key of less than 112 bits of security.
    private static let minimumRSABits = 2048
    private static let minimumCurveBits = 224

    var hasWeakKey: Bool {
        guard let chain else { return false }
        return chain.entries.contains { entry in
            let key = entry.certificate.key
            guard let bits = key.bits else { return false }
            return key.type == "EC" ? bits < Self.minimumCurveBits : bits < Self.minimumRSABits
        }
    }
}
