internal import Encodings

/// The object of a certificate over several lines, as `console.error` of Node.js and JSON with indentation write it:
///
///     cert: {
///       subject: [Object: null prototype] {
///         L: 'NAME',
///       },
///
/// Its keys differ with the attributes of the name.
enum CertificateObject {
    private static let certificates = ["cert: {", "\"cert\": {"].map { Array($0.utf8) }
    private static let names = ["subject", "issuer"].flatMap {
        ["\($0): {", "\($0): [Object: null prototype] {", "\"\($0)\": {"]
    }.map { Array($0.utf8) }
    /// Maximum number of lines of an object.
    private static let maximumLines = 400
    /// Number of lines after the start that count as names if the object has no end.
    private static let maximumRest = 60

    /// The indices of the lines that an object has after its first one.
    static func ranges(in lines: [LogLine]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        while index < lines.count {
            if let column = start(at: index, in: lines) {
                let end =
                    end(after: index, column: column, in: lines) ?? min(lines.count, index + 1 + maximumRest)
                found.append(index + 1..<end)
                index = end
            } else {
                index += 1
            }
        }
        return found
    }

    /// The column of the key if an object begins at the end of a line.
    private static func start(at index: Int, in lines: [LogLine]) -> Int? {
        let bytes = lines[index].bytes
        guard bytes.last == UInt8(ascii: "{"), lines.indices.contains(index + 1) else { return nil }
        let isCertificate = lines[index + 1].contains("subject")
        for key in names + (isCertificate ? certificates : []) where bytes.reversed().starts(with: key.reversed()) {
            let before = bytes.dropLast(key.count)
            if before.last.map({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\"") })
                ?? true
            {
                return before.count
            }
        }
        return nil
    }

    /// The index of the line with the closing brace in the column of the key.
    private static func end(after index: Int, column: Int, in lines: [LogLine]) -> Int? {
        // A name can contain `\n`, which then is a part of a line. In a log whose lines are JSON strings, it is escaped twice.
        let needsWhole = isWhole(index, lines)
        for candidate in (index + 1..<lines.count).prefix(maximumLines) {
            let rest = lines[candidate].bytes.dropFirst(column)
            guard rest.first == UInt8(ascii: "}"), rest.dropFirst().isEmpty || rest.dropFirst().elementsEqual(",".utf8)
            else { continue }
            if !needsWhole || isWhole(candidate, lines) { return candidate }
        }
        return nil
    }

    /// Whether a line is no part of a line of the log.
    private static func isWhole(_ index: Int, _ lines: [LogLine]) -> Bool {
        [index - 1, index + 1].allSatisfy {
            !lines.indices.contains($0) || lines[$0].number != lines[index].number
        }
    }
}
