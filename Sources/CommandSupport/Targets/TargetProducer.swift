package import Fetching
internal import PinSetCodec
package import Pinning
internal import PlaintextProtocols
internal import Synchronization

/// Reads list files and expands ranges into targets. It runs on its own thread, because it blocks on slow pipes and on a full
/// channel.
package final class TargetProducer: Sendable {
    private let given: [TargetRange]
    private let lists: [ListFile]
    /// The scheme of lines without one.
    private let bareScheme: TargetScheme
    private let filter: Mutex<TargetFilter>
    private let bytesRead = Atomic<Int>(0)
    /// Total size of all lists in bytes; nil if a size is unknown.
    private let size: Int?

    package init(given: [TargetRange], lists: [ListFile], bareScheme: TargetScheme, filter: TargetFilter) {
        (self.given, self.lists, self.bareScheme) = (given, lists, bareScheme)
        self.filter = Mutex(filter)
        size = lists.reduce(0) { sum, list in sum.flatMap { sum in list.size.map { sum + $0 } } }
    }

    /// Fraction of the lists that has been read, from 0 to 1; nil if a size is unknown.
    package var fraction: Double? {
        guard let size, size > 0 else { return nil }
        return min(1, Double(bytesRead.load(ordering: .relaxed)) / Double(size))
    }

    package var skipped: Int { filter.withLock { $0.skipped } }

    /// Puts all targets into the channel. Stops if the channel is closed.
    package func run(into channel: TargetChannel) {
        defer { channel.finish() }
        for range in given { guard put(range, into: channel) else { return } }
        for list in lists { guard put(list, into: channel) else { return } }
    }

    /// Number of targets that are put into the channel in one step.
    private static let batchSize = 128

    /// Maximum length of a line in bytes. After a longer line, the rest of the list is not read.
    private static let maximumLineLength = 1 << 20

    private func put(_ list: ListFile, into channel: TargetChannel) -> Bool {
        var lines = TargetListReader(of: list.name, bareScheme: bareScheme)
        var lineLength = 0
        while true {
            do throws(SystemError) {
                let chunk = try list.read()
                bytesRead.add(chunk.count, ordering: .relaxed)
                let end = chunk.lastIndex(of: UInt8(ascii: "\n"))
                lineLength = end.map { chunk.count - $0 } ?? (lineLength + chunk.count)
                // The line may never end, as in /dev/zero. Its error has been reported.
                if lineLength > Self.maximumLineLength { return true }
                guard put(chunk.isEmpty ? lines.finish() : lines.read(chunk), into: channel) else { return false }
                if chunk.isEmpty || lines.isKeyFile { return true }
            } catch {
                return put([lines.readFailure(error)], into: channel)
            }
        }
    }

    private func put(_ entries: [TargetListReader.Entry], into channel: TargetChannel) -> Bool {
        var batch: [TargetChannel.Entry] = []
        for entry in entries {
            switch entry {
            case .invalidLine(let line): batch.append(.invalidLine(line))
            case .targets(let range) where range.isSingle:
                if let entry = filter.withLock({ $0.entry(for: range.first) }) { batch.append(entry) }
            case .targets(let range):
                guard channel.put(batch), put(range, into: channel) else { return false }
                batch = []
            }
            guard batch.count >= Self.batchSize else { continue }
            guard channel.put(batch) else { return false }
            batch = []
        }
        return channel.put(batch)
    }

    private func put(_ range: TargetRange, into channel: TargetChannel) -> Bool {
        var batch: [TargetChannel.Entry] = []
        for target in range {
            if let entry = filter.withLock({ $0.entry(for: target) }) { batch.append(entry) }
            guard batch.count >= Self.batchSize else { continue }
            guard channel.put(batch) else { return false }
            batch = []
        }
        return channel.put(batch)
    }
}
