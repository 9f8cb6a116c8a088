package import Arguments
internal import Encodings
package import Fetching
internal import PinSetCodec
internal import Pinning

/// The targets of a run: first those of the command line, then those of list files. Skipped targets are left out.
package struct TargetSource {
    package let given: [TargetRange]
    /// Whether targets come from list files or ranges.
    package let isList: Bool
    private let lists: [ListFile]
    /// The scheme of lines without one.
    private let bareScheme: TargetScheme
    private let shard: Shard?
    /// The file of `--resume`, with the results of earlier runs.
    package let resume: ResumeFile?

    /// Opens all list files without reading them.
    package init(_ values: Values, of kind: ResumeFile.Kind, _ console: Console) throws(CommandError) {
        var lists: [ListFile] = []
        for path in values[TargetFlags.from] { lists.append(try ListFile(path, console)) }
        let resume = try values[TargetFlags.resume].map { path throws(CommandError) in try ResumeFile(path, of: kind) }
        self.init(
            given: try TargetFlags.ranges(of: values[TargetFlags.hosts], in: values), lists: lists,
            shard: values[TargetFlags.shard], resume: resume, bareScheme: TargetFlags.bareScheme(in: values))
    }

    /// Creates a source of these targets, without list files.
    package init(_ targets: [Target]) {
        self.init(given: targets.map { TargetRange($0) }, lists: [], shard: nil, resume: nil, bareScheme: .https)
    }

    /// This source with other targets instead of those of the command line.
    package func with(_ targets: [TargetRange]) -> TargetSource {
        TargetSource(
            given: targets, lists: lists, shard: shard, resume: resume, bareScheme: bareScheme)
    }

    private init(
        given: [TargetRange], lists: [ListFile], shard: Shard?, resume: ResumeFile?, bareScheme: TargetScheme
    ) {
        self.given = given
        self.bareScheme = bareScheme
        self.lists = lists
        self.shard = shard
        self.resume = resume
        isList = !lists.isEmpty || given.contains { !$0.isSingle }
    }

    /// Maximum number of targets; nil if unknown.
    package var bound: Int? {
        guard lists.isEmpty else { return nil }
        return given.reduce(0) { sum, range in
            let (sum, overflows) = sum.addingReportingOverflow(range.count)
            return overflows ? .max : sum
        }
    }

    /// Whether this run processes only a part of the targets (`--shard`).
    package var isDivided: Bool { shard != nil }

    /// Whether no target was given.
    package var isEmpty: Bool { given.isEmpty && lists.isEmpty }

    /// Starts the stream of targets.
    ///
    /// - Parameter needsConnection: Whether pinctl connects to a target.
    package func start(needsConnection: @escaping @Sendable (Target) -> Bool = { _ in true }) throws(CommandError)
        -> TargetStream
    {
        let filter = TargetFilter(shard: shard, answered: resume?.takeAnswered(), needsConnection: needsConnection)
        guard isList else {
            var filter = filter
            let entries = given.compactMap { filter.entry(for: $0.first) }
            return TargetStream(channel: TargetChannel(entries), reading: nil, skipped: filter.skipped)
        }
        guard let channel = TargetChannel() else {
            throw CommandError(
                "too many open files: the limit of this process is reached", hint: "raise the limit with ulimit -n")
        }
        let reading = TargetProducer(given: given, lists: lists, bareScheme: bareScheme, filter: filter)
        guard BackgroundThread.start({ reading.run(into: channel) }) else {
            throw CommandError(
                "cannot start a thread: the limit of this process is reached", hint: "raise the limit with ulimit -u")
        }
        return TargetStream(channel: channel, reading: reading)
    }
}

/// The stream of a run's targets.
package struct TargetStream {
    package let channel: TargetChannel
    private let reading: TargetProducer?

    private let skippedAtOnce: Int

    fileprivate init(channel: TargetChannel, reading: TargetProducer?, skipped: Int = 0) {
        (self.channel, self.reading, skippedAtOnce) = (channel, reading, skipped)
    }

    /// Number of targets of the run; nil while the list is being read.
    package var total: Int? {
        let (count, isAll) = channel.count
        return isAll ? count : nil
    }

    /// Fraction of the run that is done, from 0 to 1; nil if unknown.
    package func fraction(done: Int) -> Double? {
        let (count, isAll) = channel.count
        guard !isAll else { return count == 0 ? 1 : Double(done) / Double(count) }
        guard let read = reading?.fraction, count > 0 else { return nil }
        return read * Double(done) / Double(count)
    }

    /// Number of targets skipped because they already have a result.
    package var skipped: Int { reading?.skipped ?? skippedAtOnce }
}

/// Decides which targets a run processes.
package struct TargetFilter: Sendable {
    package let shard: Shard?
    /// Targets that already have a result; nil without `--resume`.
    private(set) var answered: Set<TargetFingerprint>?
    package let needsConnection: @Sendable (Target) -> Bool
    private(set) var skipped = 0

    package init(
        shard: Shard?, answered: Set<TargetFingerprint>?, needsConnection: @escaping @Sendable (Target) -> Bool
    ) {
        (self.shard, self.answered, self.needsConnection) = (shard, answered, needsConnection)
    }

    /// The channel entry for a target; nil if it is skipped.
    package mutating func entry(for target: Target) -> TargetChannel.Entry? {
        if shard != nil || answered != nil {
            let fingerprint = TargetFingerprint(target)
            if let shard, !shard.contains(fingerprint) { return nil }
            if answered?.insert(fingerprint).inserted == false {
                skipped += 1
                return nil
            }
        }
        return needsConnection(target) ? .target(target) : .skipped(target)
    }
}
