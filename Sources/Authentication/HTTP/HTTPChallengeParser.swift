/// Parses the value of a `WWW-Authenticate` or `Proxy-Authenticate` header field (RFC 9110, sections 5.6 and 11.6.1).
///
/// The same comma separates challenges and parameters. A word begins a challenge if no equals sign follows it.
package struct HTTPChallengeParser {
    /// Maximum length of a value in bytes.
    package static let maximumLength = 16_384
    /// Maximum number of challenges of one response. Servers send a few, and a session keeps a record of each.
    package static let maximumChallenges = 64

    private let bytes: [UInt8]
    private var index = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The challenges of a header field that can occur several times, in the order of the fields.
    package static func challenges(in values: [[UInt8]]) throws(HTTPChallengeError) -> [HTTPChallenge] {
        var challenges: [HTTPChallenge] = []
        for value in values { challenges += try Self.challenges(in: value) }
        guard challenges.count <= maximumChallenges else { throw HTTPChallengeError(reason: .tooMany, offset: 0) }
        return challenges
    }

    /// The challenges of one value.
    package static func challenges(in value: [UInt8]) throws(HTTPChallengeError) -> [HTTPChallenge] {
        guard value.count <= maximumLength else { throw HTTPChallengeError(reason: .tooLong, offset: maximumLength) }
        var parser = HTTPChallengeParser(value)
        return try parser.parse()
    }

    /// The parameters of a header field without a scheme, such as `Authentication-Info` (RFC 9110, section 11.6.3).
    package static func parameters(in value: [UInt8]) throws(HTTPChallengeError) -> [HTTPChallenge.Parameter] {
        guard value.count <= maximumLength else { throw HTTPChallengeError(reason: .tooLong, offset: maximumLength) }
        var parser = HTTPChallengeParser(value)
        parser.skipSeparators()
        guard parser.index < value.count else { return [] }
        let parameters = try parser.parameters()
        parser.skipSeparators()
        guard parser.index == value.count else { throw HTTPChallengeError(reason: .noValue, offset: parser.index) }
        return parameters
    }

    private mutating func parse() throws(HTTPChallengeError) -> [HTTPChallenge] {
        var challenges: [HTTPChallenge] = []
        skipSeparators()
        while index < bytes.count {
            guard challenges.count < Self.maximumChallenges else {
                throw HTTPChallengeError(reason: .tooMany, offset: index)
            }
            challenges.append(try challenge())
            skipSeparators()
        }
        return challenges
    }

    private mutating func challenge() throws(HTTPChallengeError) -> HTTPChallenge {
        let start = index
        let scheme = try token()
        let afterScheme = index
        skipSpace()
        guard current != UInt8(ascii: "=") else { throw HTTPChallengeError(reason: .noScheme, offset: start) }
        // RFC 9110, section 11.3: at least one space separates the scheme from what follows.
        guard index > afterScheme, index < bytes.count, current != UInt8(ascii: ",") else {
            try expectComma()
            return HTTPChallenge(scheme: scheme, token68: nil, parameters: [])
        }
        if let token68 = takeToken68() { return HTTPChallenge(scheme: scheme, token68: token68, parameters: []) }
        return HTTPChallenge(scheme: scheme, token68: nil, parameters: try parameters())
    }

    private mutating func parameters() throws(HTTPChallengeError) -> [HTTPChallenge.Parameter] {
        var parameters: [HTTPChallenge.Parameter] = []
        var names: Set<String> = []
        while true {
            let start = index
            let name = try token().lowercased()
            skipSpace()
            guard current == UInt8(ascii: "=") else { throw HTTPChallengeError(reason: .noValue, offset: index) }
            index += 1
            skipSpace()
            guard names.insert(name).inserted else {
                throw HTTPChallengeError(reason: .duplicate(name), offset: start)
            }
            parameters.append(try parameter(name))
            try expectComma()
            let end = index
            skipSeparators()
            guard index < bytes.count, isParameterNext() else {
                index = end
                return parameters
            }
        }
    }

    /// Whether a name and an equals sign follow, which continue the current challenge.
    private func isParameterNext() -> Bool {
        var parser = self
        guard (try? parser.token()) != nil else { return false }
        parser.skipSpace()
        return parser.current == UInt8(ascii: "=")
    }

    /// Reads a token68 if the rest of the challenge is one; otherwise reads nothing.
    /// `name=` is one: a parameter cannot have an empty value.
    private mutating func takeToken68() -> String? {
        var end = index
        while end < bytes.count, Self.isToken68(bytes[end]) { end += 1 }
        guard end > index else { return nil }
        while end < bytes.count, bytes[end] == UInt8(ascii: "=") { end += 1 }
        var next = end
        while next < bytes.count, Self.isSpace(bytes[next]) { next += 1 }
        guard next == bytes.count || bytes[next] == UInt8(ascii: ",") else { return nil }
        defer { index = next }
        return String(decoding: bytes[index..<end], as: UTF8.self)
    }

    /// Reads the value of a parameter: a token or a quoted string.
    private mutating func parameter(_ name: String) throws(HTTPChallengeError) -> HTTPChallenge.Parameter {
        guard current == UInt8(ascii: "\"") else {
            guard let first = current, Self.isToken(first) else {
                throw HTTPChallengeError(reason: .noValue, offset: index)
            }
            return HTTPChallenge.Parameter(name: name, bytes: Array(try token().utf8))
        }
        let start = index
        index += 1
        var text: [UInt8] = []
        while let byte = current {
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                let sent = bytes[(start + 1)..<(index - 1)]
                let isEscaped = sent.count != text.count
                return HTTPChallenge.Parameter(name: name, bytes: text, sent: isEscaped ? sent : nil)
            case UInt8(ascii: "\\"):
                guard let escaped = current else { throw HTTPChallengeError(reason: .unclosedQuote, offset: start) }
                guard !Self.isControl(escaped) else {
                    throw HTTPChallengeError(reason: .controlCharacter, offset: index)
                }
                text.append(escaped)
                index += 1
            case _ where Self.isControl(byte): throw HTTPChallengeError(reason: .controlCharacter, offset: index - 1)
            default: text.append(byte)
            }
        }
        throw HTTPChallengeError(reason: .unclosedQuote, offset: start)
    }

    private mutating func token() throws(HTTPChallengeError) -> String {
        let start = index
        while let byte = current, Self.isToken(byte) { index += 1 }
        guard index > start else { throw HTTPChallengeError(reason: .noToken, offset: start) }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func expectComma() throws(HTTPChallengeError) {
        skipSpace()
        guard index == bytes.count || current == UInt8(ascii: ",") else {
            throw HTTPChallengeError(reason: .noComma, offset: index)
        }
    }

    /// Skips white space and commas: a list can have empty elements (RFC 9110, section 5.6.1.2).
    private mutating func skipSeparators() {
        while let byte = current, Self.isSpace(byte) || byte == UInt8(ascii: ",") { index += 1 }
    }

    private mutating func skipSpace() { while let byte = current, Self.isSpace(byte) { index += 1 } }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Control characters except the tab, which a quoted string may contain (RFC 9110, section 5.6.4).
    private static func isControl(_ byte: UInt8) -> Bool { byte != 0x09 && (byte < 0x20 || byte == 0x7F) }

    /// `tchar` (RFC 9110, section 5.6.2).
    static func isToken(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    private static func isToken68(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "-._~+/".utf8.contains(byte) }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
