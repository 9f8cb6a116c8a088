/// The types of server keys that the next connection of a search for all chains of a server accepts.
///
/// Each connection leaves out the types that are known. Up to TLS 1.2, also the cipher suites select the certificate, and types share
/// them (RFC 8422, section 5.1.1). So a server that selects only by the cipher suites can answer with a certificate that is known, or
/// reject the client, although it has another one. Then each family of cipher suites without a known type is offered alone.
struct KeyTypeSearch {
    /// The types that have the same cipher suites.
    private static let families: [Set<ServerKeyType>] = [[.ecdsa, .ed25519, .ed448], [.rsa, .rsaPSS], [.dsa]]

    /// What the next connection accepts; nil at the end of the search.
    private(set) var accepted: Set<ServerKeyType>?
    private let candidates: Set<ServerKeyType>
    private var known: Set<ServerKeyType> = []
    /// The families to ask for after ``accepted``; nil as long as the types that are left are asked for together.
    private var waiting: [Set<ServerKeyType>]?

    /// - Parameter candidates: the types to search, with those that are known.
    init(of candidates: Set<ServerKeyType>, after known: ServerKeyType) {
        (self.candidates, accepted) = (candidates, candidates)
        advance(after: known)
    }

    /// - Parameter found: the type of the last answer.
    mutating func advance(after found: ServerKeyType) {
        known.insert(found)
        if waiting != nil {
            nextFamily()
        } else if accepted?.remove(found) == nil {
            separateFamilies()
        } else if accepted?.isEmpty == true {
            accepted = nil
        }
    }

    /// Continues after the server has rejected the client, or had no other certificate for it.
    ///
    /// - Parameter isSelectedBySuite: whether the server can have selected by the cipher suites.
    mutating func advanceAfterRejection(isSelectedBySuite: Bool) {
        if waiting != nil {
            nextFamily()
        } else if isSelectedBySuite {
            separateFamilies()
        } else {
            accepted = nil
        }
    }

    private mutating func separateFamilies() {
        let last = accepted
        waiting = Self.families.map { $0.intersection(candidates) }.filter { !$0.isEmpty && $0 != last }
        nextFamily()
    }

    private mutating func nextFamily() {
        waiting?.removeAll { !$0.isDisjoint(with: known) }
        accepted = waiting?.first
        waiting = waiting.map { Array($0.dropFirst()) }
    }
}
