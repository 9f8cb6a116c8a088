internal import Arguments
internal import CSystem
internal import Encodings
internal import Fetching

/// The results of earlier runs, one line of JSON a host, to which those of this run are added.
///
/// Each result goes in as a whole line by one write(2), so that whatever ends a run can tear the last line and no other.
final class ResumeFile {
    private var answered: Set<TargetFingerprint> = []
    private let path: String
    private let descriptor: Int32

    /// Opens the file, or makes it, reads which targets it holds, and cuts off a last line that was torn.
    ///
    /// - Throws: ``CommandError`` where the file cannot be read and written, is another run's, or holds something else.
    init(_ path: String) throws(CommandError) {
        self.path = path
        descriptor = unsafe pinctl_open_for_appending(path)
        guard descriptor >= 0 else { throw Self.failure(path, pinctl_errno()) }
        guard pinctl_lock(descriptor) == 0 else {
            let code = pinctl_errno()
            guard code == EWOULDBLOCK else { throw Self.failure(path, code) }
            throw CommandError(
                "another run is writing to \(path.quoted)",
                hint: "wait for it, or give each run a file of its own, as with --shard"
            )
        }
        let whole = try readTargets()
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure(path, pinctl_errno()) }
        guard Int64(status.st_size) > whole else { return }
        guard ftruncate(descriptor, off_t(whole)) == 0 else { throw Self.failure(path, pinctl_errno()) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The targets that had a line already, errors being answers as well. Handed over, and held here no longer: of a million
    /// one copy is enough.
    func takeAnswered() -> Set<TargetFingerprint> {
        defer { answered = [] }
        return answered
    }

    /// Adds whole lines.
    func append(_ bytes: [UInt8]) throws(CommandError) {
        let code = TemporaryFile.write(bytes, to: descriptor)
        guard code == 0 else { throw Self.failure(path, code) }
    }

    private static let chunkSize = 1 << 18

    /// - Returns: how many bytes the whole lines take.
    private func readTargets() throws(CommandError) -> Int64 {
        var (whole, offset, line): (Int64, Int64, Int) = (0, 0, 1)
        var start: [UInt8] = []
        while true {
            var error: Int32 = 0
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
                let result = unsafe pread(descriptor, buffer.baseAddress, Self.chunkSize, off_t(offset))
                if result < 0 { error = pinctl_errno() }
                count = max(0, result)
            }
            if error == EINTR { continue }
            guard error == 0 else { throw Self.failure(path, error) }
            guard !chunk.isEmpty else {
                // What was torn is cut off, and what is somebody else's is not.
                guard ReportLine.begins(like: start) else { throw foreign(line) }
                return whole
            }
            var rest = chunk[...]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                ReportLine.keepStart(&start, rest[..<end])
                guard let report = ReportLine(start) else { throw foreign(line) }
                start.removeAll(keepingCapacity: true)
                line += 1
                rest = rest[(end + 1)...]
                // A target some of whose addresses have no line yet is asked again, and has none.
                guard report.isLast else { continue }
                answered.insert(TargetFingerprint(text: report.target))
                whole = offset + Int64(rest.startIndex)
            }
            ReportLine.keepStart(&start, rest)
            offset += Int64(chunk.count)
        }
    }

    private func foreign(_ line: Int) -> CommandError {
        CommandError(
            "line \(line) of \(path.quoted) is no line of a report in ndjson",
            hint: "--resume takes the file that an earlier run with --resume has written, or a new name"
        )
    }

    private static func failure(_ path: String, _ code: Int32) -> CommandError {
        CommandError("cannot write to \(path.quoted): \(SystemError(code: code).text)")
    }
}

/// A line of a report in ndjson, as far as its target, which stands first.
struct ReportLine {
    let target: String
    /// Whether no further line of the same target follows.
    let isLast: Bool

    /// Reads the start of a line; nil for a line of something else.
    init?(_ start: [UInt8]) {
        var rest = start[...]
        func take(_ tokens: [String]) -> Bool {
            for token in tokens {
                rest = rest.drop { $0 == 0x20 }
                guard rest.starts(with: token.utf8) else { return false }
                rest = rest.dropFirst(token.utf8.count)
            }
            return true
        }
        func number() -> Int? {
            rest = rest.drop { $0 == 0x20 }
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(digits.count)
            return Int(String(decoding: digits, as: UTF8.self))
        }
        // Nothing in a target needs an escape.
        guard take(["{", #""target""#, ":", "\""]), let end = rest.firstIndex(of: UInt8(ascii: "\"")),
            end > rest.startIndex
        else { return nil }
        target = String(decoding: rest[..<end], as: UTF8.self)
        rest = rest[(end + 1)...]
        guard take([",", #""addressNumber""#, ":"]), let index = number(), take([",", #""addressCount""#, ":"]),
            let count = number()
        else {
            isLast = true
            return
        }
        isLast = index >= count
    }

    /// Whether a line, of which there may be no more than a few bytes, is one as a run writes it.
    static func begins(like start: [UInt8]) -> Bool {
        let head = Array(#"{"target":""#.utf8)
        return start.starts(with: head) || head.starts(with: start)
    }

    /// No target is longer.
    private static let longestStart = 1024

    /// Adds bytes of a line to what is known of its start.
    static func keepStart(_ start: inout [UInt8], _ bytes: ArraySlice<UInt8>) {
        start += bytes.prefix(longestStart - start.count)
    }
}
