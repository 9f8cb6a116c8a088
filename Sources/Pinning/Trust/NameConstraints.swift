internal import Encodings

/// The name constraints of a CA certificate (RFC 5280, section 4.2.1.10). This type applies the rules that OpenSSL does not.
struct NameConstraints {
    /// The DNS names that the CA may certify, with the names under them; empty if it may certify all.
    private(set) var permittedNames: [String] = []
    /// The DNS names that the CA may not certify, with the names under them.
    private(set) var excludedNames: [String] = []
    /// The number of constraints of all types.
    private(set) var count = 0

    /// The reason why name constraints cannot be applied. OpenSSL ignores such constraints.
    enum Defect: Error, Equatable {
        case empty
        case malformed
    }

    /// - Returns: nil if the certificate has no name constraints.
    /// - Throws: ``Defect`` if both Go's crypto/x509 (parseNameConstraintsExtension in parser.go) and pyca/cryptography refuse the
    ///   constraints. A DNS name may begin with a dot.
    init?(of certificate: Certificate) throws(Defect) {
        guard let value = certificate.value(ofExtension: 30) else { return nil }
        var outer = DERReader(certificate.der, in: value)
        do throws(DERError) {
            let list = try outer.next(.sequence)
            try outer.finish()
            var reader = outer.reader(of: list)
            let permitted = try reader.nextIfPresent(.wrapper(0)).map { reader.reader(of: $0) }
            let excluded = try reader.nextIfPresent(.wrapper(1)).map { reader.reader(of: $0) }
            try reader.finish()
            permittedNames = try readNames(permitted)
            excludedNames = try readNames(excluded)
        } catch {
            throw .malformed
        }
        guard count > 0 else { throw .empty }
    }

    private mutating func readNames(_ subtrees: DERReader?) throws(DERError) -> [String] {
        guard var subtrees else { return [] }
        var names: [String] = []
        while !subtrees.isAtEnd {
            var subtree = subtrees.reader(of: try subtrees.next(.sequence))
            let base = try subtree.next()
            let bytes = subtree.bytes[base.contents]
            count += 1
            switch base.tag {
            case .implicit(2):
                guard Self.isName(bytes) else { throw DERError(offset: base.start, .invalidContents(base.tag)) }
                names.append(String(decoding: bytes, as: UTF8.self).lowercased())
            case .implicit(7):
                guard Self.isAddressRange(bytes) else { throw DERError(offset: base.start, .invalidContents(base.tag)) }
            default: break
            }
        }
        return names
    }

    /// Whether bytes are labels of visible ASCII that are joined by dots. The text may be empty, or begin with a dot.
    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard !bytes.isEmpty else { return true }
        let dot = UInt8(ascii: ".")
        let labels = (bytes.first == dot ? bytes.dropFirst() : bytes).split(
            separator: dot, omittingEmptySubsequences: false)
        return labels.allSatisfy { label in !label.isEmpty && label.allSatisfy { (33...126).contains($0) } }
    }

    /// Whether bytes are an address and a mask of the same length. The one bits of the mask must come first.
    private static func isAddressRange(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count == 8 || bytes.count == 32 else { return false }
        let mask = bytes.suffix(bytes.count / 2)
        let rest = mask.drop { $0 == 0xFF }
        guard let first = rest.first else { return true }
        return (~first & (~first &+ 1)) == 0 && rest.dropFirst().allSatisfy { $0 == 0 }
    }

    /// Whether the CA may certify a host.
    ///
    /// OpenSSL compares the names in the leaf only as text. For OpenSSL, a leaf for `*.example.com` is not under the excluded name
    /// `bar.example.com`, but the leaf is valid for that host (CVE-2025-61727).
    ///
    /// - Parameter host: a DNS name in A-labels, lower case, without a trailing dot.
    func permit(host: String) -> Bool {
        guard !excludedNames.contains(where: { Self.isHost(host, under: $0) }) else { return false }
        return permittedNames.isEmpty || permittedNames.contains { Self.isHost(host, under: $0) }
    }

    private static func isHost(_ host: String, under base: String) -> Bool {
        base.isEmpty || host == base || host.hasSuffix(base.hasPrefix(".") ? base : "." + base)
    }

    /// Maximum number of comparisons of names with constraints that OpenSSL makes (NAME_CHECK_MAX in v3_ncons.c).
    static let maximumComparisons = 1 << 20
}
