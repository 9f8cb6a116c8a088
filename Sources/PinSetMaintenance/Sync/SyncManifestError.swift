package import Encodings
internal import PinSetFormats

/// Why a manifest cannot be used, with the place and the sentences for it.
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
        /// A word that a key does not take.
        case word(String, key: String, choices: [String])
        case empty(String)
        case noCopies
        case sameFile(String, firstLine: Int)
    }

    /// One sentence: what was given and what was expected.
    package var message: String {
        switch reason {
        case .syntax(let error): error.message
        case .type(let subject, let found, let expected): "\(subject) is \(found), not \(expected)"
        case .missing(let key, let subject): "\(subject) has no \(key.quotedExcerpt)"
        case .version(let text): "version \(text) of the manifest is not known"
        case .word(let word, let key, _): "\(key.quotedExcerpt) is \(word.quotedExcerpt), which is not known"
        case .empty(let subject): "\(subject) is empty"
        case .noCopies: "the manifest names no copies"
        case .sameFile(let file, let line): "the file \(file.quotedExcerpt) occurs twice: first on line \(line)"
        }
    }

    /// The next step, where there is one.
    package var hint: String? {
        switch reason {
        case .syntax(let error): error.hint
        case .version, .missing("version", _), .type("\"version\"", _, _): #"write "version": 1"#
        case .missing("set", _): #"write the path of the pin set, relative to the manifest: "set": "pins.json""#
        case .missing("copies", _), .noCopies: #"write "copies": [{ "file": "ios/Info.plist" }]"#
        case .missing: #"write { "file": "ios/Info.plist" }"#
        case .word(_, _, let choices): "one of \(choices.joined(separator: ", "))"
        case .sameFile: #"name each file once; one that holds two formats gets an entry with "format" for each"#
        case .type, .empty: nil
        }
    }
}
