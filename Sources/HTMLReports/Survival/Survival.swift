package import PinSetCodec
internal import PinSetMaintenance
package import Pinning

/// What each platform does with a host after each kind of rotation, as rows of a table.
package struct Survival: Sendable {
    /// The events, from the smallest change to the largest.
    static let events = [
        "leaf renewed with the same key", "leaf renewed with a new key", "another intermediate", "another root",
    ]

    /// The result for one event.
    struct Cell: Hashable, Sendable {
        enum Outcome: Hashable, Sendable {
            case survives, onCondition, fails, notPinned, undecided
        }

        let outcome: Outcome

        /// Whether two cells have one meaning: the outcome, and the condition if there is one.
        func means(_ other: Cell) -> Bool {
            outcome == other.outcome && (outcome != .onCondition || detail == other.detail)
        }

        /// The condition or the reason in a few words; may be empty.
        let detail: String
    }

    /// Platforms with the same results.
    struct Row: Sendable {
        var names: [String]
        /// One cell for each of ``events``.
        let cells: [Cell]
        /// Why the cells are so, each reason once.
        var remarks: [String]
    }

    private(set) var rows: [Row] = []

    /// The name of the row with the rules of pinctl.
    private static let ownName = "pinctl verify"

    /// - Parameters:
    ///   - entry: the entry that decides for the host.
    ///   - host: the host name or IP address.
    ///   - chains: the trusted chains of the host.
    ///   - reason: why there is no trusted chain.
    ///   - configurations: the platforms.
    ///   - name: the name of a pin without a label.
    package init(
        of entry: PinSet.Entry, for host: String, chains: [CertificateChain], orWhy reason: String,
        on configurations: [PlatformConfiguration], at now: Timestamp, name: (PinSet.PinnedKey) -> String?
    ) {
        let subjects = Dictionary(
            chains.flatMap(\.entries).map { ($0.certificate.pin, $0.certificate.subject?.displayName ?? "") },
            uniquingKeysWith: { first, _ in first })
        let name = { (key: PinSet.PinnedKey) -> String in
            let found = key.shownLabel ?? name(key) ?? subjects[key.pin] ?? ""
            return found.isEmpty ? "\(key.role.rawValue) \(key.pin.base64.prefix(6))…" : found
        }
        guard let own = RotationForecast(of: entry, chains: chains, at: now) else {
            let names = [Self.ownName] + configurations.map(\.platform.rawValue)
            rows = [Row(names: names, cells: Self.four(.undecided), remarks: [reason])]
            return
        }
        if let expires = entry.expires, entry.isExpired(at: now) {
            let remark = "the pins expired on \(expires.date), so no pin is compared"
            add(Row(names: [Self.ownName], cells: Self.four(.notPinned), remarks: [remark]))
        } else {
            let remarks = entry.enforce ? [] : ["the set only reports a mismatch (\"enforce\": false)"]
            add(Row(names: [Self.ownName], cells: Self.cells(own, name), remarks: remarks))
        }
        for configuration in configurations {
            guard
                let outlook = PlatformOutlook(
                    on: configuration, of: entry, for: host, comparedWith: own, chains: chains, at: now)
            else {
                continue
            }
            add(Self.row(outlook, name))
        }
    }

    private static func row(_ outlook: PlatformOutlook, _ name: (PinSet.PinnedKey) -> String) -> Row {
        let platform = outlook.platform.rawValue
        let names = [platform]
        switch outlook.result {
        case .forecast(let forecast, let combinations):
            let cells = zip(Self.cells(forecast, name), combinations).map { cell, keys in
                guard let keys else { return cell }
                let names = keys.map(name).joined(separator: " and ")
                return Cell(outcome: .onCondition, detail: "only if the new chain has the keys of \(names)")
            }
            return Row(names: names, cells: cells, remarks: [])
        case .rejects(let rule):
            let cells = [Cell(outcome: .fails, detail: "")] + four(.undecided).dropFirst()
            return Row(names: names, cells: cells, remarks: ["\(platform) rejects the chain as it is: \(rule)"])
        case .notPinned(let rule): return Row(names: names, cells: four(.notPinned), remarks: ["\(platform): \(rule)"])
        case .refusesConfig(let rule):
            return Row(names: names, cells: four(.fails), remarks: ["\(platform) refuses the pin set: \(rule)"])
        case .undecidable(let rule):
            return Row(names: names, cells: four(.undecided), remarks: ["\(platform) compares no pin today: \(rule)"])
        }
    }

    /// Adds a row, or its names to the row with the same results.
    private mutating func add(_ row: Row) {
        if let index = rows.firstIndex(where: { zip($0.cells, row.cells).allSatisfy { $0.means($1) } }) {
            rows[index].names += row.names
            for remark in row.remarks where !rows[index].remarks.contains(remark) { rows[index].remarks.append(remark) }
        } else {
            rows.append(row)
        }
    }

    private static func four(_ outcome: Cell.Outcome) -> [Cell] {
        events.map { _ in Cell(outcome: outcome, detail: "") }
    }

    private static func cells(_ forecast: RotationForecast, _ name: (PinSet.PinnedKey) -> String) -> [Cell] {
        forecast.outcomes.enumerated().map { event, outcome in
            switch outcome {
            case .survives(let keys):
                Cell(outcome: .survives, detail: keys.isEmpty ? "accepted without a match" : list(keys, ", ", name))
            case .ifKeyIsKept(let keys):
                Cell(outcome: .onCondition, detail: "if the server keeps its key: \(list(keys, ", ", name))")
            // A renewal with the same key brings no other key.
            case .ifBackupTakesOver where event == 0, .fails: Cell(outcome: .fails, detail: "")
            case .ifBackupTakesOver(let keys):
                Cell(outcome: .onCondition, detail: "only if the new chain has the key of \(list(keys, " or ", name))")
            case .notPinned: Cell(outcome: .notPinned, detail: "")
            }
        }
    }

    /// Maximum number of pins that a cell names.
    private static let maximumNames = 2

    private static func list(_ keys: [PinSet.PinnedKey], _ separator: String, _ name: (PinSet.PinnedKey) -> String)
        -> String
    {
        var known: Set<String> = []
        let names = keys.map(name).filter { known.insert($0).inserted }
        let rest = names.count > maximumNames ? " and \(names.count - maximumNames) more" : ""
        return names.prefix(maximumNames).joined(separator: separator) + rest
    }
}
