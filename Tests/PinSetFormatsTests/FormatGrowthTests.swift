import Foundation
import TestSupport
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
@Suite(.serialized, .notWithSanitizer) struct FormatGrowthTests {
    enum Dimension: CaseIterable, Sendable {
        case hosts, pins
    }

    private static let size = 160
    private static let factor = 8

    @Test(arguments: PinSetFormat.allCases, Dimension.allCases) func isLinear(
        format: PinSetFormat, dimension: Dimension
    ) throws {
        let (small, large) = (
            try Self.set(dimension, Self.size), try Self.set(dimension, Self.size * Self.factor)
        )
        let inputs = (try Self.inputs(format, small), try Self.inputs(format, large))
        let files = (
            try format.codec.write(small, with: inputs.0), try format.codec.write(large, with: inputs.1)
        )
        try Self.expectLinear("writing") {
            try format.codec.write($0 ? large : small, with: $0 ? inputs.1 : inputs.0).files.count
        }
        guard format.traits.isReadable else { return }
        try Self.expectLinear("reading") { isLarge in
            let writing = isLarge ? files.1 : files.0
            var inputs = isLarge ? inputs.1 : inputs.0
            inputs.host = "h0.example.com"
            inputs.names = writing.files.first { $0.name != nil }?.bytes
            let file = writing.files.first { $0.name == nil } ?? writing.files[0]
            return try format.codec.read(file.bytes, with: inputs).set.entries.count
        }
        guard format.traits.mergesIntoFiles else { return }
        try Self.expectLinear("writing into a file") { isLarge in
            let file = (isLarge ? files.1 : files.0).main
            return try format.codec.write(isLarge ? large : small, into: file).files.count
        }
    }

    private static func expectLinear(_ action: String, _ body: (_ isLarge: Bool) throws -> Int) throws {
        let growth = try Work.growth(
            small: { try #expect(body(false) > 0) }, large: { try #expect(body(true) > 0) })
        #expect(growth < Work.maximumGrowth, "\(action)")
    }

    private static func set(_ dimension: Dimension, _ count: Int) throws -> PinSet {
        func pin(_ number: Int) throws -> PinSet.PinnedKey {
            PinSet.PinnedKey(pin: try certificate(number).pin, label: "key")
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

    /// The certificates of all pins, for formats that need them.
    private static func inputs(_ format: PinSetFormat, _ set: PinSet) throws -> ConversionInputs {
        guard format.traits.writingInputs.contains(.certificates) else { return ConversionInputs() }
        let count = set.entries.reduce(0) { $0 + $1.pins.count }
        return ConversionInputs(certificates: try (0..<count).map(certificate))
    }

    /// A certificate of the test PKI with another P-256 key. Its signature does not match, but no format checks it.
    private static func certificate(_ number: Int) throws -> Certificate {
        let template = try template.get()
        // The last 64 bytes of the SubjectPublicKeyInfo are the two coordinates (RFC 5480, section 2.2).
        var der = template.der
        let digest = Pin(subjectPublicKeyInfo: Array("\(number)".utf8)).bytes
        let coordinates = template.subjectPublicKeyInfo.suffix(64).indices
        der.replaceSubrange(coordinates, with: digest + digest)
        return try Certificate(der: der)
    }

    private static let template = Result { try Certificate(der: TestPKI.shared().bytes("leaf.der")) }
}
