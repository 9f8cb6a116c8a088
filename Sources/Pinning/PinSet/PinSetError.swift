package import Encodings

/// The reason why a pin set cannot be used, with its position in the file.
public struct PinSetError: Error, Hashable, Sendable {
    /// The line, from 1; nil if the set was not read from a file.
    public let line: Int?
    /// The column in Unicode scalars, from 1.
    public let column: Int?
    package let reason: Reason

    package init(_ reason: Reason, at position: SourcePosition?) {
        self.reason = reason
        line = position?.line
        column = position?.column
    }

    package enum Reason: Hashable, Sendable {
        case syntax(JSONError)
        /// A value of the wrong JSON type.
        case type(of: Subject, found: String, expected: String)
        case missing(String, in: Subject)
        case version(String)
        /// A word that is not a value of the key.
        case word(String, key: String, choices: [String])
        case date(String, key: String)
        case host(HostNameError)
        /// Two entries have the same host. `first` is the host of the first entry as written; `line` is its line.
        case sameHost(String, first: String, line: Int?)
        case subdomainsOfAddress(String)
        case noPins(String)
        case pin(PinSpellingError)
        case emptyAnchor
        /// A path with the character NUL, which no path can contain.
        case nulInAnchor
        case noAnchors(String)
        /// The endpoint as written.
        case endpoint(String, EndpointProblem)
        case noEndpoints(String)
        /// A label, a path of anchors or an unknown key. A conversion would copy it into other files, and a report would print it.
        case privateKey(PrivateKeyKind, in: Subject)
    }

    /// The reason why a text is not an endpoint of an entry.
    package enum EndpointProblem: Error, Hashable, Sendable {
        case userInfo
        case scheme(String)
        case port(String)
        case host(HostNameError)
        /// The entry of this host does not cover the endpoint's host.
        case otherHost(String)
    }

    /// The subject of an error.
    package enum Subject: Hashable, Sendable {
        case document
        case key(String)
        /// A member of the array under this key.
        case member(String)
        case host(String)
        case pin
        case unknownKey
    }

    /// One sentence: what was given and what was expected.
    public var message: String {
        switch reason {
        case .syntax(let error): error.message
        case .type(let subject, let found, let expected): "\(Self.text(subject)) is \(found), not \(expected)"
        case .missing(let key, let subject): "\(Self.text(subject)) has no \(key.quotedExcerpt)"
        case .version(let text): "version \(text.excerpt) of the pin set is not supported"
        case .word(let word, let key, _): "\(key.quotedExcerpt) is \(word.quotedExcerpt), which is not a known value"
        case .date(let text, let key): "\(key.quotedExcerpt) is \(text.quotedExcerpt), which is not a date"
        case .host(let error): error.message
        case .sameHost(let host, let first, let line):
            "the host \(host.quotedExcerpt) occurs twice: first" + (line.map { " on line \($0)" } ?? "")
                + (first == host ? "" : " as \(first.quotedExcerpt)")
        case .subdomainsOfAddress(let host): "\(host.quotedExcerpt) is an IP address, which has no subdomains"
        case .noPins(let host): "the host \(host.quotedExcerpt) has an empty list of pins"
        case .pin(let error): error.message
        case .emptyAnchor: "\"anchors\" contains an empty path"
        case .nulInAnchor: "\"anchors\" contains a path with the character NUL"
        case .noAnchors(let host): "the host \(host.quotedExcerpt) has an empty list of anchors"
        // A part of the text would not be recognized as a part of a key.
        case .endpoint(let text, let reason) where text.withoutPrivateKeys != text:
            "the endpoint \(text.withoutUserInfo.quotedExcerpt) \(Self.text(reason))"
        case .endpoint(let text, .scheme(let name)):
            "the endpoint \(text.targetWithoutUserInfo.quotedExcerpt) has the scheme \(name.quotedExcerpt), which is not known"
        case .endpoint(let text, .userInfo): "the endpoint \(text.targetWithoutUserInfo.quotedExcerpt) has a user name"
        case .endpoint(let text, .port(let port)):
            "the endpoint \(text.targetWithoutUserInfo.quotedExcerpt) has the port \(port.quotedExcerpt), which is not a number from 1 to 65535"
        case .endpoint(let text, .host(let error)):
            "the endpoint \(text.targetWithoutUserInfo.quotedExcerpt) has no valid host: \(error.message)"
        case .endpoint(let text, .otherHost(let host)):
            "the endpoint \(text.targetWithoutUserInfo.quotedExcerpt) is not a host that the entry of \(host.quotedExcerpt) covers"
        case .noEndpoints(let host): "the host \(host.quotedExcerpt) has an empty list of endpoints"
        case .privateKey(let kind, let subject): "\(Self.text(subject)) contains \(kind.rawValue)"
        }
    }

