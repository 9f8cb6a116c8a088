internal import Encodings
public import PinSetCodec
internal import Pinning

/// Pins for Cronet's `CronetEngine.Builder`, and for Android's `HttpEngine.Builder`, which has the same method. pinctl reads Kotlin
/// and Java, and writes Kotlin.
enum CronetFormat: InputReadingCodec {
    static let traits = FormatTraits(
        name: "cronet", summary: "addPublicKeyPins of Cronet: reads Kotlin and Java, writes Kotlin",
        fileName: "CronetPins.kt", language: .kotlin, readingInputs: [.host], platforms: [.cronet],
        capabilities: FormatCapabilities(
            subdomains: [.none, .all], expiry: .instant, notes: .comments, takesAddresses: false))

    static func recognizes(_ file: FileContents) -> Bool {
        guard file.json == nil, file.bytes.has(CronetReader.method) else { return false }
        return CronetReader(file.bytes, host: nil).hasCalls
    }

    static func read(_ bytes: [UInt8], with inputs: ConversionInputs) throws(PinSetFormatError) -> PinSetReading {
        var reader = CronetReader(bytes, host: inputs.host)
        return try reader.reading()
    }

    static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        let entries = try writable(set, &warnings)
        guard !entries.isEmpty || set.entries.isEmpty else { throw FormatCapabilities.nothing(to: format, warnings) }
        ClosestEntry.addWarnings(for: entries, &warnings)
        return PinSetWriting(text(entries), warnings)
    }

    /// The entries of the set that the format can express.
    static func writable(
        _ set: PinSet, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [WritableEntry] {
        var entries: [WritableEntry] = []
        for entry in try traits.capabilities.writable(set, as: format, &warnings) {
            // The builder follows STD 3, which does not allow underscores in names.
            guard !entry.host.contains("_") else {
                warnings.add(.hostWithUnderscore, of: entry.entry.host)
                continue
            }
            entries.append(entry)
        }
        return entries
    }

    private static func text(_ entries: [WritableEntry]) -> String {
        var text = """
            import android.util.Base64
            import java.util.Date
            import org.chromium.net.CronetEngine

            private fun pin(base64: String): ByteArray = Base64.decode(base64, Base64.DEFAULT)

            fun CronetEngine.Builder.addPins(): CronetEngine.Builder {
                // Without this call, the pins do not apply to CAs that a user has installed on the device.
                enablePublicKeyPinningBypassForLocalTrustAnchors(false)

            """
        for entry in entries {
            text += "    addPublicKeyPins(\n        \"\(entry.host)\",\n        setOf(\n"
            for (index, key) in entry.pins.enumerated() {
                text += "            pin(\"\(key.pin.base64)\")\(index < entry.pins.count - 1 ? "," : "")"
                text += PinComment(key).text.map { " // \($0)\n" } ?? "\n"
            }
            let expires = entry.expires ?? endOfTime
            let (milliseconds, overflows) = expires.secondsSince1970.multipliedReportingOverflow(by: 1000)
            text += "        ),\n        \(entry.subdomains == .all), // include subdomains\n"
            text += "        Date(\(overflows ? Int64.max : milliseconds)L) // "
            text += entry.expires.map { "\($0.spelled)\n" } ?? "no end: the last second of the year 9999\n"
            text += "    )\n"
        }
        return text + "    return this\n}\n"
    }

    /// The expiry to write for an entry without one, because Cronet requires an expiry: the last second of the year 9999.
    static let endOfTime = Timestamp(secondsSince1970: 253_402_300_799)
}

/// The rule of Chromium's network stack: only the closest entry applies to a host. If that entry does not cover the host, the host
/// is not pinned.
enum ClosestEntry {
    static func addWarnings(for entries: [WritableEntry], _ warnings: inout ConversionWarnings) {
        var byHost: [String: WritableEntry] = [:]
        for entry in entries { byHost[entry.host] = entry }
        for entry in entries where entry.subdomains == .none {
            var parent = entry.host[...]
            while let dot = parent.firstIndex(of: ".") {
                parent = parent[dot...].dropFirst()
                guard let above = byHost[String(parent)] else { continue }
                if above.subdomains == .all {
                    warnings.add(.subdomainsHidden(of: above.host), of: entry.entry.host)
                }
                break
            }
        }
    }
}

extension PinSetFormat {
    public static let cronet = PinSetFormat(CronetFormat.self)
}
