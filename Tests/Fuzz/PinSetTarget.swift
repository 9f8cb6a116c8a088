import Pinning

// Seeds: *.json

/// pins.json: what is read can be looked up, and what is refused has a sentence.
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
