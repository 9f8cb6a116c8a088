internal import Encodings
public import PinSetCodec
internal import Pinning

/// The headers of HTTP Public Key Pinning: `Public-Key-Pins`, and `Public-Key-Pins-Report-Only` (RFC 7469).
///
/// A header names no host. The host is an input, or in a comment on the line before: `# example.com`, which is
/// written for a set of several hosts.
enum HPKPFormat: PinSetCodec {
    static let traits = FormatTraits(
        name: "hpkp", summary: "the Public-Key-Pins header", fileName: "hpkp.txt", readingInputs: [.host],
        writingInputs: [.host], generatedFile: .lines,
        platforms: [.hpkp], lintRules: [.minimumPins(consequence: "the header is ignored")],
        capabilities: FormatCapabilities(
            subdomains: [.none, .all], saysReportOnly: true, takesAddresses: false, minimumPins: 2))

    static func recognizes(_ file: FileContents) -> Bool {
        guard file.json == nil else { return false }
        return file.bytes.contains(ignoringCase: "pin-sha256=")
    }

    // MARK: Reading

    static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        try read(bytes, with: ConversionInputs())
    }

    static func read(
        _ bytes: [UInt8], with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetReading {
        var warnings = ConversionWarnings()
        var entries: [PinSet.Entry] = []
        var known: Set<String> = []
        for header in HPKPHeader.all(in: bytes) {
            guard let host = header.host ?? inputs.host else {
                throw error(.noHost(of: .header), line: header.line)
            }
            let entry = try entry(header, of: host, &warnings)
            // A browser uses the first header of a name (section 2.3.1), and a set has one entry for a host.
            guard known.insert(entry.name).inserted else {
                warnings.add(.duplicateHeader(line: header.line), of: host)
                continue
            }
            entries.append(entry)
        }
        guard !entries.isEmpty else {
            throw error(.hpkp(.noHeader))
        }
        return PinSetReading(set: try set(entries), warnings: warnings.list)
    }

    private static func entry(
        _ header: HPKPHeader, of host: String, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> PinSet.Entry {
        var pins = PinnedKeyList()
        var includesSubdomains = false
        let place = SourcePosition(line: header.line, column: 1)
        for directive in header.directives {
            switch directive.name {
            case "pin-sha256":
                pins.add(PinSet.PinnedKey(pin: try pin(directive.value ?? "", at: place)))
            case "includesubdomains": includesSubdomains = true
            case "max-age":
                warnings.add(.maximumAge(directive.value ?? ""), of: host)
            default:
                let value = directive.value.map { "=\($0.bounded)" } ?? ""
                warnings.add(.notRepresented((directive.name + value).quotedExcerpt), of: host)
            }
        }
        guard !pins.isEmpty else {
            throw error(.hpkp(.noPins), at: place)
        }
        return try entry(
            host, subdomains: includesSubdomains ? .all : .none, enforce: !header.isReportOnly, pins: pins.keys,
            at: place)
    }

    // MARK: Writing

    static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        try write(set, with: ConversionInputs())
    }

    static func write(
        _ set: PinSet, with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        let set = try set.only(inputs.host, as: format)
        let entries = try traits.capabilities.writable(set, as: format, &warnings)
        var text = ""
        for entry in entries {
            if set.entries.count > 1 { text += "# \(entry.host)\n" }
            text += entry.entry.enforce ? "Public-Key-Pins: " : "Public-Key-Pins-Report-Only: "
            for key in entry.pins { text += "pin-sha256=\"\(key.pin.base64)\"; " }
            text += "max-age=\(maximumAge)"
            text += entry.subdomains == .all ? "; includeSubDomains\n" : "\n"
        }
        return PinSetWriting(text, warnings)
    }

    /// Sixty days, in seconds, as in the examples of RFC 7469, section 2.1.5.
    private static let maximumAge = 5_184_000
}

extension PinSetFormat {
    public static let hpkp = PinSetFormat(HPKPFormat.self)
}
