internal import OpenSSL
internal import Pinning
internal import Synchronization

/// The chains of one host with several addresses: limits their memory and the time to validate them.
///
/// A name can have 256 addresses, and a server can send another certificate list of 256 KiB in each connection. All of them are in memory
/// until the result of the host is written, and a report needs several times their size. So the lists of a host that differ have at most
/// ``maximumSize`` bytes together. Each of them is validated once, because one validation can need a second.
final class HostChains: Sendable {
    /// Maximum total size in bytes: 256 addresses with three chains of 8 KiB.
    static let maximumSize = 6 << 20

    private struct State: ~Copyable {
        /// The chain of each list, by the digests of its certificates; nil if it was not validated or could not be decoded.
        var chains: [[[UInt8]]: CertificateChain?] = [:]
        var size = 0
    }

    private let state = Mutex(State())

    /// The chain of a list that an address of the host sent.
    ///
    /// - Parameters:
    ///   - list: the certificates in DER, in the server's order.
    ///   - validate: makes the chain, unless another address sent the same list before.
    /// - Returns: nil if the list exceeds the limit.
    func chain<Failure: Error>(
        of list: [[UInt8]], validating validate: () throws(Failure) -> CertificateChain
    ) throws(Failure) -> CertificateChain? {
        let size = list.reduce(0) { $0 + $1.count }
        let digests = list.map { Digest.sha256($0) }
        let (isAdmitted, known) = state.withLock { state -> (Bool, CertificateChain?) in
            if let known = state.chains[digests] { return (true, known) }
            guard state.size + size <= Self.maximumSize else { return (false, nil) }
            state.chains[digests] = .some(nil)
            state.size += size
            return (true, nil)
        }
        guard isAdmitted else { return nil }
        if let known { return known }
        let chain = try validate()
        state.withLock { $0.chains[digests] = chain }
        return chain
    }
}
