import Testing

@testable import ConnectionFailures

/// The failures that a log contains.
func failures(in log: String) -> [ConnectionFailure] { FailureLog(Array(log.utf8)).failures.map(\.failure) }

/// The only failure that a log contains.
func onlyFailure(
    in log: String, sourceLocation: SourceLocation = #_sourceLocation
) throws -> ConnectionFailure {
    let found = failures(in: log)
    #expect(found.count == 1, "\(found)", sourceLocation: sourceLocation)
    return try #require(found.first, sourceLocation: sourceLocation)
}
