package import Fetching

/// A result that a report formats, one for each host or for each of its addresses.
package protocol HostOutcome {
    /// Whether the host gave no answer that decides anything.
    var isUndecided: Bool { get }
    /// Size of the certificates and other bytes of servers, for limits of memory.
    var size: Int { get }
}

extension FetchResult: HostOutcome {
    package var isUndecided: Bool { if case .failure = outcome { true } else { false } }
}