    /// The next step, if there is one.
    public var hint: String? {
        switch reason {
        case .syntax(let error): error.hint
        case .type(.key(let key), "null", _) where !["version", "hosts", "pins", "sha256"].contains(key):
            "remove \(key.quotedExcerpt)"
        case .type(.host, _, _): #"write { "pins": […] }, or only an array of pins"#
        case .type(.pin, _, _): #"write { "sha256": "…" }"#
        case .type(.key("version"), _, _), .version, .missing("version", _): #"write "version": 1"#
        case .type: nil
        case .missing("hosts", _): #"write "hosts": { "api.example.com": { "pins": [{ "sha256": "…" }] } }"#
        case .missing("pins", _): #"write "pins": [{ "sha256": "…" }]"#
        case .missing: #"write "sha256": "…""#
        case .word(_, _, let choices):
            "write \(choices.map(\.quotedExcerpt).joined(conjunction: "or"))"
        case .date: #"write a day such as "2027-06-01", or a time such as "2027-06-01T12:00:00Z""#
        case .host(let error): error.hint
        case .sameHost: "put the pins of both into one entry"
        case .subdomainsOfAddress: #"remove "subdomains""#
        case .noPins: "add a pin, or remove the host"
        case .pin(let error): error.hint
        case .endpoint(_, .scheme(let name)): TargetScheme.hint(forUnknown: name)
        case .endpoint(_, .host(let error)) where error.privateKeyKind != nil: error.hint
        case .endpoint(_, .otherHost): "add an entry for that host"
        case .endpoint: #"write an endpoint as "smtp://mail.example.com" or "api.example.com:8443""#
        case .noEndpoints: #"remove "endpoints", or add one"#
        case .noAnchors: #"remove "anchors" to trust the system's CAs, or add a certificate file"#
        case .privateKey(.privateKey, _): "remove it, and replace the key if others could read the file"
        case .privateKey(.pkcs12, _): "remove it"
        case .emptyAnchor, .nulInAnchor: "write the path of a certificate file, relative to the pin set"
        }
    }

    /// What is wrong with an endpoint, without the part that is wrong.
    private static func text(_ problem: EndpointProblem) -> String {
        switch problem {
        case .scheme: "has no known scheme"
        case .userInfo: "has a user name"
        case .port: "has no port from 1 to 65535"
        case .host(let error): error.privateKeyKind.map { "contains \($0.rawValue)" } ?? "has no valid host"
        case .otherHost(let host): "is not a host that the entry of \(host.quotedExcerpt) covers"
        }
    }

    private static func text(_ subject: Subject) -> String {
        switch subject {
        case .document: "the pin set"
        case .key(let key): key.quotedExcerpt
        case .member(let key): "a member of \(key.quotedExcerpt)"
        case .host(let host): "the entry of \(host.quotedExcerpt)"
        case .pin: "the pin"
        case .unknownKey: "an unknown key"
        }
    }
}

extension PinSetError: CustomStringConvertible {
    /// `12:9: message`, to be written after a file name; only the message if the position is not known.
    public var description: String {
        guard let line, let column else { return message }
        return "\(line):\(column): \(message)"
    }
}
