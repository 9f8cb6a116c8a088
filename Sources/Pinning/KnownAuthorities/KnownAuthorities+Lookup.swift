internal import Encodings

extension KnownAuthorities {
    /// The properties of a CA's key.
    package struct Details: Hashable, Sendable {
        package let isRoot: Bool
        /// The end of validity; of several certificates with this key, that of the one that is valid longest.
        package let notAfter: Timestamp
    }

    /// The properties of a key; nil if no certificate with this key is known.
    package static func details(of pin: Pin) -> Details? { index.details[pin] }

    /// A digest that people confuse with a pin: that of a known CA's certificate, or of its key's bits.
    package struct DigestMixup: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            /// The digest of a certificate.
            case certificate
            /// The digest of the key's bits, without the `SubjectPublicKeyInfo`.
            case bits
        }

        package let kind: Kind
        package let name: String
        package let pin: Pin
    }

    /// The certificate or key with this digest; nil if it is not known.
    package static func digestMixup(of digest: [UInt8]) -> DigestMixup? { index.digestMixups[digest] }

    /// All pins with a name, in base64, in the order of the table.
    package static let all: [(pin: String, name: String)] = table.split(separator: "\n").compactMap { line in
        guard let space = line.firstIndex(of: " ") else { return nil }
        return (String(line[..<space]), String(line[space...].dropFirst()))
    }

    private struct Index: Sendable {
        var details: [Pin: Details] = [:]
        var digestMixups: [[UInt8]: DigestMixup] = [:]
    }

    private static let index: Index = {
        var index = Index()
        for line in certificateTable.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 5, let pin = try? Pin(spelling: String(words[0])),
                let end = Timestamp(rfc3339: words[2]), let certificate = try? Base64.decode(words[3]),
                let bits = try? Base64.decode(words[4]), let name = name(of: pin)
            else { continue }
            let known = index.details[pin]
            index.details[pin] = Details(
                isRoot: words[1] == "root" || known?.isRoot == true, notAfter: max(end, known?.notAfter ?? end))
            index.digestMixups[certificate] = DigestMixup(kind: .certificate, name: name, pin: pin)
            index.digestMixups[bits] = DigestMixup(kind: .bits, name: name, pin: pin)
        }
        return index
    }()
}
