/// A source of decisions: random numbers in a test, the input of a fuzzer in a fuzz target.
package protocol ByteSource {
    mutating func next() -> UInt64
}

extension ByteSource {
    /// A number from 0 to `bound` - 1; 0 if `bound` is not positive.
    package mutating func number(below bound: Int) -> Int {
        bound > 0 ? Int(next() % UInt64(bound)) : 0
    }

    package mutating func flag() -> Bool { next() & 1 == 1 }
}

/// Random numbers that repeat for a seed (SplitMix64).
package struct SeededSource: ByteSource {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}

/// The bytes of a fuzzer's input, two at a time, then zeros.
package struct InputSource: ByteSource {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) { rest = bytes[...] }

    package mutating func next() -> UInt64 {
        let value = rest.prefix(2).reduce(0) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(2)
        return value
    }
}
