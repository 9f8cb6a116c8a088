internal import Arguments
internal import Fetching

/// Hosts in a file: one a line, `#` and what follows it left out.
enum TargetList {
    static func read(_ path: String) throws(CommandError) -> [Target] {
        try parse(try InputFile.bytes(at: path), name: path == "-" ? "standard input" : path.quoted)
    }

    static func parse(_ bytes: [UInt8], name: String) throws(CommandError) -> [Target] {
        var targets: [Target] = []
        var line = 0
        for raw in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            line += 1
            let text = trimmed(raw.prefix { $0 != UInt8(ascii: "#") })
            guard !text.isEmpty else { continue }
            do throws(TargetError) {
                targets.append(try Target(parsing: Array(text)))
            } catch {
                let shown = String(decoding: text.prefix(80), as: UTF8.self).quoted
                throw CommandError(
                    "line \(line) of \(name): cannot read the host \(shown): \(error.reason)", hint: error.hint)
            }
        }
        return targets
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let space: Set<UInt8> = [0x20, 0x09, 0x0D]
        var text = line.drop { space.contains($0) }
        while let last = text.last, space.contains(last) { text.removeLast() }
        return text
    }
}
