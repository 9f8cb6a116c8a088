import Fetching

// Seeds: *.host

/// A target on the command line. If the text of a parsed target is parsed again, the result is the same target.
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
