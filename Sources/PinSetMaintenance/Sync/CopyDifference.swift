internal import Encodings
internal import PinSetFormats
package import Pinning

/// One thing in which a copy does not say what the set says.
package struct CopyDifference: Hashable, Sendable {
    /// Nil where it is about the file.
    package let host: String?
    package let kind: Kind
    /// In the copy, from 1, where that is known.
    package let line: Int?

    init(_ kind: Kind, of host: String? = nil, line: Int? = nil) {
        (self.kind, self.host, self.line) = (kind, host, line)
    }

    package enum Kind: Hashable, Sendable {
        case missingFile
        /// A file that belongs to the copy: a certificate.
        case companion(String, isThere: Bool)
        case unreadable(String)
        /// Of formats that are only written: what a line is, and what it should be; nil where there is none.
        case text(found: String?, expected: String?)
        case missingHost, extraHost
        case missingPin(PinSet.PinnedKey)
        case extraPin(PinSet.PinnedKey)
        case role(PinSet.PinnedKey, found: PinSet.AllowedRole)
        case state(PinSet.PinnedKey, found: PinSet.State)
        case note(PinSet.PinnedKey, found: String?)
        case subdomains(PinSet.Subdomains, found: PinSet.Subdomains)
        case expires(Timestamp?, found: Timestamp?)
        case enforce(Bool)
        case anchors([String], found: [String])
    }

    /// In kebab case; part of the interface.
    package var code: Code {
        switch kind {
        case .missingFile: .missingFile
        case .companion: .companionFile
        case .unreadable: .unreadable
        case .text: .text
        case .missingHost: .missingHost
        case .extraHost: .extraHost
        case .missingPin: .missingPin
        case .extraPin: .extraPin
        case .role: .role
        case .state: .state
        case .note: .note
        case .subdomains: .subdomains
        case .expires: .expires
        case .enforce: .enforce
        case .anchors: .anchors
        }
    }

    package enum Code: String, CaseIterable, Sendable {
        case missingFile = "missing-file"
        case companionFile = "companion-file"
        case unreadable, text
        case missingHost = "missing-host"
        case extraHost = "extra-host"
        case missingPin = "missing-pin"
        case extraPin = "extra-pin"
        case role, state, note, subdomains, expires, enforce, anchors

        /// What it means in whatever copy it is found.
        package var summary: String {
            switch self {
            case .missingFile: "a copy is not there"
            case .companionFile: "a file that belongs to a copy is missing, or another"
            case .unreadable: "a copy cannot be read"
            case .text: "the text of a copy is not what the set makes it"
            case .missingHost: "a copy lacks a host of the set"
            case .extraHost: "a copy pins a host that the set does not have"
            case .missingPin: "a copy lacks a pin of the set"
            case .extraPin: "a copy has a pin that the set does not have"
            case .role: "a pin matches in another place of the chain than by the set"
            case .state: "a pin is retired in one of both"
            case .note: "a copy calls a pin otherwise than the set"
            case .subdomains: "a copy covers other names below a host than the set"
            case .expires: "the pins of a copy end at another time than by the set"
            case .enforce: "a mismatch is a failure in one of both, and only reported in the other"
            case .anchors: "a copy names other trust anchors than the set"
            }
        }
    }

    package var pin: Pin? {
        switch kind {
        case .missingPin(let key), .extraPin(let key), .role(let key, _), .state(let key, _), .note(let key, _): key.pin
        default: nil
        }
    }

    /// A sentence without its full stop, which does not name the host.
    package var message: String {
        switch kind {
        case .missingFile: "the file is not there"
        case .companion(let name, let isThere):
            isThere
                ? "\(name.quotedExcerpt) beside it is not what the set makes it"
                : "\(name.quotedExcerpt) beside it is missing"
        case .unreadable(let message): message
        case .text(let found?, let expected?):
            "\(found.quotedExcerpt) stands where the set has \(expected.quotedExcerpt)"
        case .text(nil, let expected): "\((expected ?? "").quotedExcerpt) is missing"
        case .text(let found, nil): "\((found ?? "").quotedExcerpt) is not in the set"
        case .missingHost: "the host is missing"
        case .extraHost: "the host is pinned here, and is not in the set"
        case .missingPin(let key): "\(key.named) is missing"
        case .extraPin(let key): "\(key.named) is not in the set"
        case .role(let key, let found):
            "\(key.named) has the role \(found.rawValue.quotedExcerpt) here, and \(key.role.rawValue.quotedExcerpt) by the set"
        case .state(let key, let found):
            "\(key.named) is \(found.rawValue) here, and \(key.state.rawValue) by the set"
        case .note(let key, let found):
            "the pin \(key.pin.base64) is noted as \((PinComment(key).text ?? "").quotedExcerpt) by the set, and"
                + " \(found.map { "as \($0.quotedExcerpt)" } ?? "not noted") here"
        case .subdomains(let expected, let found):
            "\"subdomains\" is \(found.rawValue.quotedExcerpt) here, and \(expected.rawValue.quotedExcerpt) by the set"
        case .expires(let expected, let found):
            "\"expires\" is \(found?.spelled ?? "never") here, and \(expected?.spelled ?? "never") by the set"
        case .enforce(let expected):
            "a mismatch is \(expected ? "only reported" : "a failure") here, and"
                + " \(expected ? "a failure" : "only reported") by the set"
        case .anchors(let expected, let found):
            "\"anchors\" is \(found.joined(separator: ", ").quotedExcerpt) here, and"
                + " \(expected.joined(separator: ", ").quotedExcerpt) by the set"
        }
    }
}

extension PinSet.PinnedKey {
    /// The pin with its label, or with the name of the authority whose key it is.
    fileprivate var named: String {
        guard label == nil, let name = KnownAuthorities.name(of: pin) else { return shown }
        return "the pin \(pin.base64) (\(name))"
    }
}
