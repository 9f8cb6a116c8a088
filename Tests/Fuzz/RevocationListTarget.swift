import Pinning

// Seeds: *.crl

/// Revocation lists in DER or PEM, applied to a chain.
enum RevocationListTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        guard let lists = try? RevocationList.all(in: bytes) else { return }
        precondition(!lists.isEmpty)
        for list in lists { precondition((try? RevocationList(der: list.der)) == list) }
        for scope in RevocationTrustEvaluator.ListScope.allCases {
            let evaluator = RevocationTrustEvaluator(crls: lists, crlScope: scope, ocsp: .ignored)
            _ = RevocationVectors.accepts(RevocationVectors.trust, by: evaluator)
        }
    }
}
