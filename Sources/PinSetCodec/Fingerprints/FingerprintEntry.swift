package import Encodings
package import Pinning

/// The fingerprint of a certificate in a file: the SHA-256 of the whole certificate.
package struct CertificateDigest: Hashable, Sendable {
    /// The 32 bytes of the SHA-256.
    package let digest: [UInt8]
    /// The line in the file, from 1; nil for a fingerprint that was computed from a certificate.
    package let line: Int?

    package init(digest: [UInt8], line: Int? = nil) {
        (self.digest, self.line) = (digest, line)
    }

    /// Reads hexadecimal digits.
    ///
    /// - Returns: nil unless the text has exactly 64 digits.
    package init?(hex text: some StringProtocol, line: Int?) {
        guard let digest = try? Hex.decode(Array(text.utf8)), digest.count == 32 else { return nil }
        self.init(digest: digest, line: line)
    }

    /// The fingerprint as 64 lower-case digits.
    package var hex: String { Hex.encode(digest) }
}

/// The fingerprints of one host in a file.
package struct FingerprintEntry: Sendable {
    package let host: String
    package let position: SourcePosition?
    package var fingerprints: [CertificateDigest]
    /// Pins of keys for the same host, in formats that contain both.
    package var keys: [PinSet.PinnedKey]

    package init(
        host: String, at position: SourcePosition?, fingerprints: [CertificateDigest] = [],
        keys: [PinSet.PinnedKey] = []
    ) {
        (self.host, self.position, self.fingerprints, self.keys) = (host, position, fingerprints, keys)
    }
}

/// The entries of a file in the order of the file. Each host occurs once.
package struct FingerprintList {
    package private(set) var entries: [FingerprintEntry] = []
    private var indices: [String: Int] = [:]

    package init() {}

    package mutating func add(_ entry: FingerprintEntry) {
        let name = (try? HostName.normalized(entry.host)) ?? entry.host
        guard let index = indices[name] else {
            indices[name] = entries.count
            entries.append(entry)
            return
        }
        entries[index].fingerprints += entry.fingerprints
        entries[index].keys += entry.keys
    }
}
