package import Encodings
internal import PinSetCodec

/// A mistake in a sync manifest, with its position and messages.
package struct SyncManifestError: Error, Hashable, Sendable {
    package let position: SourcePosition
    package let reason: Reason

    init(_ reason: Reason, at position: SourcePosition) { (self.reason, self.position) = (reason, position) }

    package enum Reason: Hashable, Sendable {
        case syntax(JSONError)
        /// A value of the wrong JSON type.
        case type(String, found: String, expected: String)
        case missing(String, in: String)
        case version(String)
        /// A word that the key does not accept.
        case word(String, key: String, choices: [String])
        case empty(String)
        /// A text with the character NUL, which no path can contain.
        case nul(String)
        /// A private key in place of the path of its file.
        case privateKey(PrivateKeyKind, String)
        case noCopies
        case sameFile(String, firstLine: Int)
    }

    /// One sentence with the given and the expected value.
    package var message: String {
        switch reason {
        case .syntax(let error): error.message
        case .type(let subject, let found, let expected): "\(subject) is \(found), expected \(expected)"
        case .missing(let key, let subject): "\(subject) has no \(key.quotedExcerpt)"
        case .version(let text): "the version of the manifest is \(text.excerpt), expected 1"
        case .word(let word, let key, _): "\(key.quotedExcerpt) is \(word.quotedExcerpt), which is unknown"
        case .empty(let subject): "\(subject) is empty"
        case .nul(let subject): "\(subject) contains the character NUL"
        case .privateKey(let kind, let subject): "\(subject) contains \(kind.rawValue)"
        case .noCopies: "\"copies\" is empty, expected at least one copy"
        case .sameFile(let file, let line): "the file \(file.quotedExcerpt) is listed twice: first on line \(line)"
        }
    }

    /// The next step, if there is one.
    package var hint: String? {
        switch reason {
        case .syntax(let error): error.hint
        case .version, .missing("version", _), .type("\"version\"", _, _): #"write "version": 1"#
        case .missing("set", _): #"write the path of the pin set, relative to the manifest: "set": "pins.json""#
        case .missing("copies", _), .noCopies: #"write "copies": [{ "file": "ios/Info.plist" }]"#
        case .missing: #"write { "file": "ios/Info.plist" }"#
        case .word(_, _, let choices): "use one of \(choices.joined(separator: ", "))"
        case .sameFile: #"list each file once; for a file with two formats, add one entry with "format" for each"#
        case .privateKey: "write the path of the file with the key"
        case .type, .empty, .nul: nil
        }
    }
}
