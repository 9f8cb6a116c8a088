internal import Encodings
package import Pinning

/// A format with fingerprints of certificates. To convert a fingerprint to a pin, pinctl needs the certificate.
package protocol FingerprintReadingCodec: PinSetCodec {
    /// The certificates that the platform compares.
    static var position: ComparedPosition { get }

    /// Returns the fingerprints in a file.
    ///
    /// - Parameter host: the host of the fingerprints that the file assigns to no host.
    static func entries(
        in bytes: [UInt8], host: String?, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [FingerprintEntry]
}

extension FingerprintReadingCodec {
    package static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        try read(bytes, with: ConversionInputs())
    }

    package static func read(
        _ bytes: [UInt8], with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetReading {
        var warnings = ConversionWarnings()
        let found = try entries(in: bytes, host: inputs.host, &warnings)
        let hasKeys = found.contains { !$0.keys.isEmpty }
        guard !inputs.certificates.isEmpty || hasKeys || found.allSatisfy(\.fingerprints.isEmpty) else {
            throw needsCertificates()
        }
        let byDigest = Dictionary(inputs.certificates.map { ($0.sha256, $0) }) { first, _ in first }
        var entries: [PinSet.Entry] = []
        for entry in found {
            var keys = PinnedKeyList()
            for key in entry.keys { keys.add(key) }
            for fingerprint in entry.fingerprints {
                guard let certificate = byDigest[fingerprint.digest] else {
                    warnings.add(.noCertificateForFingerprint(fingerprint.hex), of: entry.host)
                    continue
                }
                warnings.add(.certificateAsPin(fingerprint: fingerprint.hex), of: entry.host)
                keys.add(
                    PinSet.PinnedKey(pin: certificate.pin, role: position.role, notAfter: certificate.notAfter))
            }
            guard !keys.isEmpty else { continue }
            entries.append(try self.entry(entry.host, pins: keys.keys, at: entry.position))
        }
        guard !entries.isEmpty else {
            throw error(.file(.noFingerprintMatches(warnings.list.first)))
        }
        return PinSetReading(set: try set(entries), warnings: warnings.list)
    }

    /// The error if neither pins nor certificates are given.
    package static func needsCertificates() -> PinSetFormatError {
        error(.noCertificates(.fingerprints))
    }
}

/// A format that has fingerprints of certificates and no pins of keys.
package protocol FingerprintWritingCodec: FingerprintReadingCodec {
    /// The contents of a file with these entries.
    static func file(of entries: [FingerprintEntry]) -> String

    /// Whether the format can contain several fingerprints for a host.
    static var hasFingerprintLists: Bool { get }
}

extension FingerprintWritingCodec {
    package static var hasFingerprintLists: Bool { true }

    package static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        try write(set, with: ConversionInputs())
    }

    package static func write(
        _ set: PinSet, with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetWriting {
        guard !inputs.certificates.isEmpty else { throw needsCertificates() }
        var warnings = ConversionWarnings()
        let byPin = Dictionary(grouping: inputs.certificates, by: \.pin)
        var entries: [FingerprintEntry] = []
        for (host, keys) in try set.written(as: Self.self, comparing: position, host: inputs.host, &warnings) {
            let certificates = certificates(of: keys, host, byPin, &warnings)
            guard !certificates.isEmpty else {
                throw error(.noCertificates(.noneMatches(host: host, isLeaf: position == .leaf)))
            }
            let fingerprints = certificates.map { CertificateDigest(digest: $0.sha256) }
            entries.append(FingerprintEntry(host: host, at: nil, fingerprints: fingerprints))
            if traits.lintRules.contains(.validChainsNotCompared) { warnings.add(.validChainsNotCompared, of: host) }
        }
        return PinSetWriting(file(of: entries), warnings)
    }

    private static func certificates(
        of keys: [PinSet.PinnedKey], _ host: String, _ byPin: [Pin: [Certificate]],
        _ warnings: inout ConversionWarnings
    ) -> [Certificate] {
        var found: [Certificate] = []
        var known: Set<Certificate> = []
        for key in keys {
            let holders = byPin[key.pin] ?? []
            // For the role `any`, CA certificates are left out, because a server does not use a CA certificate as its own.
            let matching = position == .leaf && key.role == .any ? holders.filter { !$0.isCA } : holders
            guard !matching.isEmpty else {
                warnings.add(holders.isEmpty ? .noCertificate(key) : .certificateOfAuthority(key), of: host)
                continue
            }
            if !hasFingerprintLists, !found.isEmpty {
                warnings.add(.onlyOneFingerprint(key), of: host)
                continue
            }
            let written = hasFingerprintLists ? matching : Array(matching.prefix(1))
            warnings.add(.pinAsCertificates(key, count: written.count), of: host)
            found += written.filter { known.insert($0).inserted }
        }
        return found
    }

    /// Whether the file is one that pinctl would write for some pin set.
    package static func isGenerated(_ bytes: [UInt8]) -> Bool {
        var warnings = ConversionWarnings()
        guard let entries = try? entries(in: bytes, host: nil, &warnings), warnings.list.isEmpty else { return false }
        return Array(file(of: entries).utf8) == bytes
    }
}
