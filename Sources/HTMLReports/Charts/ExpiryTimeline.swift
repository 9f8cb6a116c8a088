internal import Pinning

/// The scale and the periods of the expiry timeline.
enum ExpiryTimeline {
    /// The end of the scale, in days: the maximum validity of a public server certificate is below it (CA/Browser Forum, Baseline
    /// Requirements, section 6.3.2).
    static let maximumDays: Int64 = 400

    /// Number of days before expiry at which an end is marked.
    static let warningDays: Int64 = 30

    /// A period in which validity ends.
    enum Period: Int, CaseIterable, Sendable {
        case expired, week, month, quarter, year, later

        init(of end: Timestamp, at now: Timestamp) {
            self =
                switch now.days(until: end) {
                case ..<0: .expired
                case ..<7: .week
                case ..<30: .month
                case ..<90: .quarter
                case ..<365: .year
                default: .later
                }
        }

        var title: String {
            switch self {
            case .expired: "expired"
            case .week: "in less than 7 days"
            case .month: "in 7 to 29 days"
            case .quarter: "in 30 to 89 days"
            case .year: "in 90 to 364 days"
            case .later: "in a year or later"
            }
        }

        var tone: Tone {
            switch self {
            case .expired: .bad
            case .week, .month: .careful
            case .quarter, .year, .later: .good
            }
        }
    }

    /// The last day of the scale for these ends: at least 30 days, at most ``maximumDays``.
    static func scale(for ends: [Timestamp], at now: Timestamp) -> Int64 {
        let last = ends.map { now.days(until: $0) }.max() ?? 0
        return min(maximumDays, max(30, last))
    }

    /// The marks of a scale.
    static func marks(upTo days: Int64) -> [Int64] {
        let step: Int64 = days <= 45 ? 10 : days <= 120 ? 30 : 90
        return Array(stride(from: 0, through: days, by: Int(step)))
    }

    /// The position of a day on the scale, from 0 to 100.
    static func position(of day: Int64, in scale: Int64) -> Double {
        Double(min(max(0, day), scale)) / Double(max(1, scale)) * 100
    }
}
