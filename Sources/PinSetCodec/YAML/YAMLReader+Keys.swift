internal import Encodings

extension YAMLReader {
    /// Maximum size of a key (YAML 1.2.2, section 7.4.2), in bytes.
    private static let maximumKeyLength = 1024

    /// The key of a member without the anchor before it, and the offset of the colon; nil if the line is not a member of a mapping.
    func member(_ line: Line) throws(YAMLError) -> (key: Line, end: Int)? {
        var key = line
        let tag = try skipProperties(&key)
        guard !isComment(key), let end = try keyEnd(key) else { return nil }
        guard tag == nil else { throw error("pinctl does not read a tag of a key", at: line.start, in: line) }
        return (key, end)
    }

    /// The offset of the colon after a key; nil if the line is not a member of a mapping.
    private func keyEnd(_ line: Line) throws(YAMLError) -> Int? {
        var index = line.start
        switch bytes[index] {
        case UInt8(ascii: "\t"): throw error("the indentation contains a tab", at: index, in: line)
        case UInt8(ascii: "?") where index + 1 >= line.end || bytes[index + 1].isWhiteSpace:
            throw error("pinctl does not read complex keys", at: index, in: line)
        case UInt8(ascii: ":") where index + 1 >= line.end || bytes[index + 1].isWhiteSpace:
            throw error("pinctl does not read an empty key", at: index, in: line)
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            var flow = YAMLFlow(bytes, at: index, line: line.number, lineStart: line.lineStart)
            guard try flow.quoted() != nil else { return nil }
            index = flow.offset
            while index < line.end, bytes[index] == UInt8(ascii: " ") { index += 1 }
            guard index < line.end, bytes[index] == UInt8(ascii: ":") else { return nil }
            return index
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "!"), UInt8(ascii: "*"), UInt8(ascii: "&"):
            return nil
        case _ where !YAMLFlow.canBeginPlain(bytes, at: index, isInFlow: false): return nil
        default: break
        }
        while index < line.end {
            if bytes[index] == UInt8(ascii: "#"), index > line.start, bytes[index - 1].isWhiteSpace { return nil }
            if bytes[index] == UInt8(ascii: ":"), index + 1 >= line.end || bytes[index + 1].isWhiteSpace {
                guard index - line.start <= Self.maximumKeyLength else {
                    throw error("the key is longer than \(Self.maximumKeyLength) bytes", at: line.start, in: line)
                }
                return index
            }
            index += 1
        }
        return nil
    }

    func key(_ line: Line, upTo end: Int) throws(YAMLError) -> String {
        let first = bytes[line.start]
        guard first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") else {
            return String(decoding: bytes[line.start..<end].trimmed, as: UTF8.self)
        }
        var flow = YAMLFlow(bytes, at: line.start, line: line.number, lineStart: line.lineStart)
        return try flow.quoted() ?? ""
    }
}
