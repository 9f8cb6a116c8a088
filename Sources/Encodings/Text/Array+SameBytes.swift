extension Array where Element == UInt8 {
    /// Whether two arrays consist of the same bytes. `==` has the same result, but needs 20 times as many instructions: it compares byte
    /// by byte, while the compiler vectorizes this loop, because it has no early exit.
    package func hasSameBytes(as other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        let (left, right) = (span, other.span)
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}
