package import Authentication
internal import Pinning

/// The request to a SOCKS 5 proxy for a connection to a target (RFC 1928), with a user and a password (RFC 1929) if there are some.
package struct SOCKS5Negotiation: PlaintextNegotiation {
    private enum State {
        case method, password, reply
    }

    private static let version: UInt8 = 5
    private static let connect: UInt8 = 1
    private static let passwordVersion: UInt8 = 1
    /// Methods of RFC 1928, section 3.
    private static let noAuthentication: UInt8 = 0
    private static let userAndPassword: UInt8 = 2
    private static let noneAcceptable: UInt8 = 0xFF
    /// Types of addresses of RFC 1928, section 5.
    private static let ipv4: UInt8 = 1
    private static let domainName: UInt8 = 3
    private static let ipv6: UInt8 = 4

    private let request: [UInt8]
    private let credential: PasswordCredential?
    private var state = State.method
    /// Whether the proxy required the password, so that ``receive(_:)`` returned it to be sent.
    package private(set) var hasSentPassword = false
    /// Whether the proxy accepted the password.
    package private(set) var isPasswordAccepted = false
    private var buffer: [UInt8] = []

    /// - Parameter destination: a name of at most 255 bytes, or an address.
    package init(to destination: SOCKSDestination, port: UInt16, credential: PasswordCredential?) {
        var bytes = [Self.version, Self.connect, 0]
        switch destination {
        case .address(let address): bytes += [address.isV4 ? Self.ipv4 : Self.ipv6] + address.bytes
        case .name(let name): bytes += [Self.domainName, UInt8(clamping: name.utf8.count)] + name.utf8.prefix(255)
        }
        request = bytes + [UInt8(port >> 8), UInt8(port & 0xFF)]
        self.credential = credential
    }

    package mutating func begin() -> [UInt8] {
        credential == nil
            ? [Self.version, 1, Self.noAuthentication]
            : [Self.version, 2, Self.noAuthentication, Self.userAndPassword]
    }

    package mutating func receive(_ bytes: [UInt8]) -> NegotiationStep {
        buffer += bytes
        let first = state == .password ? Self.passwordVersion : Self.version
        guard buffer.first == first else { return unexpected }
        switch state {
        case .method: return readMethod()
        case .password: return readPasswordStatus()
        case .reply: return readReply()
        }
    }

    private mutating func readMethod() -> NegotiationStep {
        guard buffer.count >= 2 else { return .proceed() }
        guard buffer.count == 2 else { return .failed(.injectedText(count: buffer.count - 2)) }
        let method = buffer[1]
        buffer = []
        switch method {
        case Self.noAuthentication:
            state = .reply
            return .proceed(sending: request)
        case Self.userAndPassword:
            guard let credential else { return .failed(.proxy(.noAcceptableMethod(offersPassword: false))) }
            guard let request = Self.passwordRequest(credential) else {
                return .failed(.proxy(.credentialNotTransportable(scheme: "SOCKS5")))
            }
            state = .password
            hasSentPassword = true
            return .proceed(sending: request)
        case Self.noneAcceptable:
            return .failed(.proxy(.noAcceptableMethod(offersPassword: credential != nil)))
        default: return .failed(.unexpected([Self.version, method]))
        }
    }

    /// RFC 1929, section 2.
    ///
    /// - Returns: nil if the user or the password is longer than its field.
    private static func passwordRequest(_ credential: PasswordCredential) -> [UInt8]? {
        credential.withPassword { password in
            let user = Array(credential.user.utf8)
            guard let userLength = UInt8(exactly: user.count), let length = UInt8(exactly: password.count) else {
                return nil
            }
            return [passwordVersion, userLength] + user + [length] + password
        }
    }

    private mutating func readPasswordStatus() -> NegotiationStep {
        guard buffer.count >= 2 else { return .proceed() }
        guard buffer[1] == 0 else { return .failed(.proxy(.credentialRefused(scheme: "SOCKS5"))) }
        guard buffer.count == 2 else { return .failed(.injectedText(count: buffer.count - 2)) }
        buffer = []
        state = .reply
        isPasswordAccepted = true
        return .proceed(sending: request)
    }

    /// RFC 1928, section 6. A proxy may end a failure after the code.
    private var replyLength: Int? {
        let head = 4
        guard buffer.count > head else { return nil }
        switch buffer[head - 1] {
        case Self.ipv4: return head + 4 + 2
        case Self.ipv6: return head + 16 + 2
        case Self.domainName: return head + 1 + Int(buffer[head]) + 2
        default: return 0
        }
    }

    private mutating func readReply() -> NegotiationStep {
        guard buffer.count >= 2 else { return .proceed() }
        guard buffer[1] == 0 else { return .failed(.proxy(.socks5(buffer[1]))) }
        guard let length = replyLength else { return .proceed() }
        guard length > 0 else { return unexpected }
        guard buffer.count >= length else { return .proceed() }
        return .done(injected: buffer.count - length)
    }

    private var unexpected: NegotiationStep {
        .failed(.unexpected(AnswerExcerpt.bytes(of: buffer)))
    }
}
