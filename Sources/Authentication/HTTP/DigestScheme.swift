internal import Encodings
internal import OpenSSL

/// The Digest scheme (RFC 7616) with the qualities of protection `auth` and `auth-int`, and without one for servers of RFC 2069.
package struct DigestScheme: Equatable, Sendable {
    /// The hash functions of RFC 7616, section 6.1, from weak to strong.
    package enum Algorithm: String, CaseIterable, Comparable, Sendable {
        case md5 = "MD5"
        case sha256 = "SHA-256"
        case sha512t256 = "SHA-512-256"

        package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .md5: 0
            case .sha256: 1
            case .sha512t256: 2
            }
        }

        fileprivate var digest: OpenSSL.Digest.Algorithm {
            switch self {
            case .md5: .md5
            case .sha256: .sha256
            case .sha512t256: .sha512t256
            }
        }
    }

    /// A request whose method and target the response covers.
    package struct Request: Sendable {
        package let method: String
        /// The request target: the path of a URL, or host and port for CONNECT (RFC 9112, section 3.2).
        package let target: String
        /// A random value that was not used with this server before.
        package let clientNonce: String
        /// Number of requests that were sent with the nonce of the server, this one included.
        package let count: UInt32
        /// The body of the request, which only `auth-int` covers.
        package let body: [UInt8]

        package init(method: String, target: String, clientNonce: String, count: UInt32 = 1, body: [UInt8] = []) {
            (self.method, self.target, self.clientNonce, self.count) = (method, target, clientNonce, count)
            self.body = body
        }
    }

    /// What the response covers (RFC 7616, section 3.4). The raw value is the parameter `qop`.
    package enum Quality: String, Sendable {
        /// The method and the target of the request.
        case authentication = "auth"
        /// Also the body.
        case integrity = "auth-int"
    }

    package let realm: String
    /// ``realm`` as it was sent, which need not be UTF-8.
    private let realmBytes: [UInt8]
    package let algorithm: Algorithm
    /// Whether the key of a session is used in place of the password's hash (`-sess`).
    package let usesSessionKey: Bool
    package let nonce: [UInt8]
    private let opaque: [UInt8]?
    /// `auth` if the server offers it, otherwise `auth-int`; nil if it offers none, as in RFC 2069.
    package let quality: Quality?
    /// The URIs of the protection space; empty for the whole server (RFC 7616, section 3.3).
    package let domain: [String]
    /// Whether the server refused the last response only because its nonce is too old (RFC 7616, section 3.3).
    package let isStale: Bool
    /// Whether the user name is sent as a hash (RFC 7616, section 3.4.4).
    package let hashesUser: Bool

    /// - Returns: nil if this is not a usable challenge of this scheme: it lacks a realm or a nonce, or it has an unknown
    ///   algorithm, or no quality of protection that is supported.
    package init?(_ challenge: HTTPChallenge) {
        guard challenge.isScheme("Digest"), let realm = challenge.realm, let realmBytes = challenge.bytes(of: "realm"),
            let nonce = challenge.bytes(of: "nonce")
        else { return nil }
        var name = (challenge["algorithm"] ?? Algorithm.md5.rawValue).uppercased()
        let suffix = "-SESS"
        usesSessionKey = name.hasSuffix(suffix)
        if usesSessionKey { name.removeLast(suffix.count) }
        guard let algorithm = Algorithm(rawValue: name) else { return nil }
        let qualities = challenge["qop"]?.parts(separatedBy: ",").map {
            String(String.UnicodeScalarView($0.lowercased().unicodeScalars.filter { $0 != " " && $0 != "\t" }))
        }
        if let qualities {
            let supported = [Quality.authentication, .integrity].first { qualities.contains($0.rawValue) }
            guard let supported else { return nil }
            quality = supported
        } else {
            // The key of a session needs a nonce of the client, which is sent only with a quality of protection.
            guard !usesSessionKey else { return nil }
            quality = nil
        }
        domain = challenge["domain"]?.parts(separatedBy: " ").filter { !$0.isEmpty }.map(String.init) ?? []
        self.realm = realm
        self.realmBytes = realmBytes
        self.nonce = nonce
        self.algorithm = algorithm
        opaque = challenge.bytes(of: "opaque")
        isStale = challenge["stale"]?.lowercased() == "true"
        hashesUser = challenge["userhash"]?.lowercased() == "true"
    }

    /// The value of the `Authorization` or `Proxy-Authorization` header field.
    ///
    /// - Parameter nonce: the nonce of the server; nil for that of the challenge.
    /// - Returns: nil if OpenSSL does not provide the algorithm.
    package func authorization(
        _ credential: PasswordCredential, for request: Request, nonce: [UInt8]? = nil
    ) -> [UInt8]? {
        let nonce = nonce ?? self.nonce
        guard let response = response(credential, for: request, nonce: nonce), let user = user(of: credential) else {
            return nil
        }
        var fields = [
            Array(user.utf8), Self.field("realm", realmBytes), Self.field("uri", Array(request.target.utf8)),
            Array("algorithm=\(algorithm.rawValue)\(usesSessionKey ? "-sess" : "")".utf8), Self.field("nonce", nonce),
        ]
        if let quality {
            fields += [
                Array("nc=\(Self.hex(request.count))".utf8), Self.field("cnonce", Array(request.clientNonce.utf8)),
                Array("qop=\(quality.rawValue)".utf8),
            ]
        }
        fields.append(Self.field("response", Array(response.utf8)))
        if let opaque { fields.append(Self.field("opaque", opaque)) }
        if hashesUser { fields.append(Array("userhash=true".utf8)) }
        return Array("Digest ".utf8) + fields.joined(separator: ", ".utf8)
    }

    /// The response of RFC 7616, section 3.4.1, in hexadecimal.
    func response(_ credential: PasswordCredential, for request: Request, nonce: [UInt8]? = nil) -> String? {
        let covered = "\(request.method):\(request.target)"
        return response(
            credential, for: request, nonce: nonce ?? self.nonce, covering: covered,
            body: quality == .integrity ? request.body : nil, quality: quality)
    }

    /// The proof of the server for a request (RFC 7616, section 3.5), in hexadecimal.
    ///
    /// - Parameter body: the body of the response; nil if the proof does not cover it.
    func serverResponse(
        _ credential: PasswordCredential, for request: Request, nonce: [UInt8], body: [UInt8]?
    ) -> String? {
        response(
            credential, for: request, nonce: nonce, covering: ":\(request.target)", body: body,
            quality: quality == nil ? nil : body == nil ? .authentication : .integrity)
    }

    private func response(
        _ credential: PasswordCredential, for request: Request, nonce: [UInt8], covering covered: String,
        body: [UInt8]?, quality: Quality?
    ) -> String? {
        var covered = covered
        if let body {
            guard let bodyHash = hash(body) else { return nil }
            covered += ":\(bodyHash)"
        }
        guard let key = key(of: credential, clientNonce: request.clientNonce),
            let coveredHash = hash(Array(covered.utf8))
        else { return nil }
        let middle = quality.map { ":\(Self.hex(request.count)):\(request.clientNonce):\($0.rawValue)" } ?? ""
        return hash(Array("\(key):".utf8) + nonce + Array("\(middle):\(coveredHash)".utf8))
    }

    /// The hash of A1 (RFC 7616, section 3.4.2). The key of a session has the nonce of the challenge, also after a new nonce.
    private func key(of credential: PasswordCredential, clientNonce: String) -> String? {
        let start = Array("\(credential.user):".utf8) + realmBytes + [UInt8(ascii: ":")]
        let key = credential.withPassword { password in
            var text = start + password
            defer { SecretBytes.wipe(&text) }
            return hash(text)
        }
        guard usesSessionKey, let key else { return key }
        return hash(Array("\(key):".utf8) + nonce + Array(":\(clientNonce)".utf8))
    }

    /// The field with the user name: `username`, its hash, or `username*` for a name outside ASCII (RFC 7616, section 3.4).
    private func user(of credential: PasswordCredential) -> String? {
        if hashesUser { return hash(Array("\(credential.user):".utf8) + realmBytes).map { "username=\"\($0)\"" } }
        guard !credential.user.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            return String(decoding: Self.field("username", Array(credential.user.utf8)), as: UTF8.self)
        }
        // The extended notation of RFC 8187, section 3.2.1.
        let encoded = credential.user.utf8.map { byte in
            Self.isAttributeCharacter(byte)
                ? String(UnicodeScalar(byte)) : "%" + Hex.encode([byte]).uppercased()
        }
        return "username*=UTF-8''" + encoded.joined()
    }

    private func hash(_ bytes: [UInt8]) -> String? {
        OpenSSL.Digest.hash(bytes, with: algorithm.digest).map { Hex.encode($0) }
    }

    /// The counter of requests: 8 hexadecimal digits.
    private static func hex(_ count: UInt32) -> String {
        let digits = String(count, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// A parameter whose value is a quoted string (RFC 9110, section 5.6.4).
    private static func field(_ name: String, _ value: [UInt8]) -> [UInt8] {
        var output = Array("\(name)=\"".utf8)
        for byte in value {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { output.append(UInt8(ascii: "\\")) }
            output.append(byte)
        }
        return output + [UInt8(ascii: "\"")]
    }

    /// `attr-char` (RFC 8187, section 3.2.1).
    private static func isAttributeCharacter(_ byte: UInt8) -> Bool {
        HTTPChallengeParser.isToken(byte) && !"*'%".utf8.contains(byte)
    }
}
