package import Pinning

extension ConnectionFailure.Kind {
    /// Whether a chain that does not validate can cause a failure of this kind. A message about a date, a name or a CA says which.
    package func isExplained(by chain: CertificateChain) -> Bool {
        chain.failures.contains { failure in
            switch (self, failure) {
            case (.expired, .expired), (.notYetValid, .notYetValid), (.nameMismatch, .nameMismatch): true
            case (.expired, _), (.notYetValid, _), (.nameMismatch, _): false
            case (.untrusted, .expired), (.untrusted, .notYetValid), (.untrusted, .nameMismatch): false
            case (.untrusted, _), (.pinMismatch, _), (.cancelled, _), (.handshake, _): true
            }
        }
    }
}
