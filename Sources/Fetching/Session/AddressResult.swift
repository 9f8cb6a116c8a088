/// The outcome of one address of a target: a certificate chain or an error.
package struct AddressResult: Sendable {
    package let endpoint: Endpoint
    package let outcome: Result<HandshakeResult, FetchError>
}
