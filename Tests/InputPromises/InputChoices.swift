/// Random choices that depend on every byte of an input, so that the input reproduces them (SplitMix64, seeded with FNV-1a).
struct InputChoices: RandomNumberGenerator {
    private var state: UInt64

    init(_ input: [UInt8]) { state = input.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 } }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
