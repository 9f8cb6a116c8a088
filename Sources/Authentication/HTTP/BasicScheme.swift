internal import Encodings
internal import OpenSSL

/// The Basic scheme (RFC 7617), which sends the password in plain text.
package struct BasicScheme: Equatable, Sendable {
    package let realm: String

    /// - Returns: nil if this is not a usable challenge of this scheme: it must have a realm, and no charset but UTF-8.
    package init?(_ challenge: HTTPChallenge) {
        guard challenge.isScheme("Basic"), let realm = challenge.realm else { return nil }
        // UTF-8 is the only value that RFC 7617, section 2.1, allows.
        guard challenge["charset"].map({ $0.lowercased() == "utf-8" }) ?? true else { return nil }
        self.realm = realm
    }

    /// Whether the scheme can transport this credential: the user name has no colon, and neither part has a control character
    /// (RFC 7617, section 2).
    package static func canTransport(_ credential: PasswordCredential) -> Bool {
        let user = credential.user.utf8
        return !user.contains(UInt8(ascii: ":")) && !user.contains(where: isControl)
            && credential.withPassword { !$0.contains(where: isControl) }
    }

    /// The value of the `Authorization` or `Proxy-Authorization` header field.
    package static func authorization(_ credential: PasswordCredential) -> [UInt8] {
        credential.withPassword { password in
            var text = Array(credential.user.utf8) + [UInt8(ascii: ":")] + password
            defer { SecretBytes.wipe(&text) }
            var value = Array("Basic ".utf8)
            Base64.append(text, to: &value)
            return value
        }
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
}
