internal import Encodings
internal import OpenSSL

/// The Digest scheme (RFC 7616) with the quality of protection `auth`, and without one for servers of RFC 2069.
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

        package init(method: String, target: String, clientNonce: String, count: UInt32 = 1) {
            (self.method, self.target, self.clientNonce, self.count) = (method, target, clientNonce, count)
        }
    }

    package let realm: String
    package let algorithm: Algorithm
    /// Whether the key of a session is used in place of the password's hash (`-sess`).
    package let usesSessionKey: Bool
    package let nonce: String
    package let opaque: String?
    /// Whether the server offers the quality of protection `auth`; false if it offers none, as in RFC 2069.
    package let hasQualityOfProtection: Bool
    /// Whether the server refused the last response only because its nonce is too old (RFC 7616, section 3.3).
    package let isStale: Bool
    /// Whether the user name is sent as a hash (RFC 7616, section 3.4.4).
    package let hashesUser: Bool

    /// - Returns: nil if this is not a usable challenge of this scheme: it lacks a realm or a nonce, or it has an unknown
    ///   algorithm, or no quality of protection that is supported.
    package init?(_ challenge: HTTPChallenge) {
        guard challenge.isScheme("Digest"), let realm = challenge.realm, let nonce = challenge["nonce"] else {
            return nil
        }
        var name = (challenge["algorithm"] ?? Algorithm.md5.rawValue).uppercased()
        let suffix = "-SESS"
        usesSessionKey = name.hasSuffix(suffix)
        if usesSessionKey { name.removeLast(suffix.count) }
        guard let algorithm = Algorithm(rawValue: name) else { return nil }
        let qualities = challenge["qop"]?.split(separator: ",").map {
            $0.lowercased().filter { $0 != " " && $0 != "\t" }
        }
        guard qualities?.contains("auth") ?? !usesSessionKey else { return nil }
        hasQualityOfProtection = qualities != nil
        self.realm = realm
        self.nonce = nonce
        self.algorithm = algorithm
        opaque = challenge["opaque"]
        isStale = challenge["stale"]?.lowercased() == "true"
        hashesUser = challenge["userhash"]?.lowercased() == "true"
    }

    /// The value of the `Authorization` or `Proxy-Authorization` header field.
    ///
    /// - Returns: nil if OpenSSL does not provide the algorithm.
    package func authorization(_ credential: Credential, for request: Request) -> [UInt8]? {
        guard let response = response(credential, for: request), let user = user(of: credential) else { return nil }
        var fields = [
            user, "realm=\(Self.quoted(realm))", "uri=\(Self.quoted(request.target))",
            "algorithm=\(algorithm.rawValue)\(usesSessionKey ? "-sess" : "")", "nonce=\(Self.quoted(nonce))",
        ]
        if hasQualityOfProtection {
            fields += ["nc=\(Self.hex(request.count))", "cnonce=\(Self.quoted(request.clientNonce))", "qop=auth"]
        }
        fields.append("response=\"\(response)\"")
        if let opaque { fields.append("opaque=\(Self.quoted(opaque))") }
        if hashesUser { fields.append("userhash=true") }
        return Array("Digest \(fields.joined(separator: ", "))".utf8)
    }

    /// The response of RFC 7616, section 3.4.1, in hexadecimal.
    func response(_ credential: Credential, for request: Request) -> String? {
        let start = Array("\(credential.user):\(realm):".utf8)
        let key = credential.withPassword { password in
            var text = start + password
            defer { SecretBytes.wipe(&text) }
            return hash(text)
        }
        guard var key, let requestHash = hash(Array("\(request.method):\(request.target)".utf8)) else { return nil }
        if usesSessionKey {
            guard let sessionKey = hash(Array("\(key):\(nonce):\(request.clientNonce)".utf8)) else { return nil }
            key = sessionKey
        }
        let middle =
            hasQualityOfProtection
            ? "\(nonce):\(Self.hex(request.count)):\(request.clientNonce):auth" : nonce
        return hash(Array("\(key):\(middle):\(requestHash)".utf8))
    }

    /// The field with the user name: `username`, its hash, or `username*` for a name outside ASCII (RFC 7616, section 3.4).
    private func user(of credential: Credential) -> String? {
        if hashesUser { return hash(Array("\(credential.user):\(realm)".utf8)).map { "username=\"\($0)\"" } }
        guard !credential.user.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            return "username=\(Self.quoted(credential.user))"
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

    /// A quoted string (RFC 9110, section 5.6.4).
    private static func quoted(_ text: String) -> String {
        var output = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { output += "\\" }
            output.unicodeScalars.append(scalar)
        }
        return output + "\""
    }

    /// `attr-char` (RFC 8187, section 3.2.1).
    private static func isAttributeCharacter(_ byte: UInt8) -> Bool {
        HTTPChallengeParser.isToken(byte) && !"*'%".utf8.contains(byte)
    }
}
