internal import Encodings
package import Pinning

extension CertificateChain {
    /// The reasons why the chain does not validate, in one line.
    package var reason: String { failures.map(\.reason).joined(separator: "; ") }

    /// "trusted", or the reasons why the chain does not validate.
    package var verdict: String { isTrusted ? "trusted" : "not trusted: \(reason)" }

    /// The mark of each pin, because it may be an attacker's; nil for a trusted chain.
    package var pinMark: String? { isTrusted ? nil : "(unverified)" }

    /// The number of certificates of each role, such as "a leaf, 2 intermediates and a root".
    package var summary: String {
        func part(_ role: Role) -> String? {
            let count = entries.count { $0.role == role }
            guard count > 0 else { return nil }
            return count == 1 ? "\(role == .intermediate ? "an" : "a") \(role.rawValue)" : "\(count) \(role.rawValue)s"
        }
        let parts = Role.allCases.compactMap(part)
        return parts.isEmpty ? "no certificate" : parts.joined(conjunction: "and")
    }
}
