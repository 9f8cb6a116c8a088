internal import PinSetCodec
internal import PinSetFormats
internal import PinSetMaintenance
internal import Pinning

/// The promises of `sync`: a file that was written has no difference, and the text outside the markers stays.
package enum SyncPromise {
    /// The promise that an update of `bytes` breaks; nil if it breaks none.
    package static func violation(in bytes: [UInt8]) -> String? {
        _ = try? SyncManifest(json: bytes)
        var choices = InputChoices(bytes)
        let recognized = try? PinSetFormat.recognized(in: bytes)
        let formats = PinSetFormat.allCases.filter { !$0.traits.writingInputs.contains(.certificates) }
        guard
            let format = Bool.random(using: &choices) && recognized != nil
                ? recognized : formats.randomElement(using: &choices)
        else { return nil }
        return violation(in: bytes, as: format)
    }

    /// The same for one format.
    ///
    /// - Parameter name: the name of the format.
    package static func violation(in bytes: [UInt8], as name: String) -> String? {
        PinSetFormat(rawValue: name).flatMap { violation(in: bytes, as: $0) }
    }

    private static let sets: [PinSet] = [
        #""a.example":["C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=","MCTfuNhcFTV1jWjJyAS5+QB/pJyf+cXujCWTAXRQ3DE="]"#,
        #""a.example":["C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=","diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI="],"#
            + #""b.example":["MCTfuNhcFTV1jWjJyAS5+QB/pJyf+cXujCWTAXRQ3DE=","diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI="]"#,
    ].compactMap { try? PinSet(json: Array("{\"version\":1,\"hosts\":{\($0)}}".utf8)) }

    private static func violation(in bytes: [UInt8], as format: PinSetFormat) -> String? {
        for set in sets {
            guard let comparison = try? compared(bytes, with: set, as: format, [:]),
                case .write(let files) = comparison.outcome,
                let main = files.first(where: { $0.name == nil })?.bytes
            else { continue }
            guard !comparison.differences.isEmpty else { return "\(format): an equal file is written" }
            var others: [String: [UInt8]] = [:]
            for file in files { if let name = file.name { others[name] = file.bytes } }
            guard let again = try? compared(main, with: set, as: format, others), case .equal = again.outcome else {
                return "\(format): a written file has differences\n\(String(decoding: main, as: UTF8.self))"
            }
            if format.traits.language != nil, let problem = markerProblem(bytes, main) {
                return "\(format): \(problem)"
            }
        }
        return nil
    }

    private static func compared(
        _ bytes: [UInt8], with set: PinSet, as format: PinSetFormat, _ others: [String: [UInt8]]
    ) throws -> CopyComparison {
        let copy = try PinSetCopy(
            of: set, as: format, fileName: format.fileName, contents: bytes,
            with: ConversionInputs(date: Timestamp(secondsSince1970: 1_790_000_000)))
        return try copy.compared(with: bytes) { others[$0] }
    }

    /// Compares the text before and after the markers, if each marker is in the file once.
    private static func markerProblem(_ old: [UInt8], _ new: [UInt8]) -> String? {
        let (old, new) = (String(decoding: old, as: UTF8.self), String(decoding: new, as: UTF8.self))
        let parts = old.split(separator: "// pinctl:begin\n", omittingEmptySubsequences: false)
        guard parts.count == 2, !old.lowercased().dropLast(parts[1].utf8.count).contains("pinctl:end") else {
            return nil
        }
        let rest = parts[1].split(separator: "// pinctl:end\n", omittingEmptySubsequences: false)
        guard rest.count == 2, old.lowercased().split(separator: "pinctl:", omittingEmptySubsequences: false).count == 3
        else {
            return nil
        }
        return new.hasPrefix(parts[0] + "// pinctl:begin\n") && new.hasSuffix("// pinctl:end\n" + rest[1])
            ? nil : "text outside the markers changed"
    }
}
