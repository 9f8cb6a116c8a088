package import OpenSSL

extension StatusResponse.Status {
    /// Tolerance for a responder's clock that is ahead, in seconds.
    private static let skew: Int64 = 300
    /// Validity period that is assumed for a response without `nextUpdate`, in seconds.
    private static let dayWithoutNextUpdate: Int64 = 86_400

    /// Whether the status is valid at a time, in seconds since 1970.
    package func isCurrent(at now: Int64) -> Bool {
        let (latestStart, isTooLate) = now.addingReportingOverflow(Self.skew)
        let (earliestStart, isTooEarly) = now.subtractingReportingOverflow(Self.dayWithoutNextUpdate)
        guard !isTooLate, !isTooEarly, thisUpdate <= latestStart else { return false }
        return nextUpdate.map { $0 >= now } ?? (thisUpdate >= earliestStart)
    }
}
