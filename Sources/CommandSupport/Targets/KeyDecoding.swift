internal import Fetching

/// How OpenSSL decodes the public keys of certificates in this process.
package enum KeyDecoding: String, Sendable {
    /// With functions for EC and RSA keys, so that OpenSSL 3.0 and 3.1 do not search for a decoder.
    case direct
    /// With the decoders of OpenSSL's providers.
    case providers

    /// The way that this process uses. The first call selects it. The environment variable `PINCTL_NO_ENGINE` selects ``providers``.
    package static let current: KeyDecoding = {
        let isDisabled = Environment.process["PINCTL_NO_ENGINE"].map { !$0.isEmpty } ?? false
        return !isDisabled && TLSLibrary.enableDirectKeyDecoding() ? .direct : .providers
    }()
}
