import Fetching

// Seeds: *.host

/// A target on the command line. The text of a parsed target gives the same target again.
enum HostTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        do {
            let target = try Target(parsing: bytes)
            precondition(!target.hostText.utf8.contains(0))
            let again = try Target(parsing: target.description)
            precondition(again == target, "\(target) is read as \(again)")
        } catch {
            precondition(!error.reason.isEmpty)
        }
    }
}
