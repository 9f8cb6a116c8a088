import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// `sync` replaces a whole file only if the file contains nothing but the text that pinctl writes, in every format.
@Suite struct GeneratedFileTests {
    /// The text that must stay in each file, as a name, so that no format reads it as a pin or a host.
    private static let mark = "keep_4711"

    /// Text in the syntaxes of all formats.
    private static let additions = [
        "# \(mark)", "# \(mark) by hand", "#\(mark)", "// \(mark)", "/* \(mark) */", "; \(mark)", "<!-- \(mark) -->",
        mark,
        "\(mark)();", "import \(mark)", "\"\(mark)\": true,", ",\"\(mark)\": true", "\(mark): true", "- \(mark)",
        "{ \(mark)",
        "export const \(mark) = 1;", "Public-Key-Pins: \(mark)", "\(mark). IN TXT \"x\"", "--\(mark)",
        "\n\(mark)\n", "'''\(mark)'''",
    ]

    /// Code around an object in a file of an app.
    private static let wrappers = [
        ("import x from 'y';\nawait initializeSslPinning(", ");\n\(mark)();\n"),
        ("module.exports = ", ";\n// \(mark)\n"),
        ("const \(mark) = require('x');\nexport const pins = ", ";\n"), ("const pins = ", "; \(mark)\n"),
        ("{\"\(mark)\": {\"extra\": ", "}}\n"), ("{\"expo\": {\"\(mark)\": 1, \"extra\": {\"pinning\": ", "}}}\n"),
        ("[\"\(mark)\", ", "]\n"),
    ]

    private let certificates: [Certificate]

    init() throws {
        certificates = try Vectors.certificates.map { try Certificate(der: Vectors.bytes($0.file)) }
            .filter { $0.notAfter != nil && $0.subject?.commonName?.isEmpty == false }
        try #require(certificates.count > 2)
    }

    private func set(_ indices: Int..., role: String = "leaf") throws -> PinSet {
        let pins = indices.map { index in
            "{\"sha256\":\"\(certificates[index].pin.base64)\",\"role\":\"\(role)\"}"
        }
        return try PinSet(
            json: Array("{\"version\":1,\"hosts\":{\"a.example\":{\"pins\":[\(pins.joined(separator: ","))]}}}".utf8))
    }

    private var inputs: ConversionInputs {
        ConversionInputs(certificates: certificates, date: Timestamp(secondsSince1970: 1_790_000_000))
    }

    /// The files that a run writes over `file`; nil if it refuses.
    private func written(
        over file: [UInt8], of set: PinSet, as format: PinSetFormat, beside others: [String: [UInt8]]
    ) -> [PinSetWriting.File]? {
        guard
            let copy = try? PinSetCopy(
                of: set, as: format, fileName: format.fileName, contents: file, with: inputs),
            let comparison = try? copy.compared(with: file, beside: { others[$0] }),
            case .write(let files) = comparison.outcome
        else { return nil }
        return files
    }

