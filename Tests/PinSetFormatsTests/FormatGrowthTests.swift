import Foundation
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// The time to write and read a format is linear in the number of hosts and in the number of pins.
///
/// The measure is the processor time of the thread, which other processes do not increase. Eight times the input takes about
/// 8 times the work if it is linear, and 64 times if it is quadratic.
@Suite(.serialized) struct FormatGrowthTests {
    enum Dimension: CaseIterable, Sendable {
        case hosts, pins
    }

    /// The formats that are written without certificates. Alamofire and Wultra need one certificate for each pin.
    static let formats = PinSetFormat.allCases.filter { !$0.traits.writingInputs.contains(.certificates) }

    private static let size = 400
    private static let factor = 8
    private static let maximumRatio = 20.0

    @Test(arguments: formats, Dimension.allCases) func isLinear(format: PinSetFormat, dimension: Dimension) throws {
        let (small, large) = (
            try Self.set(dimension, Self.size), try Self.set(dimension, Self.size * Self.factor)
        )
        _ = try format.codec.write(small)
        try Self.expectLinear("writing") { try format.codec.write($0 ? large : small).files.count }
        guard format.traits.isReadable else { return }
        let files = (try format.codec.write(small), try format.codec.write(large))
        try Self.expectLinear("reading") { isLarge in
            let writing = isLarge ? files.1 : files.0
            let inputs = ConversionInputs(host: "h0.example.com", names: writing.files.first { $0.name != nil }?.bytes)
            return try format.codec.read(writing.main, with: inputs).set.entries.count
        }
        guard format.traits.mergesIntoFiles else { return }
        try Self.expectLinear("writing into a file") { isLarge in
            let file = (isLarge ? files.1 : files.0).main
            return try format.codec.write(isLarge ? large : small, into: file).files.count
        }
    }

    private static func expectLinear(_ action: String, _ body: (_ isLarge: Bool) throws -> Int) throws {
        // The minimum of several measurements, because interference only increases them.
        let few = try (0..<3).map { _ in try work { try body(false) } }.min() ?? 0
        let many = try (0..<2).map { _ in try work { try body(true) } }.min() ?? 0
        #expect(few > 0)
        #expect(Double(many) / Double(max(few, 1)) < maximumRatio, "\(action): \(few) ns, then \(many) ns")
    }

    private static func work(_ body: () throws -> Int) throws -> Int64 {
        func now() -> Int64 {
            var time = timespec()
            unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
        let start = now()
        #expect(try body() > 0)
        return now() - start
    }

    private static func set(_ dimension: Dimension, _ count: Int) throws -> PinSet {
        func pin(_ number: Int) -> PinSet.PinnedKey {
            PinSet.PinnedKey(pin: Pin(subjectPublicKeyInfo: Array("\(number)".utf8)), label: "key")
        }
        switch dimension {
        case .hosts:
            return try PinSet(
                entries: try (0..<count).map {
                    try PinSet.Entry(host: "h\($0).example.com", pins: [pin(2 * $0), pin(2 * $0 + 1)])
                })
        case .pins: return try PinSet(entries: [PinSet.Entry(host: "h0.example.com", pins: (0..<count).map(pin))])
        }
    }
}
