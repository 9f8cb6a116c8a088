internal import Encodings
internal import PinSetCodec
internal import Pinning

extension PinSetCodec {
    /// The documents of a YAML or JSON text.
    static func documents(_ bytes: [UInt8]) throws(PinSetFormatError) -> [YAMLValue] {
        do throws(YAMLError) {
            return try YAMLReader.documents(bytes)
        } catch {
            throw Self.error(.file(.yaml(error)), at: error.position)
        }
    }

    /// The documents of a YAML text, or of the YAML in a manual: the line with a key and the lines that belong to it.
    ///
    /// If the text around the excerpt cannot be read, adds a warning.
    static func documents(
        _ bytes: [UInt8], inExcerptOf key: String, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [YAMLValue] {
        var problem: YAMLError?
        do throws(YAMLError) {
            let documents = try YAMLReader.documents(bytes)
            if documents.contains(where: { $0[key] != nil }) { return documents }
        } catch {
            problem = error
        }
        guard let excerpt = excerpt(of: bytes, with: key) else { return try documents(bytes) }
        let documents = try documents(excerpt)
        if let problem {
            warnings.add(
                .notRead("\(problem.message); only \(key.quotedExcerpt) is read", line: problem.position.line))
        }
        return documents
    }

    /// The first line that begins with the key and has no value, and the lines after it that are its value. All other lines become
    /// empty, so that positions do not change.
    private static func excerpt(of bytes: [UInt8], with key: String) -> [UInt8]? {
        let start = Array((key + ":").utf8)
        var output: [UInt8] = []
        var indentation: Int?
        var hasEnded = false
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let text = line.trimmed
            let indented = line.prefix { $0 == UInt8(ascii: " ") }.count
            if let first = indentation, !hasEnded {
                let isValue = indented > first || text.starts(with: "- ".utf8) && indented == first
                if isValue { output += line } else if !text.isEmpty { hasEnded = true }
            } else if indentation == nil, text.elementsEqual(start) {
                indentation = indented
                output += line
            }
            output.append(UInt8(ascii: "\n"))
        }
        return indentation == nil ? nil : output
    }

    /// The texts of a sequence or of one scalar. Other values cause a warning.
    static func texts(
        of value: YAMLValue, _ warnings: inout ConversionWarnings
    ) -> [(text: String, position: SourcePosition)] {
        switch value.content {
        case .scalar(let text, _): return text.isEmpty ? [] : [(text, value.position)]
        case .sequence(let values): return values.flatMap { texts(of: $0, &warnings) }
        case .mapping, .unsupported:
            warnings.add(.notRead("expected a text, found \(value.kind)", line: value.position.line))
            return []
        }
    }

    /// The texts of a value that may be absent.
    static func texts(
        ofOptional value: YAMLValue?, _ warnings: inout ConversionWarnings
    ) -> [(text: String, position: SourcePosition)] {
        guard let value else { return [] }
        return texts(of: value, &warnings)
    }

    /// Returns a quoted YAML scalar. The text must contain no quotes and backslashes.
    static func quoted(_ text: String) -> String { "\"\(text)\"" }
}
