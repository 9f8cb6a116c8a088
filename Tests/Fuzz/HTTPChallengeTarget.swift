import Authentication

// Seeds: *.challenge

/// Values of the header fields `Proxy-Authenticate` and `Authentication-Info`, one for each line.
enum HTTPChallengeTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        let values = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        let credential = PasswordCredential(user: "user", password: Array("secret".utf8))
        if let info = try? AuthenticationInfo(parsing: values), let nonce = info.nextNonce {
            precondition(!nonce.contains(0))
        }
        do {
            let challenges = try HTTPChallengeParser.challenges(in: values)
            for challenge in challenges { precondition(!challenge.scheme.isEmpty) }
            let request = DigestScheme.Request(method: "CONNECT", target: "h.example:443", clientNonce: "c")
            let offers = OfferedScheme.ordered(challenges)
            precondition(offers.count == challenges.count)
            for case .digest(let scheme)? in offers.map(\.scheme) {
                var session = DigestSession(scheme, credential, clientNonce: "c")
                precondition(session.authorization(method: "GET", target: "/") != nil)
            }
            switch HTTPScheme.strongest(of: challenges) {
            case .digest(let scheme)?: precondition(scheme.authorization(credential, for: request) != nil)
            case .basic?: precondition(BasicScheme.authorization(credential).starts(with: "Basic ".utf8))
            case nil: break
            }
        } catch {
            precondition(error.offset >= 0 && error.offset <= bytes.count)
        }
    }
}
