internal import Arguments
internal import Fetching
internal import Pinning

/// Whom to trust for each host: the anchors of its entry, unless the command line names others.
struct VerifyTrust {
    /// Who named a trust anchor.
    enum Origin {
        case system, commandLine, pinSet
    }

    /// What holds for the hosts of the run, for a ``Fetcher``.
    let policy: TrustPolicy
    let warnings: [String]
    let sources: [TrustSource]
    /// For each list of anchors that an entry names, which of the sources is meant by it.
    private let places: [[String]: Int]
    private let given: Origin

    /// Reads every anchor that the entries need, each file once.
    ///
    /// - Parameter entries: those that may be needed; nil for hosts without one.
    init(_ values: Values, _ pins: PinSetFile, for entries: [PinSet.Entry?], _ console: Console) throws(CommandError) {
        let lists = entries.map { $0?.anchors ?? [] }
        guard values[TrustFlags.anchors].isEmpty, lists.contains(where: { !$0.isEmpty }) else {
            let (source, warnings) = try TrustFlags.source(in: values, console)
            self.init([source], places: [:], warnings, given: .commandLine, pins, nil)
            return
        }
        let needsSystem = values[TrustFlags.systemAnchors] || lists.contains([])
        let (system, warnings) = needsSystem ? SystemTrust.source(console.environment) : (TrustSource(), [])
        let own = values[TrustFlags.systemAnchors] ? system : TrustSource()
        var reader = AnchorReader(console)
        var sources: [TrustSource] = []
        var places: [[String]: Int] = [:]
        for (entry, list) in zip(entries, lists) where places[list] == nil {
            let paths = list.map(pins.resolved)
            var source = own
            if let entry, !paths.isEmpty {
                source.anchors = try reader.anchors(at: paths, of: entry, in: pins)
            } else {
                source = system
            }
            places[list] = sources.count
            sources.append(source)
        }
        self.init(
            sources, places: places, warnings, given: .pinSet, pins, values[ConnectionFlags.serverName]
        )
    }

    private init(
        _ sources: [TrustSource], places: [[String]: Int], _ warnings: [String], given: Origin, _ pins: PinSetFile,
        _ serverName: ServerIdentity?
    ) {
        (self.sources, self.places, self.warnings, self.given) = (sources, places, warnings, given)
        guard sources.count > 1 else {
            policy = TrustPolicy(sources.first ?? TrustSource())
            return
        }
        policy = TrustPolicy(sources) { [set = pins.set] target in
            let identity = target.serverName ?? serverName ?? target.identity
            return places[set.entry(for: identity.text)?.anchors ?? [], default: 0]
        }
    }

    /// What holds for one of the checks.
    func source(for check: Verification.Check) -> TrustSource {
        sources[places[check.entry?.anchors ?? [], default: 0]]
    }

    /// Who named the anchor that ends the chain of one of the checks.
    func origin(of anchor: Certificate, for check: Verification.Check) -> Origin {
        source(for: check).anchors?.certificates.contains(anchor) ?? false ? given : .system
    }

    /// Who named the only anchors that count for one of the checks; nil where the system's count.
    func onlyOrigin(for check: Verification.Check) -> Origin? {
        let source = source(for: check)
        return source.anchors != nil && source.hashedDirectories.isEmpty ? given : nil
    }
}

/// Reads the files that a pin set names, each once however many hosts share it.
private struct AnchorReader {
    private let console: Console
    private var known: [String: [Certificate]] = [:]

    init(_ console: Console) { self.console = console }

    mutating func anchors(
        at paths: [String], of entry: PinSet.Entry, in pins: PinSetFile
    ) throws(CommandError) -> TrustAnchors {
        var certificates: [Certificate] = []
        for path in paths {
            if known[path] == nil {
                do throws(CommandError) {
                    known[path] = try AnchorFiles.certificates(at: path, console)
                } catch {
                    throw CommandError(
                        "\(pins.place(of: entry)): the anchors of \(entry.host.quoted): \(error.message)",
                        hint: error.hint ?? "\"anchors\" are relative to the folder of the pin set"
                    )
                }
            }
            certificates += known[path, default: []]
        }
        return TrustAnchors(certificates)
    }
}
