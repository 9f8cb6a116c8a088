internal import Encodings
internal import PinSetCodec

/// The number of pins that a file names once for several hosts.
///
/// A set repeats them for each host. Without a limit, a short file with many hosts and many pins would need any amount of memory.
struct SharedPinCount {
    static let maximum = 100_000
    private var count = 0

    /// Counts a list of pins for hosts. The pins of the first host are not shared.
    ///
    /// - Throws: ``PinSetFormatError`` if there are more than ``maximum``.
    mutating func add(
        pins: Int, hosts: Int, as codec: (some PinSetCodec).Type, at position: SourcePosition?
    ) throws(PinSetFormatError) {
        let (product, overflows) = pins.multipliedReportingOverflow(by: max(0, hosts - 1))
        guard !overflows, product <= Self.maximum - count else {
            throw codec.error(.file(.tooManySharedPins), at: position)
        }
        count += product
    }
}
