internal import Encodings

/// Accepts a chain with a certificate that has one of the pinned keys.
public struct PublicKeysTrustEvaluator: ServerTrustEvaluator {
    private let keys: Set<Pin>
    private let performDefaultValidation: Bool
    private let validateHost: Bool

    /// - Parameters:
    ///   - keys: the pins of the keys: `certificate.pin`, `Pin(subjectPublicKeyInfo:)` or `Pin(spelling:)`. If empty, every server
    ///     is refused.
    ///   - performDefaultValidation: whether the chain must be valid.
    ///   - validateHost: whether the chain must be valid and the server's certificate valid for the host. If both are false,
    ///     dates, names and signatures are not checked, and only the server's own key can match.
    public init(keys: [Pin], performDefaultValidation: Bool = true, validateHost: Bool = true) {
        self.keys = Set(keys)
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
    }

    public func evaluate(_ trust: ServerTrust, forHost host: String) throws(ServerTrustError) {
        guard !keys.isEmpty else { throw ServerTrustError(self, host, .nothingToCheck) }
        let compared = try trust.pinnable(
            for: self, host, performDefaultValidation: performDefaultValidation, validateHost: validateHost
        ).map { ChainPin(role: $0.role, position: $0.position, pin: $0.certificate.pin) }
        guard compared.contains(where: { keys.contains($0.pin) }) else {
            throw ServerTrustError(self, host, .keyNotPinned(compared: compared))
        }
    }
}
