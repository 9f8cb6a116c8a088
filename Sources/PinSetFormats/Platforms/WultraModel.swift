internal import Encodings
internal import PinSetCodec
internal import Pinning

/// A store of fingerprints as WultraSSLPinning reads it (wultra/ssl-pinning-ios 1.6.0, Lib/CertStore+Validation.swift;
/// wultra/ssl-pinning-android 1.4.0, CertStore.kt, integration/SSLPinningX509TrustManager.kt).
///
/// The library finds a fingerprint by the common name of the server's certificate, not by the host. If there is no entry that has
/// not expired, the result is "empty". An app must treat this like "untrusted": the iOS documentation says to cancel the
/// connection, and the trust manager for Android throws an exception.
struct WultraModel: PlatformModel {
    struct Fingerprint {
        /// The common name of the certificate.
        let name: String
        /// SHA-256 of the certificate; nil for a text that is not base64 of 32 bytes.
        let digest: [UInt8]?
        let expires: Timestamp
        let position: SourcePosition?
    }

    let fingerprints: [Fingerprint]
    /// The indices of the fingerprints with each name.
    private let indices: [ExactText: [Int]]

    init(fingerprints: [Fingerprint]) {
        self.fingerprints = fingerprints
        var indices: [ExactText: [Int]] = [:]
        for (index, fingerprint) in fingerprints.enumerated() {
            indices[ExactText(fingerprint.name), default: []].append(index)
        }
        self.indices = indices
    }

    func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard let name = connection.leaf?.commonName else {
            return PlatformRuling(
                .rejects, "fingerprints are looked up by common name, and the leaf certificate has none")
        }
        let named = (indices[ExactText(name)] ?? []).map { fingerprints[$0] }
        guard !named.isEmpty else {
            return PlatformRuling(
                .rejects, "no fingerprint has the common name of the leaf certificate, \(name.quotedExcerpt)")
        }
        // At the second of its expiry, a fingerprint still applies.
        let current = named.filter { $0.expires >= connection.now }
        guard !current.isEmpty else {
            let last = named.map(\.expires).max().map { " at \($0)" } ?? ""
            return PlatformRuling(
                .rejects, "every fingerprint of \(name.quotedExcerpt) expired\(last), so the store has none for it")
        }
        guard current.contains(where: { $0.digest != nil && $0.digest == connection.leaf?.fingerprint }) else {
            return PlatformRuling(
                .rejects,
                "the library compares the leaf certificate, and no fingerprint of \(name.quotedExcerpt) matches it")
        }
        return PlatformRuling(.accepts, "a fingerprint of \(name.quotedExcerpt) matches the leaf certificate")
    }

    func rulingOnInvalidChain(_ connection: PlatformConnection) -> PlatformRuling {
        let note =
            ruling(on: connection).verdict == .accepts
            ? "; SSLPinningX509TrustManager for Android does not validate the chain and accepts this certificate" : ""
        return PlatformRuling(.rejects, "iOS validates the chain, and this one does not validate\(note)")
    }

    var traps: [PlatformTrap] {
        fingerprints.compactMap { fingerprint in
            guard fingerprint.digest == nil else { return nil }
            return PlatformTrap(
                .neverMatches, host: fingerprint.name,
                "a fingerprint of \(fingerprint.name.quotedExcerpt) is not base64 of 32 bytes and never matches",
                at: fingerprint.position)
        }
    }
}

/// The fingerprints that `convert` writes for a set, assuming that it gets the certificates that the servers use now.
struct WultraSetModel: PlatformModel {
    let set: PinSet

    func refusal(of connection: PlatformConnection) -> PlatformRuling? { entry(connection)?.retiredRuling }

    func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard !connection.isAddress else {
            return PlatformRuling(.notPinned, "fingerprints are for names, not for IP addresses")
        }
        guard let entry = entry(connection) else {
            let isBelow = connection.parents.contains { name in
                self.set.indices[name].map { self.set.entries[$0].subdomains != .none } ?? false
            }
            return PlatformRuling(
                .notPinned,
                "convert writes no fingerprint for this host" + (isBelow ? ": a name covers no subdomains" : ""))
        }
        guard !entry.pinsOfLeaf.isEmpty else {
            return PlatformRuling(
                .notPinned,
                "the library compares the leaf certificate, and \(entry.reasonForNoPins(of: .leaf))"
            )
        }
        if let expires = entry.expires, connection.now > expires {
            return PlatformRuling(
                .rejects, "every fingerprint of \(entry.name) expired at \(expires), so the store has none for it")
        }
        guard connection.hit(Set(entry.pinsOfLeaf.map(\.pin)), where: { $0.certificate.position == 0 }) != nil else {
            return PlatformRuling(
                .rejects, "the library compares the leaf certificate, and no pin of \(entry.name) is of this leaf's key"
            )
        }
        return PlatformRuling(
            .accepts,
            "a fingerprint of \(entry.name) matches the leaf certificate if it was created from the server's current one"
        )
    }

    func rulingOnInvalidChain(_: PlatformConnection) -> PlatformRuling {
        PlatformRuling(.rejects, "iOS validates the chain, and this one does not validate")
    }

    private func entry(_ connection: PlatformConnection) -> PinSet.Entry? {
        self.set.indices[connection.host].map { self.set.entries[$0] }
    }
}