    /// Adds text at each line of a file that pinctl wrote, and around the file.
    @Test(arguments: PinSetFormat.allCases) func keepsOtherText(format: PinSetFormat) throws {
        // In a file that keeps its other contents, a comment before a pin that goes would be the label of that pin.
        let role = ["kubeadm", "elastic"].contains(format.rawValue) ? "ca" : "leaf"
        let old = try set(0, 1, role: role)
        let new = format.traits.mergesIntoFiles ? try set(0, 1, 2) : try set(2, 0, role: role)
        let writing = try old.written(as: format, with: inputs)
        var others: [String: [UInt8]] = [:]
        for file in writing.files {
            if let name = file.name { others[format.traits.sidecar?.name(for: format.fileName) ?? name] = file.bytes }
        }
        let main = writing.main
        // Without other text, the file is replaced. pinctl cannot read some formats, and does not know its own text there.
        if format.traits.isReadable || format.traits.readBy != nil {
            #expect(written(over: main, of: new, as: format, beside: others) != nil)
        }

        let lineEnds = main.indices.filter { main[$0] == UInt8(ascii: "\n") }
        let offsets = main.first == 0x30 ? [0, main.count] : [0] + lineEnds.flatMap { [$0, $0 + 1] } + [main.count]
        var files: [[UInt8]] = []
        for (index, addition) in Self.additions.enumerated() {
            // In a long file, each text is added at a part of the lines. The step is odd, so that a text reaches ends and starts
            // of lines. All texts together reach each line while the step is at most their number.
            let step = max(1, offsets.count / (TestEnvironment.runsAllRounds ? 20 : 8)) | 1
            let count = files.count
            let some = stride(from: index % step, to: offsets.count, by: step).map { offsets[$0] }
            // A comment behind a pin is its label, in these formats.
            let isLabel =
                addition.hasPrefix("//") && format.traits.language != nil || addition.hasPrefix(";") && format == .tlsa
            for offset in some where !isLabel || offset == 0 || main[offset - 1] == UInt8(ascii: "\n") {
                let isAtLineStart = offset == 0 || main[offset - 1] == UInt8(ascii: "\n")
                let text = Array((isAtLineStart ? addition + "\n" : " " + addition).utf8)
                files.append(main[..<offset] + text + main[offset...])
            }
            #expect(files.count > count, "\(addition)")
        }
        for (before, after) in Self.wrappers { files.append(Array(before.utf8) + main + Array(after.utf8)) }
        var refused = 0
        for file in files {
            guard let result = written(over: file, of: new, as: format, beside: others) else {
                refused += 1
                continue
            }
            let bytes = result.first { $0.name == nil }?.bytes ?? []
            #expect(bytes.contains(ignoringCase: Self.mark), "\(String(decoding: file, as: UTF8.self))")
        }
        #expect(format.traits.mergesIntoFiles || refused > 20)
    }

    /// Names and notes around certificates, as other programs write them, are no certificates.
    @Test(arguments: ["subject=CN = a\n%", "%\n# keep\n", "%\n%\n# keep\n%"])
    func keepsTextAroundCertificates(layout: String) throws {
        let pem = PEM.certificate(certificates[0].der)
        let file = Array(layout.replacing("%", with: pem).utf8)
        for format in [PinSetFormat.certificatesPEM, .certificates] {
            #expect(written(over: file, of: try set(1), as: format, beside: [:]) == nil)
            // Other line ends and line lengths are no other text.
            let body = Base64.encode(certificates[0].der)
            let other = "-----BEGIN CERTIFICATE-----\r\n\(body)\r\n-----END CERTIFICATE-----\r\n"
            #expect(written(over: Array(other.utf8), of: try set(1), as: format, beside: [:]) != nil)
        }
    }

    /// Behind a record of a zone is the label of its pin. In other formats, there are no comments.
    @Test(arguments: [PinSetFormat.curl, .hpkp], [" ; ls", " ; report-uri=\"https://r.example/\"", " ;"])
    func keepsTextBehindLines(format: PinSetFormat, text: String) throws {
        let line = try set(0, 1).written(as: format, with: inputs).main.dropLast()
        #expect(written(over: line + Array((text + "\n").utf8), of: try set(0, 2), as: format, beside: [:]) == nil)
    }

    /// A new copy replaces the file of names beside it only if pinctl wrote that file.
    @Test(arguments: [true, false]) func keepsCompanionFiles(isNew: Bool) throws {
        let (set, format) = (try set(0, 1), PinSetFormat.chromium)
        let copy = try PinSetCopy(
            of: set, as: format, fileName: format.fileName, contents: nil, with: inputs)
        let companions = try copy.fresh().files.filter { $0.name != nil }
        #expect(!companions.isEmpty)
        for file in companions {
            let name = try #require(file.name)
            for (contents, isWritten) in [
                (Array("my notes".utf8), false), (file.bytes + Array("\n# x\n".utf8), false), ([], true),
                (file.bytes, true),
            ] {
                let comparison = try copy.compared(with: isNew ? nil : []) { $0 == name ? contents : nil }
                if case .write = comparison.outcome { #expect(isWritten) } else { #expect(!isWritten) }
            }
        }
    }
}
