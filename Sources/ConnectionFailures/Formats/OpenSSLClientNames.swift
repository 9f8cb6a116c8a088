internal import Encodings

/// The names of certificates and CAs in the output of `openssl s_client`. Their places are at the start of a line.
enum OpenSSLClientNames {
    /// The index of the name in a line; nil if the line has none.
    static func start(in bytes: ArraySlice<UInt8>) -> Int? {
        switch bytes.first {
        case UInt8(ascii: "d"): number(in: bytes, after: "depth=", before: " ")
        case UInt8(ascii: " "):
            after("   i:", in: bytes) ?? number(in: bytes, after: " ", before: " s:")
                ?? number(in: bytes, after: "", before: " s:")
        case UInt8(ascii: "s"): after("subject=", in: bytes)
        case UInt8(ascii: "i"): after("issuer=", in: bytes)
        default: nil
        }
    }

    /// The subject in a line of the chain, such as ` 0 s:CN = NAME`.
    static func subject(in line: LogLine) -> String? {
        guard line.bytes.first == UInt8(ascii: " "), !line.begins(with: "   i:") else { return nil }
        return start(in: line.bytes).map { String(decoding: line.bytes[$0...].trimmed, as: UTF8.self) }
    }

    /// The issuer in a line of the chain: `   i:CN = NAME`.
    static func issuer(in line: LogLine) -> String? {
        after("   i:", in: line.bytes).map { String(decoding: line.bytes[$0...].trimmed, as: UTF8.self) }
    }

    /// The ranges of lines that consist of names: the CAs of client certificates that the server accepts.
    static func ranges(in lines: [LogLine]) -> [Range<Int>] {
        let title = "Acceptable client certificate CA names"
        // A title ends the list before it, so that each line is read once.
        let ends = ["---", "Client Certificate Types:", "Requested Signature Algorithms:", "Peer sign", title]
        var ranges: [Range<Int>] = []
        var index = 0
        while index < lines.count {
            index += 1
            guard lines[index - 1].begins(with: title) else { continue }
            let names = lines[index...].prefix(maximumNames).prefix { line in !ends.contains { line.begins(with: $0) } }
            // Without an end, the lines are not a list.
            guard names.count < maximumNames, names.endIndex < lines.count else { continue }
            ranges.append(names.indices)
            index = names.endIndex
        }
        return ranges
    }

    /// Maximum number of names. A server can accept every CA of a system's store.
    private static let maximumNames = 1000

    private static func after(_ text: String, in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.starts(with: text.utf8) ? bytes.startIndex + text.utf8.count : nil
    }

    /// The index after a text, spaces, digits and another text.
    private static func number(in bytes: ArraySlice<UInt8>, after first: String, before second: String) -> Int? {
        guard bytes.starts(with: first.utf8) else { return nil }
        let digits = bytes.dropFirst(first.utf8.count).drop { $0 == UInt8(ascii: " ") }
        let rest = digits.drop(while: \.isDigit)
        guard rest.startIndex > digits.startIndex, rest.starts(with: second.utf8) else { return nil }
        return rest.startIndex + second.utf8.count
    }
}
