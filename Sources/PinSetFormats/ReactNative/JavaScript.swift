internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Recognizes JavaScript and TypeScript.
enum JavaScript {
    private static let words = [
        "require(", "export ", "module.exports", " from '", " from \"", "=>", "const ", "await ",
    ]

    /// Words that do not occur in JavaScript. They exclude other languages that have some of ``words``: Kotlin, Swift, Objective-C,
    /// Dart, C#.
    private static let otherWords = [
        "fun ", "func ", "const val", "#import", "import 'package:", "namespace ", "CertificatePinner",
    ]

    static func isLikely(_ bytes: [UInt8]) -> Bool {
        words.contains(where: bytes.has) && !bytes.contains(0) && !otherWords.contains(where: bytes.has)
    }
}

extension PinSetCodec {
    /// The literals of JavaScript as JSON values. Adds a warning for each expression whose value is not in the text.
    static func literals(
        of bytes: [UInt8], _ warnings: inout ConversionWarnings,
        reading: (inout LiteralReader) throws(PinSetFormatError) -> [PropertyListValue]
    ) throws(PinSetFormatError) -> [JSONValue] {
        var reader = LiteralReader(bytes, format: format, language: .javaScript)
        let values = try reading(&reader)
        for expression in reader.unread {
            warnings.add(.valueNotLiteral(expression.text, key: expression.key, line: expression.line))
        }
        let lines = SourceLineIndex(bytes)
        return values.map { JSONValue(literal: $0, in: lines) }
    }

    /// Returns an entry. If the text is not a host name, returns nil and adds a warning.
    static func readableEntry(
        _ member: JSONMember, host: String? = nil, subdomains: PinSet.Subdomains = .none, expires: Timestamp? = nil,
        enforce: Bool = true, pins: [PinSet.PinnedKey], _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> PinSet.Entry? {
        do throws(PinSetFormatError) {
            return try entry(
                host ?? member.key, subdomains: subdomains, expires: expires, enforce: enforce, pins: pins,
                at: member.position)
        } catch {
            guard case .set(let problem) = error.reason, case .host(let name) = problem.reason else { throw error }
            warnings.add(.hostNeverMatches(name, line: error.line), of: member.key)
            return nil
        }
    }

    /// Returns the set of entries. If a host has several entries, only the first one is used.
    static func firstEntries(
        _ entries: [PinSet.Entry], _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> PinSet {
        var known: [String: PinSet.Entry] = [:]
        var kept: [PinSet.Entry] = []
        for entry in entries {
            if let first = known[entry.name] {
                if first.pins.map(\.pin) != entry.pins.map(\.pin) {
                    warnings.add(.laterEntry(line: entry.position?.line), of: entry.host)
                }
            } else {
                known[entry.name] = entry
                kept.append(entry)
            }
        }
        return try set(kept)
    }
}
