internal import Encodings
public import PinSetCodec
package import Pinning

/// The fingerprints of WultraSSLPinning: `{"fingerprints":[{"name","fingerprint","expires","signature"}]}`.
///
/// A fingerprint is the SHA-256 of the server's own certificate. To convert a fingerprint to a pin or a pin to a fingerprint, the
/// certificate is needed. The signature is ECDSA on P-256 over `name&expires&fingerprint`.
package enum WultraFormat: FingerprintCodec, InputReadingCodec, InputWritingCodec, SignedCodec {
    package static let traits = FormatTraits(
        name: "wultra", summary: "fingerprints of certificates; needs the certificates", fileName: "fingerprints.json",
        readingInputs: [.certificates, .verifyingKey], writingInputs: [.certificates, .signingKey],
        // Fingerprints whose certificate is not given are left out. So the set that is read from an older file is smaller, and
        // cannot be compared with the whole file.
        generatedFile: .onlyKnownKeys, hashes: .certificate, comparesLeafOnly: true,
        platforms: [.wultra], lintRules: [.certificatePins],
        capabilities: FormatCapabilities(
            expiry: .instant, roles: Set(PinSet.AllowedRole.allCases), takesAddresses: false))

    package static func recognizes(_ file: FileContents) -> Bool { file.json?.hasOuter("fingerprints") ?? false }

    // MARK: Reading

    struct Fingerprint {
        var name = ""
        var fingerprint = ""
        var expires = ""
        var signature: String?
        let place: SourcePosition
    }

    package static func read(
        _ bytes: [UInt8], with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetReading {
        var warnings = ConversionWarnings()
        let fingerprints = try fingerprints(try document(bytes), &warnings)
        if let key = inputs.verifyingKey {
            let key = try WultraKey.publicKey(key)
            for fingerprint in fingerprints { try check(fingerprint, key) }
        } else if fingerprints.contains(where: { $0.signature != nil }) {
            warnings.add(.signaturesNotVerified)
        }
        guard !inputs.certificates.isEmpty || fingerprints.isEmpty else { throw error(.noCertificates(.fingerprints)) }
        var byFingerprint: [[UInt8]: Certificate] = [:]
        for certificate in inputs.certificates { byFingerprint[certificate.sha256] = certificate }
        var hosts: [(name: String, place: SourcePosition, pins: PinnedKeyList)] = []
        var indices: [String: Int] = [:]
        for fingerprint in fingerprints {
            let digest = try digest(fingerprint)
            guard let certificate = byFingerprint[digest] else {
                warnings.add(.noCertificateForFingerprint(fingerprint.fingerprint), of: fingerprint.name)
                continue
            }
            warnings.add(.certificateAsPin(fingerprint: fingerprint.fingerprint), of: fingerprint.name)
            let seconds = Int64(fingerprint.expires).map { Timestamp(secondsSince1970: $0) }
            let key = PinSet.PinnedKey(pin: certificate.pin, role: .leaf, notAfter: seconds)
            for name in Self.hosts(of: certificate, named: fingerprint.name) {
                if let index = indices[name] {
                    hosts[index].pins.add(key)
                } else {
                    indices[name] = hosts.count
                    hosts.append((name, fingerprint.place, PinnedKeyList(key)))
                }
            }
        }
        var entries: [PinSet.Entry] = []
        for host in hosts { entries.append(try entry(host.name, pins: host.pins.keys, at: host.place)) }
        guard !entries.isEmpty || fingerprints.isEmpty else {
            throw error(.wultra(.noCertificateMatches(warnings.list.first)))
        }
        return PinSetReading(set: try set(entries), warnings: warnings.list)
    }

    /// The hosts of a fingerprint. Its name is the common name of the certificate. If that is no host name, the hosts are those of the
    /// certificate, without wildcards.
    private static func hosts(of certificate: Certificate, named name: String) -> [String] {
        do throws(HostNameError) {
            _ = try HostName.normalized(name)
            return [name]
        } catch {
            // The names of the certificate do not replace a key: it is an error.
            if error.privateKeyKind != nil { return [name] }
        }
        let names = certificate.dnsNames.filter { (try? HostName.normalized($0)) != nil }
        // The error of the reader names what is wrong with the name.
        return names.isEmpty ? [name] : names
    }

    package static func fingerprints(in bytes: [UInt8]) throws(PinSetFormatError) -> [CertificateFingerprint] {
        let root = try document(bytes)
        guard let list = try members(of: root, .file).first(where: { $0.key == "fingerprints" }) else {
            throw error(.missing("fingerprints", in: .file), at: root.position)
        }
        var found: [CertificateFingerprint] = []
        for value in try values(of: list.value, .key("fingerprints")) {
            let members = try members(of: value, .fingerprint)
            func text(_ key: String) throws(PinSetFormatError) -> String {
                guard let member = members.first(where: { $0.key == key }) else {
                    throw error(.missing(key, in: .fingerprint), at: value.position)
                }
                return try string(member.value, .key(key))
            }
            let (host, spelling) = (try text("name"), try text("fingerprint"))
            var expires: Timestamp?
            if case .number(let digits)? = members.first(where: { $0.key == "expires" })?.value.content {
                expires = Int64(digits).map { Timestamp(secondsSince1970: $0) }
            }
            found.append(
                CertificateFingerprint(host: host, spelling: spelling, expires: expires, position: value.position))
        }
        return found
    }

    /// Whether a file has only the keys of the format. If so, writing it again loses nothing.
    package static func hasOnlyKnownKeys(_ bytes: [UInt8]) -> Bool {
        var warnings = ConversionWarnings()
        guard let root = try? JSONDocument(bytes).root, (try? fingerprints(root, &warnings)) != nil else {
            return false
        }
        return warnings.list.isEmpty
    }

    static func fingerprints(
        _ root: JSONValue, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [Fingerprint] {
        var found: [Fingerprint]?
        for member in try members(of: root, .file) {
            guard member.key == "fingerprints" else {
                warnings.add(.unknownKey(member.key))
                continue
            }
            var list: [Fingerprint] = []
            for value in try values(of: member.value, .key("fingerprints")) {
                list.append(try fingerprint(value, &warnings))
            }
            found = list
        }
        guard let found else {
            throw error(.missing("fingerprints", in: .file), at: root.position)
        }
        return found
    }

    private static func fingerprint(
        _ value: JSONValue, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> Fingerprint {
        var fingerprint = Fingerprint(place: value.position)
        for field in try members(of: value, .fingerprint) {
            switch field.key {
            case "name": fingerprint.name = try string(field.value, .key(field.key))
            case "fingerprint": fingerprint.fingerprint = try string(field.value, .key(field.key))
            case "signature": fingerprint.signature = try string(field.value, .key(field.key))
            case "expires":
                guard case .number(let text) = field.value.content, let seconds = Int64(text), seconds >= 0 else {
                    throw error(.notSeconds(key: field.key), at: field.value.position)
                }
                fingerprint.expires = text
            default: warnings.add(.unknownKey(field.key))
            }
        }
        for (key, text) in [
            ("name", fingerprint.name), ("fingerprint", fingerprint.fingerprint), ("expires", fingerprint.expires),
        ] where text.isEmpty {
            throw error(.missing(key, in: .fingerprint), at: value.position)
        }
        return fingerprint
    }

    /// The fingerprints in the form that the library uses to find them.
    static func modelFingerprints(_ bytes: [UInt8]) throws(PinSetFormatError) -> [WultraModel.Fingerprint] {
        var warnings = ConversionWarnings()
        return try fingerprints(try document(bytes), &warnings).map { fingerprint in
            .init(
                name: fingerprint.name, digest: try? digest(fingerprint),
                expires: Timestamp(secondsSince1970: Int64(fingerprint.expires) ?? 0), position: fingerprint.place)
        }
    }

    private static func digest(_ fingerprint: Fingerprint) throws(PinSetFormatError) -> [UInt8] {
        guard let digest = try? Base64.decode(fingerprint.fingerprint), digest.count == 32 else {
            throw error(.wultra(.notFingerprint(fingerprint.fingerprint)), at: fingerprint.place)
        }
        return digest
    }

    // MARK: Writing

    package static func write(
        _ set: PinSet, with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetWriting {
        guard !inputs.certificates.isEmpty else { throw error(.noCertificates(.fingerprints)) }
        var warnings = ConversionWarnings()
        let privateKey: [UInt8]?
        if let file = inputs.signingKey { privateKey = try WultraKey.privateKey(file) } else { privateKey = nil }
        var byPin: [Pin: [Certificate]] = [:]
        for certificate in inputs.certificates where certificate.notAfter != nil {
            byPin[certificate.pin, default: []].append(certificate)
        }
        let signatures = try signatures(inputs)
        var fingerprints: [Fingerprint] = []
        var written: Set<[String?]> = []
        for entry in try traits.capabilities.writable(set, as: format, &warnings) {
            let keys = entry.pins.filter { $0.role == .leaf || $0.role == .any }
            guard keys.isEmpty || !keys.isOnlyBackups(of: entry.pins) else {
                warnings.add(.noActivePin(.leaf), of: entry.entry.host)
                continue
            }
            let certificates = certificates(of: entry, byPin, &warnings)
            guard !certificates.isEmpty else {
                throw error(.noCertificates(.noneMatches(host: entry.host, isLeaf: true)))
            }
            for certificate in certificates {
                guard let end = certificate.notAfter else { continue }
                // The library looks up SecCertificateCopySubjectSummary on iOS and the common name on Android, exactly as written.
                guard let name = certificate.subject?.commonName, !name.isEmpty else {
                    if let key = entry.pins.first(where: { $0.pin == certificate.pin }) {
                        warnings.add(.noCommonName(key), of: entry.entry.host)
                    }
                    continue
                }
                if name != entry.host { warnings.add(.foundByCommonName(name), of: entry.entry.host) }
                var fingerprint = Fingerprint(place: SourcePosition(line: 1, column: 1))
                fingerprint.name = name
                fingerprint.fingerprint = Base64.encode(certificate.sha256)
                fingerprint.expires = String(max(0, min(end, entry.expires ?? end).secondsSince1970))
                // A certificate for several hosts of the set is written once.
                guard written.insert([name, fingerprint.fingerprint, fingerprint.expires]).inserted else { continue }
                fingerprint.signature = signatures[signedText(of: fingerprint)]
                if let privateKey, fingerprint.signature == nil {
                    fingerprint.signature = try sign(fingerprint, privateKey)
                }
                fingerprints.append(fingerprint)
            }
        }
        guard !fingerprints.isEmpty || set.entries.isEmpty else {
            throw FormatCapabilities.nothing(to: format, warnings)
        }
        if fingerprints.contains(where: { $0.signature == nil }) || fingerprints.isEmpty && privateKey == nil {
            warnings.add(.notSigned)
        }
        return PinSetWriting(json(fingerprints), warnings)
    }

    private static func certificates(
        of entry: WritableEntry, _ byPin: [Pin: [Certificate]], _ warnings: inout ConversionWarnings
    ) -> [Certificate] {
        var found: [Certificate] = []
        var known: Set<[UInt8]> = []
        for key in entry.pins {
            guard key.role == .leaf || key.role == .any else {
                warnings.add(.pinOfAuthority(key), of: entry.entry.host)
                continue
            }
            let holders = byPin[key.pin] ?? []
            // For the role `any`, a CA certificate is omitted, because a server does not use it as its leaf.
            let matching = key.role == .leaf ? holders : holders.filter { !$0.isCA }
            guard !matching.isEmpty else {
                warnings.add(holders.isEmpty ? .noCertificate(key) : .certificateOfAuthority(key), of: entry.entry.host)
                continue
            }
            warnings.add(.pinAsCertificates(key, count: matching.count), of: entry.entry.host)
            found += matching.filter { known.insert($0.sha256).inserted }
        }
        return found
    }

    private static func json(_ fingerprints: [Fingerprint]) -> [UInt8] {
        var writer = JSONWriter(.pretty)
        writer.object { document in
            document.array("fingerprints") { array in
                for fingerprint in fingerprints {
                    array.object { fields in
                        fields.field("name", fingerprint.name)
                        fields.field("fingerprint", fingerprint.fingerprint)
                        fields.field("expires", Int(fingerprint.expires))
                        if let signature = fingerprint.signature { fields.field("signature", signature) }
                    }
                }
            }
        }
        writer.endLine()
        return writer.output
    }
}

extension PinSetFormat {
    public static let wultra = PinSetFormat(WultraFormat.self)
}
