internal import Encodings
public import PinSetCodec
internal import Pinning

/// A `URLSessionDelegate` in Swift that checks the pins by the rules of a pin set.
///
/// The set is a table in the source, which supports roles, expiry and report-only hosts. In other Swift source with pins, pinctl
/// reads the pins and their hosts.
enum URLSessionFormat: InputReadingCodec {
    static let traits = FormatTraits(
        name: "urlsession", summary: "a URLSession delegate in Swift", fileName: "PinningDelegate.swift",
        language: .swift, readingInputs: [.host],
        capabilities: FormatCapabilities(
            subdomains: Set(PinSet.Subdomains.allCases), expiry: .instant, supportsReportOnly: true,
            roles: Set(PinSet.AllowedRole.allCases), notes: .comments))

    static func recognizes(_ file: FileContents) -> Bool {
        guard file.json == nil, file.bytes.has("URLSession"), !TrustKitFormat.isSource(file.bytes) else { return false }
        if file.bytes.has("URLSessionDelegate"), file.bytes.has("didReceive challenge") { return true }
        return file.bytes.has("import Foundation") && file.bytes.has("=\"")
            && URLSessionReader(file.bytes, host: nil).hasPins
    }

    static func read(_ bytes: [UInt8], with inputs: ConversionInputs) throws(PinSetFormatError) -> PinSetReading {
        var reader = URLSessionReader(bytes, host: inputs.host)
        return try reader.reading()
    }

    static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        let entries = try traits.capabilities.writable(set, as: format, &warnings)
        return PinSetWriting(URLSessionSource.head + table(entries) + URLSessionSource.tail, warnings)
    }

    private static func table(_ entries: [WritableEntry]) -> String {
        guard !entries.isEmpty else { return "    private static let entries: [String: Entry] = [:]\n" }
        var text = "    private static let entries: [String: Entry] = [\n"
        for entry in entries {
            text += "        \"\(entry.host)\": Entry(\n"
            text += "            subdomains: .\(entry.subdomains.rawValue),\n            expires: "
            text +=
                entry.expires.map { "Date(timeIntervalSince1970: \($0.secondsSince1970)), // \($0.spelled)\n" }
                ?? "nil,\n"
            text += "            enforce: \(entry.entry.enforce),\n            pins: [\n"
            for key in entry.pins {
                text += "                Pin(sha256: \"\(key.pin.base64)\", role: .\(key.role.rawValue)),"
                text += PinComment(key).text.map { " // \($0)\n" } ?? "\n"
            }
            text += "            ]),\n"
        }
        return text + "    ]\n"
    }
}

extension PinSetFormat {
    public static let urlsession = PinSetFormat(URLSessionFormat.self)
}
