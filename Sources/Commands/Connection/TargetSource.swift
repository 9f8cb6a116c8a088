internal import Arguments
internal import Fetching

/// The targets of a run: those of the command line, then those of its lists, less those that are left out.
struct TargetSource {
    let given: [TargetRange]
    private let lists: [ListFile]
    private let shard: Shard?
    /// Where results go, and which were there already.
    let resume: ResumeFile?

    /// Opens every list; nothing of them is read yet.
    init(_ values: Values, _ console: Console) throws(CommandError) {
        given = values[TargetFlags.hosts]
        var lists: [ListFile] = []
        for path in values[TargetFlags.from] { lists.append(try ListFile(path, console)) }
        self.lists = lists
        shard = values[TargetFlags.shard]
        resume = try values[TargetFlags.resume].map { path throws(CommandError) in try ResumeFile(path) }
    }

    /// These and no others.
    init(_ targets: [Target]) { (given, lists, shard, resume) = (targets.map { TargetRange($0) }, [], nil, nil) }

    /// The same with these instead of those of the command line.
    func with(_ targets: [Target]) -> TargetSource {
        TargetSource(given: targets.map { TargetRange($0) }, lists: lists, shard: shard, resume: resume)
    }

    private init(given: [TargetRange], lists: [ListFile], shard: Shard?, resume: ResumeFile?) {
        (self.given, self.lists, self.shard, self.resume) = (given, lists, shard, resume)
    }

    /// Whether targets come that nobody typed one by one.
    var isList: Bool { !lists.isEmpty || given.contains { !$0.isSingle } }

    /// How many there are at the most, where that is known.
    var bound: Int? {
        guard lists.isEmpty else { return nil }
        return given.reduce(0) { sum, range in
            let (sum, overflows) = sum.addingReportingOverflow(range.count)
            return overflows ? .max : sum
        }
    }

    /// Whether this run takes a part of them only.
    var isDivided: Bool { shard != nil }

    /// Whether none were asked for at all.
    var isEmpty: Bool { given.isEmpty && lists.isEmpty }

    /// Starts to hand the targets out.
    ///
    /// - Parameter isAsked: whether a target is to be connected to.
    func start(isAsked: @escaping @Sendable (Target) -> Bool = { _ in true }) throws(CommandError) -> TargetStream {
        let filter = TargetFilter(shard: shard, answered: resume?.takeAnswered(), isAsked: isAsked)
        guard isList else {
            var filter = filter
            let entries = given.compactMap { filter.entry(for: $0.first) }
            return TargetStream(channel: TargetChannel(entries), reading: nil, skipped: filter.skipped)
        }
        guard let channel = TargetChannel() else {
            throw CommandError("this process may open no more files", hint: "raise the limit with ulimit -n")
        }
        let reading = ListReading(given: given, lists: lists, filter: filter)
        guard BackgroundThread.start({ reading.run(into: channel) }) else {
            throw CommandError("this process may start no more threads", hint: "raise the limit with ulimit -u")
        }
        return TargetStream(channel: channel, reading: reading)
    }
}

/// Targets on their way.
struct TargetStream {
    let channel: TargetChannel
    private let reading: ListReading?

    private let skippedAtOnce: Int

    fileprivate init(channel: TargetChannel, reading: ListReading?, skipped: Int = 0) {
        (self.channel, self.reading, skippedAtOnce) = (channel, reading, skipped)
    }

    /// How much of the whole has been handed out, from 0 to 1; nil where nobody knows.
    func fraction(done: Int) -> Double? {
        let (count, isAll) = channel.count
        guard !isAll else { return count == 0 ? 1 : Double(done) / Double(count) }
        guard let read = reading?.fraction, count > 0 else { return nil }
        return read * Double(done) / Double(count)
    }

    /// How many targets were left out because they were answered before.
    var skipped: Int { reading?.skipped ?? skippedAtOnce }
}

/// Which targets are taken.
struct TargetFilter: Sendable {
    let shard: Shard?
    /// Those that have a result; nil where that makes no difference.
    private(set) var answered: Set<TargetFingerprint>?
    let isAsked: @Sendable (Target) -> Bool
    private(set) var skipped = 0

    init(shard: Shard?, answered: Set<TargetFingerprint>?, isAsked: @escaping @Sendable (Target) -> Bool) {
        (self.shard, self.answered, self.isAsked) = (shard, answered, isAsked)
    }

    /// What becomes of a target; nil where it is left out.
    mutating func entry(for target: Target) -> TargetChannel.Entry? {
        if shard != nil || answered != nil {
            let fingerprint = TargetFingerprint(target)
            if let shard, !shard.contains(fingerprint) { return nil }
            if answered?.insert(fingerprint).inserted == false {
                skipped += 1
                return nil
            }
        }
        return isAsked(target) ? .target(target) : .skipped(target)
    }
}
