// Seeds: hpkp*
internal import Pinning

/// Public-Key-Pins headers.
enum HPKPTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        let companions = PinSetCompanions(host: "h.example")
        guard let reading = try? PinSet.read(bytes, as: .hpkp, with: companions) else { return }
        FormatPromises.check(reading)
    }
}
