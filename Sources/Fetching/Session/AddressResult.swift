/// The outcome of one address of a target: a certificate chain or an error.
package struct AddressResult: Sendable {
    package let endpoint: Endpoint
    package let outcome: Result<HandshakeResult, FetchError>

    var hasAnswered: Bool { if case .success = outcome { true } else { false } }

    /// Whether this machine has no route to the address.
    var isUnroutable: Bool { if case .failure(let error) = outcome { error.isUnroutable } else { false } }

    /// Whether the address is a loopback address that refused the connection.
    var isRefusedLoopback: Bool {
        guard case .failure(let error) = outcome else { return false }
        return endpoint.isLoopback && error.code == .refused
    }
}
