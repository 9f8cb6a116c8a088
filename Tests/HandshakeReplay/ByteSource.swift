/// A source of decisions: random numbers in a test, the input of the fuzzer in a fuzz target.
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
