package import Encodings

/// The number of pins that a file names once for several hosts.
///
/// A set repeats them for each host. Without a limit, a short file with many hosts and many pins would need any amount of memory.
package struct SharedPinCount {
    package static let maximum = 100_000
    private var remaining: Int

    /// - Parameter literals: number of texts in the file. Each of them can be a pin of one host, so this number of pins is not shared.
    package init(literals: Int = 0) { remaining = Self.maximum + literals }

    /// Counts a list of pins for hosts. The pins of the first host are not shared.
    ///
    /// - Throws: ``PinSetFormatError`` if there are more than ``maximum``.
    package mutating func add(
        pins: Int, hosts: Int, as codec: (some PinSetCodec).Type, at position: SourcePosition?
    ) throws(PinSetFormatError) {
        let (product, overflows) = pins.multipliedReportingOverflow(by: max(0, hosts - 1))
        guard !overflows else { throw codec.error(.file(.tooManySharedPins), at: position) }
        try add(product, as: codec, at: position)
    }

    /// Counts the pins of one host.
    ///
    /// - Throws: ``PinSetFormatError`` if the file has more pins than it has literals, by more than ``maximum``.
    package mutating func add(
        _ pins: Int, as codec: (some PinSetCodec).Type, at position: SourcePosition?
    ) throws(PinSetFormatError) {
        guard pins <= remaining else { throw codec.error(.file(.tooManySharedPins), at: position) }
        remaining -= pins
    }
}
