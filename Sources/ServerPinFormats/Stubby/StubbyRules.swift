internal import Encodings
public import PinSetCodec
internal import Pinning

/// stubby with `tls_pubkey_pinset` (getdns f8c95b4, src/openssl/tls.c `_getdns_tls_connection_set_host_pinset`).
///
/// getdns uses each pin as two DANE records: for the leaf (3 1 1), and for a trust anchor in the served chain (2 1 1). With pins, no
/// other trust anchor counts. If the pin of the leaf matches, the dates do not count either. The name always counts, unlike in RFC 7671,
/// section 5.1 (seen with stubby 1.6.0 of Debian 12).
enum StubbyRules: HostEntryRules {
    static func ruling(on connection: PinSetConnection) -> PlatformRuling {
        guard let entry = connection.ownEntry else {
            return PlatformRuling(.notPinned, "there is no tls_pubkey_pinset for this host")
        }
        guard
            let hit = connection.hit(
                entry.matchingPins, where: { $0.certificate.position == 0 || $0.isServed != false })
        else {
            guard let unserved = connection.hit(entry.matchingPins) else {
                return PlatformRuling(.rejects, "tls_pubkey_pinset of \(entry.name) has no pin of this chain")
            }
            return PlatformRuling(
                .rejects,
                "tls_pubkey_pinset of \(entry.name) has only the pin of the \(unserved.certificate.role.rawValue), which the server"
                    + " does not send")
        }
        let isUnknown = hit.certificate.position > 0 && hit.isServed == nil
        return PlatformRuling(
            .accepts,
            "tls_pubkey_pinset of \(entry.name) has the pin of the \(hit.certificate.role.rawValue)"
                + (isUnknown ? ", if the server sends this certificate" : ""))
    }

    static func model(ofFile file: PlatformFile) throws(PinSetFormatError) -> (any PlatformModel)? {
        guard file.format == .stubby else { return nil }
        for warning in try StubbyFormat.read(file.bytes).warnings {
            guard case .fileRejected(_, let problem, let line) = warning.reason else { continue }
            return UnwritableModel(PlatformRuling(.refusesConfig, "line \(line): \(problem), so stubby does not start"))
        }
        return nil
    }

    static func rulingOnInvalidChain(_ connection: PinSetConnection) -> PlatformRuling {
        guard let entry = connection.ownEntry, let hit = connection.hit(entry.matchingPins) else {
            return PlatformRuling(.rejects, "no pin matches, and this chain does not validate")
        }
        let name = "tls_pubkey_pinset of \(entry.name) has the pin of the \(hit.certificate.role.rawValue)"
        let failures = connection.failures.filter { !isAcceptedName($0, for: connection.host) }
        let isOther = failures.contains { !isOfIssuer($0) }
        if hit.certificate.position > 0, isOther || connection.failures.isEmpty {
            return PlatformRuling(.rejects, "\(name), below which the chain must validate, and it does not")
        }
        let hasWrongName = failures.contains { if case .nameMismatch = $0 { true } else { false } }
        guard !hasWrongName else { return PlatformRuling(.rejects, "\(name), but stubby also compares the name") }
        let ignored =
            hit.certificate.position > 0 ? "the issuer does not count" : "the issuer and the dates do not count"
        return PlatformRuling(.accepts, "\(name); \(ignored), the name does")
    }

    /// Whether a failure is about a name that OpenSSL accepts: without alternative names, it compares the common name
    /// (X509_check_host(3)).
    private static func isAcceptedName(_ failure: TrustFailure, for host: String) -> Bool {
        guard case .nameMismatch(let leaf, _) = failure else { return false }
        return leaf.dnsNames.isEmpty && leaf.subject?.commonName?.lowercased() == host
    }

    /// Whether the only problem is that the path does not end at a known trust anchor.
    private static func isOfIssuer(_ failure: TrustFailure) -> Bool {
        switch failure {
        case .selfSigned, .untrustedRoot, .missingIssuer, .issuerRejected: true
        default: false
        }
    }
}

extension Platform {
    /// stubby with getdns.
    public static let stubby = Platform("stubby", isOnlyByName: true, StubbyRules.self)
}
