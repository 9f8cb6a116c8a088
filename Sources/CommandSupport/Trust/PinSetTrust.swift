package import Arguments
internal import Encodings
package import Fetching
internal import FileConflicts
internal import PinSetCodec
package import Pinning

/// The trust anchors for each host: those of its pin set entry, unless the command line has other anchors.
package struct PinSetTrust {
    /// The place where a trust anchor was named.
    package enum Origin {
        case system, commandLine, pinSet
    }

    /// The trust source of each host, for a ``Fetcher``.
    package let policy: TrustPolicy
    package let warnings: [String]
    package let sources: [TrustSource]
    /// The index in ``sources`` for each list of anchors in the entries.
    private let indices: [[PathKey]: Int]
    /// Where the anchors of ``sources`` were named. The system's anchors do not count.
    private let namedBy: Origin

    /// Whether `--anchors` replaces the anchors of the set.
    package let isOfCommandLine: Bool

    /// Reads all anchors that the entries need, each file once.
    ///
    /// - Parameters:
    ///   - entries: the entries that the run may need. The element nil means hosts that no entry covers.
    ///   - serverName: the name of `--servername`. It selects the entry of every target that has no server name.
    package init(
        _ values: Values, _ pins: PinSetFile, for entries: [PinSet.Entry?], serverName: ServerIdentity?,
        _ console: Console
    ) throws(CommandError) {
        let lists = entries.map { $0?.anchors ?? [] }
        let isOfCommandLine = !values[TrustFlags.anchors].isEmpty
        guard !isOfCommandLine, lists.contains(where: { !$0.isEmpty }) else {
            let (source, warnings) = try TrustFlags.source(in: values, console)
            self.init([source], indices: [:], warnings, namedBy: .commandLine, isOfCommandLine, pins, nil)
            return
        }
        let needsSystem = values[TrustFlags.systemAnchors] || lists.contains([])
        let (system, warnings) = needsSystem ? try SystemTrust.checkedSource(console.environment) : (TrustSource(), [])
        let base = values[TrustFlags.systemAnchors] ? system : TrustSource()
        var reader = AnchorReader()
        var sources: [TrustSource] = []
        var indices: [[PathKey]: Int] = [:]
        for (entry, list) in zip(entries, lists) where indices[list.map(PathKey.init)] == nil {
            let paths = list.map(pins.resolved)
            var source = base
            if let entry, !paths.isEmpty {
                source.anchors = try reader.anchors(at: paths, of: entry, in: pins)
            } else {
                source = system
            }
            indices[list.map(PathKey.init)] = sources.count
            sources.append(source)
        }
        self.init(sources, indices: indices, warnings, namedBy: .pinSet, isOfCommandLine, pins, serverName)
    }

    /// Registers the files that a set names as anchors, so that no output replaces them although the run does not read them.
    ///
    /// - Parameter path: the path of the set.
    package static func protect(anchorsOf set: PinSet, at path: String) {
        protect(set.entries.flatMap(\.anchors).map { PinSetFile.resolved($0, beside: path) })
    }

    /// Registers files that a set names as anchors.
    package static func protect(_ paths: [String]) {
        for path in Set(paths) {
            if InputFile.isFolder(path) { FileUse.reads(folder: path) } else { FileUse.reads(fileAt: path) }
        }
    }

    private init(
        _ sources: [TrustSource], indices: [[PathKey]: Int], _ warnings: [String], namedBy: Origin,
        _ isOfCommandLine: Bool, _ pins: PinSetFile,
        _ serverName: ServerIdentity?
    ) {
        self.sources = sources
        self.indices = indices
        self.warnings = warnings
        self.namedBy = namedBy
        self.isOfCommandLine = isOfCommandLine
        guard sources.count > 1 else {
            policy = TrustPolicy(sources.first ?? TrustSource())
            return
        }
        policy = TrustPolicy(sources) { [set = pins.set] target in
            let identity = target.serverName ?? serverName ?? target.identity
            return indices[(set.entry(for: identity.text)?.anchors ?? []).map(PathKey.init), default: 0]
        }
    }

    /// Reads again the files that the set names as anchors.
    ///
    /// - Returns: the first entry whose files have other anchors than when the run began; nil if the anchors of all entries are
    ///   unchanged, or if `--anchors` replaces the files.
    package func entryWithChangedAnchors(
        in entries: [PinSet.Entry], of pins: PinSetFile
    ) throws(CommandError) -> PinSet.Entry? {
        guard !isOfCommandLine else { return nil }
        var reader = AnchorReader()
        var known: Set<[PathKey]> = [[]]
        for entry in entries where known.insert(entry.anchors.map(PathKey.init)).inserted {
            let current = try reader.anchors(at: entry.anchors.map(pins.resolved), of: entry, in: pins)
            if current.anchors != source(for: entry).anchors?.anchors { return entry }
        }
        return nil
    }

    /// Reads the anchors of one entry.
    package static func anchors(of entry: PinSet.Entry, in pins: PinSetFile) throws(CommandError) -> TrustAnchors {
        var reader = AnchorReader()
        return try reader.anchors(at: entry.anchors.map(pins.resolved), of: entry, in: pins)
    }

    /// The trust source for a host.
    ///
    /// - Parameter entry: the entry that covers the host; nil if no entry covers it.
    package func source(for entry: PinSet.Entry?) -> TrustSource {
        sources[indices[(entry?.anchors ?? []).map(PathKey.init), default: 0]]
    }

    /// Where the anchor of a host's chain was named.
    package func origin(of anchor: Certificate, for entry: PinSet.Entry?) -> Origin {
        source(for: entry).anchors?.certificates.contains(anchor) ?? false ? namedBy : .system
    }

    /// Where a host's anchors were named; nil if the system's anchors are trusted too.
    package func exclusiveOrigin(for entry: PinSet.Entry?) -> Origin? {
        let source = source(for: entry)
        return source.anchors != nil && source.hashedDirectories.isEmpty ? namedBy : nil
    }
}

/// Reads the anchor files that a pin set names. A file that several hosts share is read once.
private struct AnchorReader {
    private var anchorsByPath: [PathKey: [TrustAnchor]] = [:]

    mutating func anchors(
        at paths: [String], of entry: PinSet.Entry, in pins: PinSetFile
    ) throws(CommandError) -> TrustAnchors {
        var found: [TrustAnchor] = []
        for path in paths {
            let key = PathKey(path)
            if anchorsByPath[key] == nil {
                do throws(CommandError) {
                    anchorsByPath[key] = try AnchorFiles.anchors(at: path)
                } catch {
                    throw CommandError(
                        "\(pins.location(of: entry)): the anchors of \(entry.host.quoted): \(error.message)",
                        hint: error.hint ?? "check the path: \"anchors\" are relative to the folder of the pin set"
                    )
                }
            }
            found += anchorsByPath[key, default: []]
        }
        return TrustAnchors(anchors: found)
    }
}
