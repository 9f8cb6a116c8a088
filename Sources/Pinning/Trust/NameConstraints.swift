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
    /// - Throws: ``Defect`` if there are no constraints, or if one of them does not have the form of its type. A DNS name may begin with
    ///   a dot, although RFC 5280 allows it only for URIs and mailboxes.
    init?(of certificate: Certificate) throws(Defect) {
        guard let value = certificate.value(ofExtension: 30) else { return nil }
        try self.init(DERReader(certificate.der, in: value))
    }

    /// - Parameter value: the value of the extension.
    init(_ value: DERReader) throws(Defect) {
        var outer = value
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
            let isWellFormed =
                switch base.tag {
                case .implicit(1): Self.isMailConstraint(bytes)
                case .implicit(2), .implicit(6): Self.isName(bytes)
                case .implicit(7): Self.isAddressRange(bytes)
                default: true
                }
            guard isWellFormed else { throw DERError(offset: base.start, .invalidContents(base.tag)) }
            if base.tag == .implicit(2) { names.append(String(decoding: bytes, as: UTF8.self).lowercased()) }
        }
        return names
    }

    /// Whether bytes are the constraint of a DNS name, or of the host of a URI: labels of letters, digits, hyphens and underscores
    /// that are joined by dots (RFC 1034, section 3.5, and the usual underscore). The text may be empty, or begin with a dot.
    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard !bytes.isEmpty else { return true }
        let dot = UInt8(ascii: ".")
        let name = bytes.first == dot ? bytes.dropFirst() : bytes
        return name.count <= 253
            && name.split(separator: dot, omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.count) && label.allSatisfy(isNameCharacter)
            }
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether bytes are a mailbox, a host, or a domain after a dot. The text may be empty. The local part may be quoted, and the domain
    /// of a mailbox may be an address in brackets (RFC 5321, section 4.1.2).
    private static func isMailConstraint(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.allSatisfy({ (32...126).contains($0) }) else { return false }
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return isName(bytes) }
        let domain = bytes[(at + 1)...]
        let isAddress = domain.first == UInt8(ascii: "[") && domain.last == UInt8(ascii: "]")
        return isLocalPart(bytes[..<at]) && !domain.isEmpty && domain.first != UInt8(ascii: ".")
            && (isAddress || isName(domain))
    }

    /// Whether printable ASCII bytes are a `Local-part` of up to 64 octets: words that are joined by dots, or one quoted string
    /// (RFC 5321, sections 4.1.2 and 4.5.3.1.1).
    private static func isLocalPart(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard (1...64).contains(bytes.count) else { return false }
        let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        guard bytes.first == quote else {
            return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { word in
                !word.isEmpty && word.allSatisfy { isNameCharacter($0) || "!#$%&'*+/=?^`{|}~".utf8.contains($0) }
            }
        }
        guard bytes.count > 1, bytes.last == quote else { return false }
        var isEscaped = false
        for byte in bytes.dropFirst().dropLast() {
            if isEscaped {
                isEscaped = false
            } else if byte == backslash {
                isEscaped = true
            } else if byte == quote {
                return false
            }
        }
        return !isEscaped
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
