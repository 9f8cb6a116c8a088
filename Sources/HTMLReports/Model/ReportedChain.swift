package import Pinning
package import Reports

/// The chain of a host at one or more of its addresses.
package struct ReportedChain: Sendable {
    /// A property of the connection, such as the TLS version.
    package struct Fact: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    /// A trust anchor, for the chart of authorities.
    package struct Authority: Hashable, Sendable {
        package let name: String
        /// Whether the table of known public CAs has the anchor's key.
        package let isPublic: Bool
    }

    /// What distinguishes the chain from the host's other chains; nil if it is the only one.
    package let title: String?
    package var facts: [Fact] = []
    /// Nil if the host gave no chain.
    package private(set) var diagram: ChainDiagram?
    package private(set) var certificates: [ReportedCertificate] = []
    package private(set) var authority: Authority?
    package private(set) var isTrusted = false
    /// Remarks: sentences in lower case, without a full stop.
    package var notes: [String] = []

    /// - Parameter matches: returns the pins of the set that match a certificate, each in a few words.
    package init(
        _ chain: CertificateChain?, title: String?, diagram: ChainDiagram?,
        matches: (CertificateChain.Entry) -> [String] = { _ in [] }
    ) {
        self.title = title
        self.diagram = diagram
        guard let chain else { return }
        isTrusted = chain.isTrusted
        certificates = chain.entries.map { ReportedCertificate($0, isVerified: chain.isTrusted, matches: matches($0)) }
        authority = chain.anchor.map { anchor in
            let known = KnownAuthorities.name(of: anchor.pin)
            let name = known ?? anchor.subject?.displayName ?? ""
            return Authority(name: name.isEmpty ? "(without a name)" : name, isPublic: known != nil)
        }
    }
}

extension ReportedChain {
    /// Records that the server did not prove that it has the leaf's key.
    package mutating func markNotProven() {
        for index in certificates.indices { certificates[index].isProven = false }
    }
}

/// A certificate of a chain.
package struct ReportedCertificate: Sendable {
    let position: Int
    let role: String
    /// Where pinctl got the certificate.
    let source: String
    let isAnchor: Bool
    let subject: String
    /// The host names and addresses; empty for a CA.
    let names: [String]
    /// The number of names that are left out.
    let furtherNames: Int
    let notBefore: Timestamp?
    let notAfter: Timestamp?
    let key: String
    let signature: String
    let serial: String
    let pin: String
    /// Whether the chain is trusted. Otherwise the pin may be an attacker's.
    let isVerified: Bool
    /// Whether the server proved that it has the leaf's key.
    fileprivate(set) var isProven = true
    /// The name of the known CA with this key.
    let authority: String?
    /// The pins of the set that match, each in a few words.
    let matches: [String]

    private static let maximumNames = 20

    init(_ entry: CertificateChain.Entry, isVerified: Bool, matches: [String]) {
        let certificate = entry.certificate
        position = entry.position
        role = entry.roleDescription
        source = entry.source.sentence
        isAnchor = entry.isAnchor
        subject = certificate.subject?.displayName ?? ""
        let all = entry.position == 0 ? certificate.dnsNames + certificate.ipAddresses : []
        names = Array(all.prefix(Self.maximumNames))
        furtherNames = all.count - names.count
        (notBefore, notAfter) = (certificate.notBefore, certificate.notAfter)
        key = certificate.key.description
        signature = certificate.signatureAlgorithm ?? ""
        serial = certificate.serialNumber
        pin = certificate.pin.base64
        self.isVerified = isVerified
        authority = KnownAuthorities.name(of: certificate.pin)
        self.matches = matches
    }
}

extension CertificateChain.Source {
    fileprivate var sentence: String {
        switch self {
        case .served: "sent by the server"
        case .store: "from the trust store"
        case .fetched: "fetched from a URL in another certificate"
        }
    }
}

/// A pin of the set.
package struct ReportedPin: Hashable, Sendable {
    package let pin: String
    package let role: String
    package let state: String
    /// The label, or the name of the known CA with this key.
    package let name: String
    /// What the chain says about the pin.
    package let status: String
    package let tone: Tone

    package init(pin: String, role: String, state: String, name: String, status: String, tone: Tone) {
        (self.pin, self.role, self.state, self.name) = (pin, role, state, name)
        (self.status, self.tone) = (status, tone)
    }
}
