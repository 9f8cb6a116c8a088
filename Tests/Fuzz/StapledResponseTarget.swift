import Pinning

// Seeds: *.ocsp

/// OCSP responses, as a server staples them.
enum StapledResponseTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        var trust = RevocationVectors.trust
        trust.stapledResponse = bytes
        let isAccepted = RevocationVectors.accepts(trust, by: RevocationTrustEvaluator(ocsp: .required))
        // One that is there is looked at in the same way, whether it has to be there or not. Validating the chain anew for each of
        // the many that are refused would take half the time.
        guard isAccepted else { return }
        precondition(RevocationVectors.accepts(trust, by: RevocationTrustEvaluator(ocsp: .ifPresent)))
    }
}
