import Pinning

// Seeds: *.ocsp

/// OCSP responses, as a server staples them.
enum StapledResponseTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        var trust = RevocationVectors.trust
        trust.stapledResponse = bytes
        let isAccepted = RevocationVectors.accepts(trust, by: RevocationTrustEvaluator(ocsp: .required))
        // A required response is checked in the same way as an optional one, so one evaluator is enough. A second evaluator would
        // validate the chain again, which takes half of the time.
        guard isAccepted else { return }
        precondition(RevocationVectors.accepts(trust, by: RevocationTrustEvaluator(ocsp: .ifPresent)))
    }
}
