package import Encodings
package import Fetching
internal import PinSetCodec
package import Pinning

/// Hosts, chains and certificates in JSON, shared by all reports.
extension JSONWriter {
    /// - Parameter cache: A cache of certificates in compact JSON, for reports on many hosts.
    package mutating func fields(
        of result: FetchResult, selects: (CertificateChain.Entry) -> Bool = { _ in true },
        cache: CertificateJSONCache? = nil
    ) {
        let presentation = try? result.outcome.get()
        let error: FetchError? = if case .failure(let error) = result.outcome { error } else { nil }
        field("target", result.target.description)
        fields(of: result.part, result.chainPart)
        field("proven", presentation?.isProven)
        fields(of: presentation, presentation?.chain, error, at: result.part?.endpoint, selects: selects, cache: cache)
    }

    /// The address and the chain that a result is about. They directly follow the target, where `--resume` looks for them.
    package mutating func fields(of part: FetchResult.Part?, _ chainPart: FetchResult.ChainPart?) {
        field("addressNumber", part?.number)
        field("addressCount", part?.count)
        field("chainNumber", chainPart?.number)
        field("chainCount", chainPart?.count)
    }

    /// The handshake result of a host, or the error.
    package mutating func fields(
        of presentation: HandshakeResult?, _ chain: CertificateChain?, _ error: FetchError?,
        at endpoint: Endpoint? = nil,
        selects: (CertificateChain.Entry) -> Bool = { _ in true }, cache: CertificateJSONCache? = nil
    ) {
        field("address", (presentation?.endpoint ?? endpoint ?? error?.endpoint)?.description)
        field("proxy", presentation?.proxy ?? error?.proxy)
        field("serverName", presentation?.serverName)
        field("protocol", presentation?.protocolVersion)
        field("cipher", presentation?.cipherSuite)
        field("applicationProtocol", presentation?.applicationProtocol)
        let request = presentation?.clientCertificate
        field("clientCertificate", request?.outcome.rawValue)
        field("clientCertificateRequired", request?.isRequired)
        field("clientCertificateAlert", request?.alert)
        names("clientCertificateAuthorities", request?.authorities ?? [])
        if let chain { trust(of: chain, cache: cache) } else { null("trust") }
        array("chain") { array in
            for entry in chain?.entries.filter(selects) ?? [] {
                array.object { object in
                    object.field("role", entry.role.rawValue)
                    object.field("position", entry.position)
                    object.field("source", entry.source.rawValue)
                    object.field("anchor", entry.isAnchor)
                    let isAnchor = entry.certificate == chain?.anchor
                    if let cache {
                        object.fields(written: cache.fields(of: entry.certificate, isAnchor: isAnchor))
                    } else {
                        object.fields(of: entry.certificate, isAnchor: isAnchor)
                    }
                }
            }
        }
        paths(chain?.validPaths)
        array("issuerFetches") { array in
            for fetch in presentation?.issuerFetches ?? [] {
                array.object { object in
                    object.field("issuer", fetch.issued.issuer?.description)
                    object.field("url", fetch.url)
                    object.field("certificates", (try? fetch.outcome.get().count) ?? 0)
                    if case .failure(let failure) = fetch.outcome {
                        object.field("error", failure.message)
                    } else {
                        object.null("error")
                    }
                }
            }
        }
        array("unused") { array in
            for certificate in chain?.unused ?? [] { array.object { $0.fields(of: certificate) } }
        }
        failure("error", error.map { ($0.code.rawValue, $0.message) })
    }

    /// A list of distinguished names in DER.
    package mutating func names(_ key: String, _ names: [[UInt8]]) {
        array(key) { array in
            for name in names {
                array.object { object in
                    object.field("name", DistinguishedName(der: name)?.description)
                    object.field("der", base64: name)
                }
            }
        }
    }

    /// The code and the message of an error, or null.
    package mutating func failure(_ key: String, _ error: (code: String, message: String)?) {
        guard let error else { return null(key) }
        object(key) { object in
            object.field("code", error.code)
            object.field("message", error.message)
        }
    }

    private mutating func paths(_ paths: ValidPaths?) {
        field("pathsComplete", paths?.isComplete)
        array("paths") { array in
            for (index, path) in (paths?.paths ?? []).enumerated() {
                array.object { object in
                    object.field("builtByOpenSSL", index < paths?.builtCount ?? 0)
                    object.array("certificates") { array in
                        for entry in path { array.object { $0.fields(of: entry, in: paths) } }
                    }
                }
            }
        }
        array("pinsInAllPaths") { array in
            for key in paths?.commonKeys ?? [] {
                array.object { object in
                    object.field(key.pin, knownAs: KnownAuthorities.name(of: key.pin))
                    object.field("roles", key.roles.map(\.rawValue))
                    object.field("subject", key.certificate.subject?.description)
                }
            }
        }
    }

    private mutating func fields(of entry: CertificateChain.Entry, in paths: ValidPaths?) {
        field("role", entry.role.rawValue)
        field("position", entry.position)
        field("source", entry.source.rawValue)
        field("anchor", entry.isAnchor)
        field("inAllPaths", paths?.haveInCommon(entry.certificate))
        field("subject", entry.certificate.subject?.description)
        field("sha256", hex: entry.certificate.sha256)
        field(entry.certificate.pin, knownAs: KnownAuthorities.name(of: entry.certificate.pin))
    }

    package mutating func trust(of chain: CertificateChain, cache: CertificateJSONCache? = nil) {
        object("trust") { object in
            if let cache {
                object.fields(written: cache.trustFields(of: chain))
            } else {
                object.trustFields(of: chain, reason: chain.reason)
            }
        }
    }

    mutating func trustFields(of chain: CertificateChain, reason: String) {
        field("trusted", chain.isTrusted)
        field("code", chain.failures.first?.code)
        field("reason", chain.isTrusted ? nil : reason)
        field("anchor", chain.anchor?.subject?.description)
        field("anchorIsPublic", chain.anchor.map { KnownAuthorities.name(of: $0.pin) != nil })
        field("alternativePath", chain.detour != nil)
    }

    /// - Parameter isAnchor: Whether the certificate is the chain's trust anchor. In this case the name of the known CA is its
    ///   subject.
    package mutating func fields(of certificate: Certificate, isAnchor: Bool = false) {
        field("subject", certificate.subject?.description)
        field("issuer", certificate.issuer?.description)
        field("serial", certificate.serialNumber)
        field("notBefore", certificate.notBefore)
        field("notAfter", certificate.notAfter)
        field("dnsNames", certificate.dnsNames)
        field("ipAddresses", certificate.ipAddresses)
        field("key", certificate.key)
        field("signatureAlgorithm", certificate.signatureAlgorithm)
        field("sha256", hex: certificate.sha256)
        let known = KnownAuthorities.name(of: certificate.pin)
        field(certificate.pin, knownAs: known ?? (isAnchor ? certificate.subject?.displayName : nil))
        field("der", base64: certificate.der)
    }

    /// A pin and the name of the known authority with this key.
    package mutating func field(_ pin: Pin, knownAs name: String?) {
        field("pin", pin.base64)
        field("knownAs", name)
    }

    package mutating func field(_ name: String, _ key: KeyDescription) {
        object(name) { object in
            object.field("type", key.type)
            object.field("bits", key.bits)
            object.field("curve", key.curve)
        }
    }
}
