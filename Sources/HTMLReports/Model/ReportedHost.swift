package import Pinning

/// The result for one host, as a section of the report.
package struct ReportedHost: Sendable {
    /// Index of the host in the input. Sections are in this order.
    package let index: Int
    package let name: String
    /// The verdict in one or two words, as the command's other formats have it.
    package let verdict: String
    package let tone: Tone
    /// Whether the host makes the command fail.
    package let isFailing: Bool
    /// The host name in Unicode, if it is internationalized.
    package var unicodeName: String?
    /// The reasons for the verdict: sentences in lower case, without a full stop.
    package var reasons: [String] = []
    package var nextStep: String?
    /// Further facts, such as the verdicts of platforms: sentences in lower case, without a full stop.
    package var details: [String] = []
    /// Warnings and notes: sentences in lower case, without a full stop.
    package var notes: [String] = []
    /// The chains of the host, one for each address or type of key with a result that differs.
    package var chains: [ReportedChain] = []
    /// The pins of the host's entry; empty without a pin set.
    package var pins: [ReportedPin] = []
    package var survival: Survival?
    /// Whether the command connected to the host.
    package var isContacted = true
    /// The end of the pins' validity, if the entry has one.
    package var pinsExpire: Timestamp?

    package init(index: Int, name: String, verdict: String, tone: Tone, isFailing: Bool) {
        (self.index, self.name, self.verdict, self.tone, self.isFailing) = (index, name, verdict, tone, isFailing)
    }

    /// The trust anchors of the host's trusted chains, without duplicates.
    var authorities: [ReportedChain.Authority] {
        var found: [ReportedChain.Authority] = []
        for authority in chains.compactMap(\.authority) where !found.contains(authority) { found.append(authority) }
        return found
    }

    /// What expires, each with its earliest end.
    func expiries(at now: Timestamp) -> [Expiry] {
        var found: [Expiry] = []
        if let pinsExpire { found.append(Expiry(host: index, name: name, subject: "pins of the set", end: pinsExpire)) }
        let certificates = chains.flatMap(\.certificates)
        // Most clients ignore the end of a trust anchor. A CA certificate matters if it ends before the server's certificate.
        let leaf = certificates.filter { $0.position == 0 }.compactMap(\.notAfter).min()
        let authority = certificates.filter { $0.position > 0 && !$0.isAnchor }.compactMap(\.notAfter).min()
        if let leaf { found.append(Expiry(host: index, name: name, subject: "server certificate", end: leaf)) }
        if let authority, leaf.map({ authority < $0 }) ?? true {
            found.append(Expiry(host: index, name: name, subject: "CA certificate", end: authority))
        }
        return found
    }
}

/// The end of a validity period.
struct Expiry: Sendable {
    /// Index of the host in the input.
    let host: Int
    let name: String
    /// What expires.
    let subject: String
    let end: Timestamp
}
