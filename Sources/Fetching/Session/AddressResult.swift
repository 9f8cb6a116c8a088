/// The outcome of one address of a target: a certificate chain or an error.
package struct AddressResult: Sendable {
    package let endpoint: Endpoint
    package let outcome: Result<HandshakeResult, FetchError>

    var hasAnswered: Bool { if case .success = outcome { true } else { false } }

    /// Whether this machine has no route to the address.
    var isUnroutable: Bool { if case .failure(let error) = outcome { error.isUnroutable } else { false } }

    /// Whether the address refused the connection.
    var isRefused: Bool { if case .failure(let error) = outcome { error.code == .refused } else { false } }
}
