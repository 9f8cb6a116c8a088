// Seeds: *.ndjson
import CommandSupport
import Encodings
import Fetching
import Foundation

/// The file of `--resume`. Opening it removes at most what follows the last complete line of an answered target, and a second time nothing.
enum ResumeTarget: FuzzTarget {
    private static let path = NSTemporaryDirectory() + "/resume-\(getpid()).ndjson"

    static func run(_ bytes: [UInt8]) {
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            checkStart(Array(line))
        }
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { return }
        defer { unsafe unlink(path) }
        guard opens() else {
            precondition(contents == bytes, "a file that is refused was changed")
            return
        }
        let first = contents
        precondition(bytes.starts(with: first) || first == bytes + [UInt8(ascii: "\n")], "the file has other bytes")
        precondition(first.isEmpty || first.last == UInt8(ascii: "\n"))
        precondition(opens() && contents == first, "opening the file again changed it")
    }

    private static func opens() -> Bool { (try? ResumeFile(path, of: .fetch)) != nil }

    private static var contents: [UInt8] { (try? InputFile.bytes(at: path, isInput: false)) ?? [] }

    /// The start and the structure of a line are the same if the line is read in pieces.
    private static func checkStart(_ line: [UInt8]) {
        var whole: [UInt8] = []
        ReportLine.append(line[...], to: &whole)
        var pieces: [UInt8] = []
        for index in line.indices { ReportLine.append(line[index...index], to: &pieces) }
        precondition(whole == pieces)
        var scanner = JSONLineScanner(for: "error")
        precondition(scanner.scan(line[...]) == nil)
        var parts = JSONLineScanner(for: "error")
        for index in line.indices { precondition(parts.scan(line[index...index]) == nil) }
        precondition(parts.isComplete == scanner.isComplete && parts.hasNeededKey == scanner.hasNeededKey)
        // A scan allows 64 levels.
        if let document = try? JSONDocument(line, maximumDepth: 60), case .object = document.root.content,
            line.first == 0x7b
        {
            precondition(scanner.isComplete, "a line that is an object is not complete")
        }
        guard let report = ReportLine(whole) else { return }
        precondition(!report.target.isEmpty && !report.target.utf8.contains(UInt8(ascii: "\"")))
    }
}
