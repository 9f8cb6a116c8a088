internal import Encodings
public import PinSetCodec
internal import Pinning

/// The headers of HTTP Public Key Pinning: `Public-Key-Pins`, and `Public-Key-Pins-Report-Only` (RFC 7469).
///
/// A header contains no host. So the host is an input, or it is in a comment on the line before, `# example.com`, which pinctl
/// writes if the set has several hosts.
enum HPKPFormat: InputReadingCodec, InputWritingCodec {
    static let traits = FormatTraits(
        name: "hpkp", summary: "the Public-Key-Pins header", fileName: "hpkp.txt", readingInputs: [.host],
        writingInputs: [.host], generatedFile: .lines,
        platforms: [.hpkp], lintRules: [.minimumPins(consequence: "the header is ignored")],
        capabilities: FormatCapabilities(
            subdomains: [.none, .all], supportsReportOnly: true, takesAddresses: false, minimumPins: 2))

    static func recognizes(_ file: FileContents) -> Bool {
        if let json = file.json { return json.hasOuter(reportKey) }
        return file.bytes.contains(ignoringCase: "pin-sha256=")
    }

    /// The pins in a report (RFC 7469, section 3).
    private static let reportKey = "known-pins"

    // MARK: Reading

    static func read(
        _ bytes: [UInt8], with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetReading {
        if JSONOutline(bytes)?.hasOuter(reportKey) ?? false { return try read(report: bytes, inputs.host) }
        var warnings = ConversionWarnings()
        var entries: [PinSet.Entry] = []
        var known: Set<String> = []
        var problem: PinSetFormatError?
        for header in HPKPHeader.all(in: bytes) {
            if header.problem != nil, !header.hasName {
                // The text may be prose about headers that contains parts of one, so the first problem is only reported if no
                // header is found.
                problem = problem ?? error(header.problem ?? .hpkp(.noPins), line: header.line)
                continue
            }
            guard let host = header.host ?? inputs.host else {
                throw error(.noHost(of: .header), line: header.line)
            }
            if let reason = header.problem {
                // A browser ignores this header.
                warnings.add(.headerIgnored(line: header.line), of: host)
                problem = problem ?? error(reason, at: SourcePosition(line: header.line, column: 1))
                continue
            }
            let entry = try entry(header, of: host, &warnings)
            // A browser uses only the first header of a name (section 2.3.1), and a set has one entry for each host.
            guard known.insert(entry.name).inserted else {
                warnings.add(.duplicateHeader(line: header.line), of: host)
                continue
            }
            if let fault = header.fault, !header.removesPins {
                warnings.add(.headerNotConforming(fault, line: header.line), of: host)
            }
            entries.append(entry)
        }
        if entries.isEmpty {
            let commented = HPKPHeader.commented(in: bytes)
            guard problem == nil, !commented.isEmpty else { throw problem ?? error(.hpkp(.noHeader)) }
            for line in commented { warnings.add(.headerInComment(line: line)) }
            warnings.add(.nothingPinned)
        }
        return PinSetReading(set: try set(entries), warnings: warnings.list)
    }

    /// Reads a failure report, which contains the pins of the host.
    private static func read(report bytes: [UInt8], _ given: String?) throws(PinSetFormatError) -> PinSetReading {
        var warnings = ConversionWarnings()
        let root = try document(bytes)
        var pins = PinnedKeyList()
        var host = given
        var includesSubdomains = false
        for member in try members(of: root, .file) {
            switch member.key {
            case "noted-hostname" where given == nil: host = try string(member.value, .key(member.key))
            case "include-subdomains": includesSubdomains = try bool(member.value, .key(member.key))
            case reportKey:
                for value in try values(of: member.value, .key(member.key)) {
                    let text = try string(value, .member(of: .key(member.key)))
                    pins.add(PinSet.PinnedKey(pin: try pin(text, at: value.position)))
                }
            default: break
            }
        }
        guard let host else { throw error(.noHost(of: .pins), at: root.position) }
        warnings.add(.readFromReport)
        guard !pins.isEmpty else { throw error(.hpkp(.noPins), at: root.position) }
        let entry = try entry(
            host, subdomains: includesSubdomains ? .all : .none, pins: pins.keys, at: root.position)
        return PinSetReading(set: try set([entry]), warnings: warnings.list)
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
                warnings.add(.maximumAge(directive.isZero ? "0" : directive.value ?? ""), of: host)
            default:
                let value = directive.value.map { "=\($0.boundedWithoutPrivateKeys)" } ?? ""
                warnings.add(.notRepresented((directive.name + value).quotedExcerpt), of: host)
            }
        }
        return try entry(
            host, subdomains: includesSubdomains ? .all : .none, enforce: !header.isReportOnly, pins: pins.keys,
            at: place)
    }

    // MARK: Writing

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
