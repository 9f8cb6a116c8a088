internal import Encodings

/// The reasons of OpenSSL and BoringSSL (crypto/x509/x509_txt.c), which programs write after their own words. Python adds the host.
enum VerificationReason {
    /// What the program found: a reason that is not about dates or names means that the chain is not trusted.
    static func kind(_ reason: some StringProtocol) -> ConnectionFailure.Kind {
        let reason = reason.lowercased()
        if reason.begins(with: "certificate has expired") { return .expired }
        if reason.begins(with: "certificate is not yet valid") { return .notYetValid }
        if reason.begins(with: "hostname mismatch") || reason.begins(with: "ip address mismatch") {
            return .nameMismatch
        }
        return .untrusted
    }
}
