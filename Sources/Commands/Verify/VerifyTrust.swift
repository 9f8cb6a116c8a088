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
    /// For each check, which of the sources is its own.
    private let places: [Int]
    private let given: Origin

    /// Reads every anchor that the checks need, each file once.
    init(_ values: Values, _ pins: PinSetFile, for checks: [Verification.Check]) throws(CommandError) {
        let lists = checks.map { $0.entry?.anchors ?? [] }
        guard values[TrustFlags.anchors].isEmpty, lists.contains(where: { !$0.isEmpty }) else {
            let (source, warnings) = try TrustFlags.source(in: values)
            self.init([source], places: checks.map { _ in 0 }, warnings, given: .commandLine, checks)
            return
        }
        let needsSystem = values[TrustFlags.systemAnchors] || lists.contains([])
        let (system, warnings) = needsSystem ? SystemTrust.source() : (TrustSource(), [])
        let own = values[TrustFlags.systemAnchors] ? system : TrustSource()
        var reader = AnchorReader()
        var known: [[String]: Int] = [:]
        var sources: [TrustSource] = []
        var places: [Int] = []
        for (check, list) in zip(checks, lists) {
            let paths = list.map(pins.resolved)
            if known[paths] == nil {
                var source = own
                if let entry = check.entry, !paths.isEmpty {
                    source.anchors = try reader.anchors(at: paths, of: entry, in: pins)
                } else {
                    source = system
                }
                known[paths] = sources.count
                sources.append(source)
            }
            places.append(known[paths, default: 0])
        }
        self.init(sources, places: places, warnings, given: .pinSet, checks)
    }

    private init(
        _ sources: [TrustSource], places: [Int], _ warnings: [String], given: Origin, _ checks: [Verification.Check]
    ) {
        (self.sources, self.places, self.warnings, self.given) = (sources, places, warnings, given)
        let targets = Dictionary(grouping: checks.indices, by: { places[$0] })
        policy = TrustPolicy(
            sources.first ?? TrustSource(),
            others: sources.indices.dropFirst().map { place in
                (sources[place], targets[place, default: []].map { checks[$0].target })
            }
        )
    }

    /// What holds for one of the checks.
    func source(for check: Verification.Check) -> TrustSource { sources[places[check.index]] }

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
    private var known: [String: [Certificate]] = [:]

    mutating func anchors(
        at paths: [String], of entry: PinSet.Entry, in pins: PinSetFile
    ) throws(CommandError) -> TrustAnchors {
        var certificates: [Certificate] = []
        for path in paths {
            if known[path] == nil {
                do throws(CommandError) {
                    known[path] = try AnchorFiles.certificates(at: path)
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
