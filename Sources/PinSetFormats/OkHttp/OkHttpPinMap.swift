internal import Encodings
internal import PinSetCodec

/// A JSON object whose keys are pins and whose values are the patterns that each pin applies to, as apps store them for a
/// `CertificatePinner`: `{ "sha256/…": ["**.example.com"] }`. It can be a part of another JSON file.
enum OkHttpPinMap {
    static func isLikely(_ file: FileContents) -> Bool {
        guard file.json != nil else { return false }
        var start = 0
        while let range = file.bytes[start...].firstRange(ignoringCase: "\"sha256/") {
            start = range.upperBound
            let end = file.bytes[start...].drop { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\n") }
            var rest = end.dropFirst().drop(while: \.isWhiteSpace)
            guard rest.first == UInt8(ascii: ":") else { continue }
            rest = rest.dropFirst().drop(while: \.isWhiteSpace)
            if rest.first == UInt8(ascii: "[") { return true }
        }
        return false
    }

    /// The pins of each pattern, in the order of the file.
    static func pinnings(_ bytes: [UInt8]) throws(PinSetFormatError) -> [OkHttpSource.Pinning] {
        var pinnings: [OkHttpSource.Pinning] = []
        collect(try OkHttpFormat.document(bytes), into: &pinnings)
        return pinnings
    }

    private static func collect(_ value: JSONValue, into pinnings: inout [OkHttpSource.Pinning]) {
        switch value.content {
        case .object(let members):
            for member in members {
                let pin = OkHttpValue(text: member.key, line: member.position.line, source: "")
                guard pin.isPin, case .array(let patterns) = member.value.content else {
                    collect(member.value, into: &pinnings)
                    continue
                }
                for pattern in patterns {
                    guard case .string(let text) = pattern.content else { continue }
                    pinnings.append(
                        .init(
                            pattern: OkHttpValue(text: text, line: pattern.position.line, source: ""), pins: [pin]))
                }
            }
        case .array(let values): for value in values { collect(value, into: &pinnings) }
        default: break
        }
    }
}
