internal import Arguments
internal import CommandSupport
internal import Fetching
internal import Pinning

/// Which hosts a report shows.
struct FetchFilter {
    /// A property of a host's result.
    enum Kind: String, CaseIterable, Sendable {
        case trusted, untrusted, unreachable, expired, expiring
        case notYetValid = "not-yet-valid"
        case weakKey = "weak-key"
        case weakSignature = "weak-signature"
        case missingIntermediate = "missing-intermediate"
        case selfSigned = "self-signed"
        case unknownAuthority = "unknown-authority"
        case nameMismatch = "name-mismatch"
    }

    static let only = Option.optional(
        "only", takes: .list(Kind.allCases, "KIND[,KIND]"), conflicts: [TargetFlags.resume],
        help: "show only hosts with one of these properties")
    static let within = Option.optional(
        "within", takes: .integer("DAYS", in: 0...36_500), conflicts: [TargetFlags.resume],
        help: "show only hosts whose chain expires within DAYS, or has expired")

    static let declared: [any AnyOption] = [only, within]

    private let kinds: [Kind]
    private let days: Int64?

    /// Number of days before expiry for `expiring` without `--within`.
    private static let defaultDays: Int64 = 21

    init(_ values: Values) {
        kinds = values[Self.only] ?? []
        days = values[Self.within].map(Int64.init)
    }

    /// Whether every host is shown.
    var isEmpty: Bool { kinds.isEmpty && days == nil }

    func includes(_ row: FetchRow) -> Bool {
        let isWithin = days.map { days in row.daysLeft.map { $0 <= days } ?? false } ?? true
        // With `expiring`, the days belong to that property, so that it can be combined with others.
        if kinds.contains(.expiring) { return kinds.contains { has($0, row) } }
        return isWithin && (kinds.isEmpty || kinds.contains { has($0, row) })
    }

    private func has(_ kind: Kind, _ row: FetchRow) -> Bool {
        let codes = row.chain?.failures.map(\.code) ?? []
        return switch kind {
        case .trusted: row.status == "trusted"
        case .untrusted: row.status == "untrusted"
        case .unreachable: row.status == "unreachable"
        case .expired: row.daysLeft.map { $0 < 0 } ?? false
        case .expiring: row.daysLeft.map { $0 >= 0 && $0 <= days ?? Self.defaultDays } ?? false
        case .weakKey: codes.contains("weak-key") || row.hasWeakKey
        case .selfSigned: codes.contains("self-signed")
        case .unknownAuthority: codes.contains("unknown-authority") || codes.contains("untrusted-root")
        case .notYetValid, .weakSignature, .missingIntermediate, .nameMismatch: codes.contains(kind.rawValue)
        }
    }
}

/// A report that shows only some hosts. All hosts count for the exit status.
final class FilteredFetchReport: HostReport {
    private let report: any HostReport<FetchResult>
    private let filter: FetchFilter
    private let plan: FetchPlan

    init(_ report: any HostReport<FetchResult>, _ plan: FetchPlan) {
        (self.report, filter, self.plan) = (report, plan.filter, plan)
    }

    var isStreamed: Bool { report.isStreamed }
    var start: String { report.start }
    var separator: String { report.separator }
    var end: String { report.end }
    /// That no host is shown is a result of a report: that of an earlier run must not stay. A file of pins or certificates stays, as after
    /// any run without one.
    var hasOutputAtEnd: Bool { report.hasOutputAtEnd || plan.format.isReport }

    func add(gap: String) { report.add(gap: gap) }

    func fragment(for result: FetchResult) throws(CommandError) -> ReportFragment {
        guard filter.includes(FetchRow(result: result, now: plan.time ?? .now)) else {
            // An unreachable host is still an error on standard error, because the filter could not be applied to its chain.
            guard case .failure(let error) = result.outcome else {
                return ReportFragment(status: result.status(acceptsUntrusted: plan.acceptsUntrusted))
            }
            return ReportFragment(messages: result.message(error.message, hint: error.hint), status: .undecided)
        }
        return try report.fragment(for: result)
    }
}
