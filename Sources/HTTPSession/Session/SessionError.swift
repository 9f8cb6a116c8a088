public import Authentication
internal import Encodings
package import Fetching
internal import PlaintextProtocols

/// The reason why a request has no response.
public struct SessionError: Error, Sendable {
    /// An identifier for programs; part of the JSON interface of `pinctl challenge`.
    public enum Code: String, Sendable {
        /// A handler cancelled the request.
        case cancelled
        /// The certificate chain of the server is not trusted, and no handler trusts it.
        case untrusted
        /// The chain is trusted, and matches no pin of the pin set.
        case pinMismatch = "pin-mismatch"
        /// The server aborted the handshake because no client certificate was sent, or refused the one that was sent.
        case clientCertificate = "client-certificate"
        /// A proxy refused the request or the login, or the connection to it failed or timed out, or its answer is not valid.
        case proxy
        /// The server accepted the login, but did not prove that it knows the password (RFC 7616, section 3.5).
        case serverProof = "server-proof"
        /// The server refused the login of FTP.
        case login
        /// The response of the server is not valid HTTP, or exceeds a limit.
        case response
        case redirect
        /// Name resolution, connection, STARTTLS or handshake failed, also behind a proxy.
        case connection
        case timeout
        /// The URL, the proxy or a setting cannot be used.
        case configuration
    }

    public let code: Code
    /// One sentence without a full stop. It contains no secret that the session knows, and no user and password of a URL.
    public var message: String { unfilteredMessage.withoutUserInfoInURLs }
    /// The message with URLs as a server sent them.
    let unfilteredMessage: String
    /// The protection space that the request ended in; nil if the error concerns no challenge.
    public let protectionSpace: ProtectionSpace?
    package let fetchError: FetchError?
    /// Whether no client certificate was sent because the server had not proved yet that it has its key.
    package let lacksProofOfKey: Bool
    /// Whether the code is ``Code/proxy``, and the proxy refused neither the request nor the login.
    private let isProxyFailure: Bool

    init(
        _ code: Code, _ message: String, _ space: ProtectionSpace? = nil, fetchError: FetchError? = nil,
        lacksProofOfKey: Bool = false, isProxyFailure: Bool = false
    ) {
        (self.code, unfilteredMessage, self.fetchError) = (code, message, fetchError)
        protectionSpace = space
        (self.lacksProofOfKey, self.isProxyFailure) = (lacksProofOfKey, isProxyFailure)
    }

    /// The error of a proxy that failed: it refused neither the request nor the login.
    init(
        failureOf proxy: Proxy, _ message: String, _ space: ProtectionSpace? = nil, fetchError: FetchError? = nil
    ) {
        self.init(.proxy, "proxy \(proxy): \(message)", space, fetchError: fetchError, isProxyFailure: true)
    }

    init(_ error: FetchError) {
        guard case .proxy(_, let cause) = error else {
            self.init(error.code == .timeout ? .timeout : .connection, error.unfilteredMessage, fetchError: error)
            return
        }
        let isRefusal =
            if case .negotiation(_, _, .proxy(let failure)) = cause { failure.refusesRequest } else { false }
        self.init(.proxy, error.unfilteredMessage, fetchError: error, isProxyFailure: !isRefusal)
    }

    /// The same error with another message and protection space.
    ///
    /// - Parameter keepsCause: whether to keep ``fetchError``, which can contain names from the message.
    func replacing(message: String, _ space: ProtectionSpace?, keepsCause: Bool = true) -> SessionError {
        SessionError(
            code, message, space, fetchError: keepsCause ? fetchError : nil, lacksProofOfKey: lacksProofOfKey,
            isProxyFailure: isProxyFailure)
    }

    /// Whether the server, a proxy or the client refused the request; otherwise it is not known who would be admitted.
    public var isRefusal: Bool {
        switch code {
        case .cancelled, .untrusted, .pinMismatch, .clientCertificate, .serverProof, .login: true
        case .proxy: !isProxyFailure
        case .response, .redirect, .connection, .timeout, .configuration: false
        }
    }
}

extension SessionError: CustomStringConvertible {
    public var description: String { message }
}
