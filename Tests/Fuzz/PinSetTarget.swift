import Pinning

// Seeds: *.json

/// pins.json. The hosts of a parsed set can be looked up, and an error has a message.
enum PinSetTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        do {
            let set = try PinSet(json: bytes)
            for entry in set.entries {
                precondition(!entry.pins.isEmpty)
                precondition(set.entry(for: entry.name) == entry)
            }
        } catch {
            precondition(!error.message.isEmpty)
        }
    }
}
