package import OpenSSL

extension ChainJudge {
    /// Judges a chain that was saved, by the rules for one that a server sends.
    ///
    /// - Parameters:
    ///   - saved: the server's own certificate first.
    ///   - time: the moment to validate at; nil for now.
    package static func judge(
        saved: [Certificate], for identity: ServerIdentity?, by source: TrustSource, at time: Timestamp? = nil
    ) throws(SavedChainError) -> Chain {
        let judge: ChainJudge
        let chain: PeerChain?
        do throws(OpenSSLError) {
            judge = try ChainJudge(source, at: time)
            chain = try PeerChain.saved(saved.map(\.der))
        } catch {
            throw .refused(error)
        }
        guard let chain else { throw .empty }
        do throws(CertificateError) {
            return try judge.judge(chain, for: identity)
        } catch {
            throw .malformed(error)
        }
    }
}

/// Why saved certificates cannot be judged as a chain.
package enum SavedChainError: Error, Sendable {
    /// There is none.
    case empty
    /// OpenSSL cannot decode one of them.
    case refused(OpenSSLError)
    case malformed(CertificateError)
}

extension SavedChainError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "there is no certificate"
        case .refused(let error): "OpenSSL cannot read its certificates: \(error.text)"
        case .malformed(let error): "\(error)"
        }
    }
}
