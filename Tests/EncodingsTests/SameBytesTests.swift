import Testing

@testable import Encodings

@Suite struct SameBytesTests {
    @Test func equalArraysHaveTheSameBytes() {
        for length in [0, 1, 7, 16, 33, 257] {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            #expect(bytes.hasSameBytes(as: Array(bytes[...])))
        }
    }

    @Test func everyDifferenceIsFound() {
        for length in [1, 7, 16, 33, 257] {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            for index in bytes.indices {
                for bit in 0..<8 {
                    var other = bytes
                    other[index] ^= 1 << bit
                    #expect(!bytes.hasSameBytes(as: other))
                }
            }
        }
    }

    @Test func arraysOfDifferentLengthsDiffer() {
        #expect(![1, 2, 3].hasSameBytes(as: [1, 2]))
        #expect(![1, 2].hasSameBytes(as: [1, 2, 3]))
        #expect(![].hasSameBytes(as: [0]))
    }
}
