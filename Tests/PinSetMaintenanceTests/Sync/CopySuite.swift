import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning

/// Tests of copies of a pin set.
protocol CopySuite {}

extension CopySuite {
    static var x1: String { "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=" }
    static var x2: String { "diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI=" }
    static var x3: String { "MCTfuNhcFTV1jWjJyAS5+QB/pJyf+cXujCWTAXRQ3DE=" }

    func set(_ hosts: String) throws -> PinSet {
        try PinSet(json: Array("{\"version\":1,\"hosts\":{\(hosts)}}".utf8))
    }

    func expectEqual(_ comparison: CopyComparison) {
        guard case .equal = comparison.outcome, comparison.differences.isEmpty else {
            Issue.record("\(comparison.differences.map(\.message)) \(comparison.outcome)")
            return
        }
    }
}

/// A folder with one copy that `pinctl sync` wrote.
struct CopyFolder {
    var main: [UInt8]?
    var others: [String: [UInt8]] = [:]

    func compared(
        with set: PinSet, as format: PinSetFormat?, others fate: OtherHosts = .removed, overwrites: Bool = false,
        fileName: String? = nil
    ) throws(PinSetCopyError) -> CopyComparison {
        let copy = try PinSetCopy(
            of: set, as: format, fileName: fileName ?? format?.fileName ?? "file", contents: main, others: fate,
            overwrites: overwrites, with: ConversionInputs(date: Timestamp(secondsSince1970: 1_790_000_000)))
        let others = others
        return try copy.compared(with: main) { others[$0] }
    }

    mutating func write(_ comparison: CopyComparison) throws {
        guard case .write(let files) = comparison.outcome else {
            Issue.record("not written: \(comparison.outcome)")
            return
        }
        for file in files {
            if let name = file.name { others[name] = file.bytes } else { main = file.bytes }
        }
    }
}
