/// An event that ``Fetcher/next(until:)`` returns.
package enum FetchEvent: Sendable {
    case result(FetchResult)
    /// A target that the caller excluded. pinctl did not connect to it.
    case skipped(index: Int, Target)
    /// A line of a target list that cannot be read.
    case invalidLine(InvalidTargetLine)
    /// The requested time has passed, or ``Fetcher/waker`` was called.
    case wakeUp
}
