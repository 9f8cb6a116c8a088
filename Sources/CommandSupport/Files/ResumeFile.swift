internal import CSystem
internal import Encodings
package import Fetching
internal import FileConflicts
internal import PlaintextProtocols
internal import StagedFiles

/// The file of `--resume`: the results of earlier runs, one line of JSON per host. This run appends its own results.
///
/// Each result is appended as whole lines by one write(2), so an interrupted run can leave only its last line incomplete.
package final class ResumeFile {
    /// The command that writes a line. The raw value is the field after those that ``ReportLine`` reads, which is different in each
    /// command.
    package enum Kind: String, Sendable {
        case fetch = "proven"
        case verify = "host"

        /// The field with the result, which each line has.
        var resultField: String {
            switch self {
            case .fetch: "error"
            case .verify: "verdict"
            }
        }
    }

    private var answered: Set<TargetFingerprint> = []
    private let path: String
    private let descriptor: Int32
    private let kind: Kind
    /// Size of the file after this object's last change, in bytes.
    private var size: Int64 = 0

    /// Opens or creates the file, reads its targets, and removes an incomplete last line.
    ///
    /// - Throws: ``CommandError`` if the file cannot be read and written, another run uses it, or it contains something else.
    package init(_ path: String, of kind: Kind) throws(CommandError) {
        self.path = path
        self.kind = kind
        guard !OutputFile.isSpecial(path) else { throw Self.notRegular(path) }
        do throws(FileConflict) {
            try FileUse.running.get()?.writes(path, isInFolder: false)
        } catch {
            throw CommandError(error)
        }
        descriptor = unsafe pinctl_open_for_appending(path)
        guard descriptor >= 0 else { throw Self.failure(path, pinctl_errno()) }
        do throws(SystemError) {
            guard try FileState(of: descriptor).isRegular else { throw SystemError(code: EINVAL) }
        } catch {
            throw error.code == EINVAL ? Self.notRegular(path) : Self.failure(path, error.code)
        }
        if pinctl_lock(descriptor) != 0 {
            let code = pinctl_errno()
            guard code == EWOULDBLOCK else { throw Self.failure(path, code) }
            // With "flock FILE pinctl …", the process has the lock already (flock(1)).
            guard OpenStream.lock(of: FileIdentity(of: descriptor))?.kind == .exclusive else {
                throw CommandError(
                    "another run is writing to \(path.quoted)",
                    hint: "wait for the other run, or use a separate file for each run, as with --shard")
            }
        }
        try finishLastLine(try readTargets())
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns the targets that have a line, including targets with an error. This object then releases them.
    package func takeAnswered() -> Set<TargetFingerprint> {
        defer { answered = [] }
        return answered
    }

    /// Appends whole lines.
    ///
    /// - Throws: ``CommandError`` also if another process removed, replaced or changed the file: then it lacks lines, or has a line that
    ///   does not end.
    package func append(_ bytes: [UInt8]) throws(CommandError) {
        try checkIsUnchanged()
        do throws(SystemError) {
            try StagedFile.write(bytes, to: descriptor)
        } catch {
            // Part of a line, written before the disk was full, would be an invalid result in the next run.
            _ = ftruncate(descriptor, off_t(size))
            throw Self.failure(path, error.code)
        }
        size += Int64(bytes.count)
        try checkIsUnchanged()
    }

    /// Fails if another process removed or replaced the file, or changed its size, since this object last changed it.
    package func checkIsUnchanged() throws(CommandError) {
        do throws(SystemError) {
            let state = try FileState(of: descriptor)
            guard let present = try? FileState(at: path), present.isSameFile(as: state), state.size == size else {
                throw SystemError(code: ESTALE)
            }
        } catch {
            guard error.code == ESTALE else { throw Self.failure(path, error.code) }
            throw CommandError(
                "another process removed, replaced or changed \(path.quoted) during this run, so results are missing in it",
                hint: "run the command again: it contacts the hosts that have no line in the file")
        }
    }

    /// What ``readTargets()`` finds at the end of the file.
    private struct End {
        /// The size of the complete lines of answered targets, in bytes.
        var complete: Int64 = 0
        /// The position of the last line that does not end with a line feed, its number, and the scan of its contents; nil if every line
        /// ends with one.
        var unterminated: (start: Int64, line: Int, contents: JSONLineScanner)?
        var size: Int64 = 0
    }

    private static let chunkSize = 1 << 18

    private func readTargets() throws(CommandError) -> End {
        var end = End()
        var line = 1
        var lineStart: Int64 = 0
        var head: [UInt8] = []
        var scanner = JSONLineScanner(for: kind.resultField)
        while true {
            let chunk = try readChunk(at: end.size, Self.chunkSize)
            guard !chunk.isEmpty else {
                if end.size > lineStart { end.unterminated = (lineStart, line, scanner) }
                return end
            }
            var rest = chunk[...]
            while let feed = scanner.scan(rest) {
                ReportLine.append(rest[..<feed], to: &head)
                guard scanner.isComplete, let report = ReportLine(head) else { throw notReport(line) }
                try check(report, line)
                guard scanner.hasNeededKey else { throw notReport(line) }
                head.removeAll(keepingCapacity: true)
                scanner.reset()
                line += 1
                rest = rest[(feed + 1)...]
                lineStart = end.size + Int64(rest.startIndex)
                // If addresses of a target are missing, pinctl contacts the target again. So its lines are removed.
                guard report.isLast else { continue }
                answered.insert(TargetFingerprint(text: report.target))
                end.complete = lineStart
            }
            ReportLine.append(rest, to: &head)
            end.size += Int64(chunk.count)
            // A large file of another kind is refused before it is read.
            guard head.first.map({ $0 == UInt8(ascii: "{") }) ?? true, end.size - lineStart <= Self.maximumLineLength
            else { throw notReport(line) }
        }
    }

    private func readChunk(at offset: Int64, _ size: Int) throws(CommandError) -> [UInt8] {
        do throws(SystemError) {
            return try InputFile.chunk(of: descriptor, size, at: Int(offset))
        } catch {
            throw Self.failure(path, error.code)
        }
    }

    /// Maximum length of a line that is examined, in bytes.
    private static let maximumLineLength: Int64 = 16 << 20

    /// Completes the last line if only its line feed is missing, and removes it if it is the incomplete line of an interrupted run.
    /// A line that may be something else is never removed.
    private func finishLastLine(_ end: End) throws(CommandError) {
        size = end.size
        guard let (start, line, contents) = end.unterminated else { return try truncate(to: end) }
        let tail = try readChunk(at: start, Int(end.size - start))
        let report = ReportLine(tail)
        if let report { try check(report, line) }
        guard contents.hasNeededKey || !contents.isComplete else { throw notReport(line) }
        // After complete lines of a report, any start of a line is one of this report.
        guard start > 0 ? ReportLine.begins(like: tail) : ReportLine.begins(like: tail, before: kind.rawValue) else {
            throw notReport(line)
        }
        guard contents.isComplete, let report, report.isLast, (try? JSONDocument(tail)) != nil else {
            return try truncate(to: end)
        }
        try append([UInt8(ascii: "\n")])
        answered.insert(TargetFingerprint(text: report.target))
    }

    private func truncate(to end: End) throws(CommandError) {
        guard end.size > end.complete else { return }
        guard ftruncate(descriptor, off_t(end.complete)) == 0 else { throw Self.failure(path, pinctl_errno()) }
        size = end.complete
    }

    /// Fails for a line of another command, whose targets have no result of this command.
    private func check(_ report: ReportLine, _ line: Int) throws(CommandError) {
        guard let other = Kind(rawValue: report.nextField), other != kind else { return }
        throw CommandError(
            "line \(line) of \(path.quoted) is a result of pinctl \(other)",
            hint: "use a new file name, or the file of an earlier run of pinctl \(kind)")
    }

    private func notReport(_ line: Int) -> CommandError {
        CommandError(
            "line \(line) of \(path.quoted) is not a complete line of an ndjson report",
            hint: "use a new file name, or the file of an earlier run with --resume"
        )
    }

    private static func notRegular(_ path: String) -> CommandError {
        CommandError(
            "\"--resume \(path)\": not a regular file", hint: "use a new file name, or the file of an earlier run")
    }

    private static func failure(_ path: String, _ code: Int32) -> CommandError {
        CommandError("cannot write to \(path.quoted): \(SystemError(code: code).text)")
    }
}

/// The start of a line of an ndjson report, which contains its target.
package struct ReportLine {
    package let target: String
    /// Whether it is the only or the last line of its target.
    package let isLast: Bool
    /// The name of the next field; empty if the start of the line does not contain it.
    package let nextField: String

    /// Parses the start of a line; nil if it is not a line of a report.
    package init?(_ start: [UInt8]) {
        var rest = start[...]
        func skip(_ tokens: [String]) -> Bool {
            for token in tokens {
                rest = rest.drop { $0 == 0x20 }
                guard rest.starts(with: token.utf8) else { return false }
                rest = rest.dropFirst(token.utf8.count)
            }
            return true
        }
        /// The value of a field; nil if it is not a number, such as null.
        func number(_ name: String) -> Int? {
            let start = rest
            guard skip([",", "\"\(name)\"", ":"]) else {
                rest = start
                return nil
            }
            rest = rest.drop { $0 == 0x20 }
            let value = rest.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") && $0 != 0x20 }
            rest = rest.dropFirst(value.count)
            return Int(String(decoding: value, as: UTF8.self))
        }
        /// Whether the number in one field reaches the count in the other, so that no further line of this kind follows.
        func endsAt(_ numberName: String, of countName: String) -> Bool {
            let (index, count) = (number(numberName), number(countName))
            guard let index, let count else { return true }
            return index >= count
        }
        // A target contains no character that JSON escapes.
        guard skip(["{", #""target""#, ":", "\""]), let end = rest.firstIndex(of: UInt8(ascii: "\"")),
            end > rest.startIndex
        else { return nil }
        target = String(decoding: rest[..<end], as: UTF8.self)
        rest = rest[(end + 1)...]
        let isLastAddress = endsAt("addressNumber", of: "addressCount")
        isLast = endsAt("chainNumber", of: "chainCount") && isLastAddress
        guard skip([",", "\""]), let nameEnd = rest.firstIndex(of: UInt8(ascii: "\"")) else {
            nextField = ""
            return
        }
        nextField = String(decoding: rest[..<nameEnd], as: UTF8.self)
    }

    /// The first characters of each line, before the target.
    private static let head = Array(#"{"target":""#.utf8)
    /// The fields after the target in each line, whose values are numbers or null.
    private static let numbers = ["addressNumber", "addressCount", "chainNumber", "chainCount"]

    /// Whether a line, which may be incomplete, begins like a line that a run writes.
    package static func begins(like start: [UInt8]) -> Bool { start.starts(with: head) || head.starts(with: start) }

    /// Whether a line, which may be incomplete after `{"target":"`, begins with the fields that a run writes, up to a given one.
    package static func begins(like start: [UInt8], before field: String) -> Bool {
        guard start.starts(with: head) else { return false }
        var rest = start.dropFirst(head.count).drop {
            $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        for (index, name) in (numbers + [field]).enumerated() {
            let separator = "\(index == 0 ? "\"" : ""),\"\(name)\":".utf8
            guard rest.starts(with: separator) else { return separator.starts(with: rest) }
            rest = rest.dropFirst(separator.count).drop { $0.isDigit || "null".utf8.contains($0) }
        }
        return true
    }

    /// Maximum length of the start of a line, in bytes; longer than the start of any line with a target.
    private static let maximumHeadLength = 1024

    /// Appends the first bytes of a line to `head`.
    package static func append(_ bytes: ArraySlice<UInt8>, to head: inout [UInt8]) {
        head += bytes.prefix(maximumHeadLength - head.count)
    }
}
