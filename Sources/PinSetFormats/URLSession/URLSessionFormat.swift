internal import Encodings
public import PinSetCodec
internal import Pinning

/// A `URLSessionDelegate` in Swift that checks the pins by the rules of a pin set. pinctl does not read this format.
///
/// The set is a table in the source, which supports roles, expiry and report-only hosts.
enum URLSessionFormat: PinSetCodec {
    static let traits = FormatTraits(
        name: "urlsession", summary: "a URLSession delegate in Swift; write-only",
        fileName: "PinningDelegate.swift", isReadable: false, language: .swift,
        capabilities: FormatCapabilities(
            subdomains: Set(PinSet.Subdomains.allCases), expiry: .instant, supportsReportOnly: true,
            roles: Set(PinSet.AllowedRole.allCases), notes: .comments))

    static func recognizes(_ file: FileContents) -> Bool {
        file.bytes.contains(ignoringCase: "urlsessiondelegate")
            && file.bytes.contains(ignoringCase: "didreceive challenge")
    }

    static func read(_: [UInt8]) throws(PinSetFormatError) -> PinSetReading { throw unreadable() }

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
