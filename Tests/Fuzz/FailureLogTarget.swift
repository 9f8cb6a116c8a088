import ConnectionFailures
import Pinning

// Seeds: *.pem

/// The log of a failed connection.
enum FailureLogTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        let log = FailureLog(bytes)
        precondition(log.failures.count <= FailureLog.maximumFailures)
        for (failure, count) in log.failures {
            precondition(count > 0 && failure.line > 0)
            let conclusion = Conclusion(of: failure, with: HostEvidence(.notAsked, expected: failure.expected))
            precondition(!conclusion.sentence.isEmpty)
        }
    }
}
