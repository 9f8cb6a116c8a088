internal import Authentication
internal import Fetching
internal import Pinning

/// Who requires a login with HTTP: the server, or a proxy.
enum LoginSide: Hashable {
    case server(scheme: RequestURL.Scheme, host: Target.Host, port: UInt16)
    /// A proxy. Two variables of the environment can name one proxy with two users, who have separate logins.
    case proxy(type: ProtectionSpace.ProxyType, host: Target.Host, port: UInt16, user: String?)

    init(_ url: RequestURL) { self = .server(scheme: url.scheme, host: url.host, port: url.port) }

    init(_ proxy: Proxy) {
        self = .proxy(
            type: proxy.kind == .https ? .https : .http, host: proxy.host, port: proxy.port,
            user: proxy.credential?.user)
    }

    /// The status of a response that requires a login (RFC 9110, sections 15.5.2 and 15.5.8).
    var status: Int { if case .server = self { 401 } else { 407 } }

    /// The header fields, in lower case.
    var challengeField: String { if case .server = self { "www-authenticate" } else { "proxy-authenticate" } }
    var infoField: String { if case .server = self { "authentication-info" } else { "proxy-authentication-info" } }

    /// The header field of a request.
    var requestField: String { if case .server = self { "Authorization" } else { "Proxy-Authorization" } }

    /// - Parameter url: the URL of the request.
    func space(_ method: AuthenticationMethod, realm: String?, for url: RequestURL) -> ProtectionSpace {
        switch self {
        case .server: url.space(method, realm: realm)
        case .proxy(let type, let host, let port, _):
            ProtectionSpace(
                host: Target(host: host).spaceHost, port: port, protocol: url.spaceProtocol, proxyType: type,
                realm: realm,
                authenticationMethod: method)
        }
    }
}

extension Target {
    /// The host as a protection space has it: without brackets and zone.
    var spaceHost: String {
        switch host {
        case .name(let name): name
        case .address(let address, _): address.description
        }
    }
}

extension RequestURL {
    var spaceProtocol: ProtectionSpace.ServerProtocol {
        switch scheme {
        case .https: .https
        case .http: .http
        case .ftp: .ftp
        }
    }

    /// The protection space of a challenge of the server.
    func space(
        _ method: AuthenticationMethod, realm: String? = nil, distinguishedNames: [[UInt8]]? = nil,
        serverTrust: ServerTrust? = nil
    ) -> ProtectionSpace {
        ProtectionSpace(
            host: hostText, port: port, protocol: spaceProtocol, realm: realm, authenticationMethod: method,
            distinguishedNames: distinguishedNames, serverTrust: serverTrust,
            // The session logs in to FTP only after AUTH TLS.
            isEncrypted: scheme != .http)
    }
}
