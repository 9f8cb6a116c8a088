internal import OpenSSL

/// The certificates that a search for paths visits, numbered in the order in which it finds them, with their issuers.
///
/// A search visits a certificate in many paths, and a server can send hundreds of certificates. So the graph computes each answer
/// once.
struct PathGraph {
    private let store: AnchorStore
    private let served: [Certificate]

    private(set) var certificates: [Certificate] = []
    private var numbers: [Certificate: Int] = [:]
    /// A number for each name with a key, by the certificate's number.
    private var authorities: [Int] = []
    private var authorityNumbers: [Authority: Int] = [:]
    private var trusted: [Int: TrustAnchor?] = [:]
    private var selfSigned: [Int: Bool] = [:]
    private var knownIssuers: [ArraySlice<UInt8>: [Int]] = [:]
    /// The positions of the served certificates without the leaf, by the hash of their subject.
    private lazy var positionsByHash = Dictionary(grouping: served.indices.dropFirst()) {
        DistinguishedNameHash.canonical(served[$0].subjectName)
    }

    private struct Authority: Hashable {
        let name: ArraySlice<UInt8>
        let key: ArraySlice<UInt8>
    }

    /// - Parameter served: leaf first.
    init(_ served: [Certificate], in store: AnchorStore) { (self.served, self.store) = (served, store) }

    mutating func number(of certificate: Certificate) -> Int {
        if let number = numbers[certificate] { return number }
        let authority = Authority(name: certificate.subjectName, key: certificate.subjectPublicKeyInfo)
        let next = authorityNumbers.count
        authorities.append(authorityNumbers[authority, default: next])
        authorityNumbers[authority] = authorities.last
        numbers[certificate] = certificates.count
        certificates.append(certificate)
        return certificates.count - 1
    }

    /// Whether two certificates have one name and one key.
    func isSameAuthority(_ one: Int, _ other: Int) -> Bool { authorities[one] == authorities[other] }

    /// Whether a certificate is signed with the key that it contains. The names do not decide it: a CA with a new key can have a certificate with
    /// its one name twice and the signature of the old key (RFC 4210, section 4.4).
    mutating func isSelfSigned(_ number: Int) -> Bool {
        let certificate = certificates[number]
        guard certificate.isSelfIssued else { return false }
        if let known = selfSigned[number] { return known }
        let isSelfSigned = IssuedPath.isSelfSigned(certificate.der)
        selfSigned[number] = isSelfSigned
        return isSelfSigned
    }

    /// The anchor that consists of this certificate; nil if the certificate is not an anchor.
    mutating func anchor(_ number: Int) -> TrustAnchor? {
        if let known = trusted[number] { return known }
        let certificate = certificates[number]
        let found = store.anchors(named: certificate.subjectName).first { $0.certificate == certificate }
        trusted[number] = .some(found)
        return found
    }

    /// The certificates with the name of the issuer, without duplicates. Those of the store are first, because the search may reach
    /// its limit.
    mutating func issuers(of number: Int) -> [Int] {
        let name = certificates[number].issuerName
        if let known = knownIssuers[name] { return known }
        var found = store.anchors(named: name).map { self.number(of: $0.certificate) }
        var isFound = Set(found)
        for position in positions(named: name) {
            let issuer = self.number(of: served[position])
            if isFound.insert(issuer).inserted { found.append(issuer) }
        }
        knownIssuers[name] = found
        return found
    }

    private mutating func positions(named name: ArraySlice<UInt8>) -> [Int] {
        guard let hash = DistinguishedNameHash.canonical(name) else {
            return served.indices.dropFirst().filter { served[$0].subjectName == name }
        }
        return positionsByHash[hash] ?? []
    }
}
