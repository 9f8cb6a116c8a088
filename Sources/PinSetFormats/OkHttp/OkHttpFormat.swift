internal import Encodings
public import PinSetCodec
internal import Pinning

/// OkHttp's `CertificatePinner`: reads Kotlin and Java source and its failure text, writes Kotlin.
enum OkHttpFormat: PinSetCodec {
    static let traits = FormatTraits(
        name: "okhttp", summary: "CertificatePinner: reads Kotlin, Java and its failure message, writes Kotlin",
        fileName: "CertificatePins.kt", fileExtension: ".kt", language: .kotlin, unitesOverlappingHosts: true,
        platforms: [.okhttp],
        capabilities: FormatCapabilities(subdomains: Set(PinSet.Subdomains.allCases), notes: .comments))

    /// Maximum number of pins, more than any real source file has.
    private static let maximumSourceLength = 4 << 20

    static func recognizes(_ file: FileContents) -> Bool {
        guard file.json == nil else { return false }
        return file.bytes.contains(ignoringCase: "certificatepinner")
            || file.bytes.contains(ignoringCase: OkHttpFailure.title)
    }

    // MARK: Reading

    static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        guard bytes.count <= maximumSourceLength else {
            throw error(.okHttp(.tooLong(maximum: maximumSourceLength)))
        }
        var warnings = ConversionWarnings()
        var patterns = OkHttpPatterns()
        if isFailureMessage(bytes) {
            try OkHttpFailure.read(bytes, into: &patterns, &warnings)
        } else {
            try read(OkHttpSource(bytes), into: &patterns, &warnings)
        }
        let entries = try patterns.entries(&warnings)
        guard !entries.isEmpty else {
            throw error(.okHttp(.noPins(warnings.list.first)))
        }
        return PinSetReading(set: try set(entries), warnings: warnings.list)
    }

    /// Whether the text is the message of an exception, and not source.
    static func isFailureMessage(_ bytes: [UInt8]) -> Bool {
        bytes.contains(ignoringCase: OkHttpFailure.title) && !bytes.contains(ignoringCase: "certificatepinner.builder")
    }

    private static func read(
        _ source: OkHttpSource, into patterns: inout OkHttpPatterns, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) {
        guard !source.isTooLong else {
            throw error(.okHttp(.tooManyPins))
        }
        if source.builders > 1 { warnings.add(.builders(source.builders)) }
        for pinning in source.pinnings {
            guard let pattern = pinning.pattern.text else {
                warnings.add(.unknownPattern(pinning.pattern.source, line: pinning.pattern.line))
                continue
            }
            var keys: [PinSet.PinnedKey] = []
            var pinsOnLine: [Int: Int] = [:]
            for pin in pinning.pins { pinsOnLine[pin.line, default: 0] += 1 }
            for pin in pinning.pins {
                guard let text = pin.text else {
                    warnings.add(.unknownPin(pin.source, line: pin.line), of: pattern)
                    continue
                }
                // A comment belongs to the one pin before it.
                let isAlone = pinsOnLine[pin.line] == 1
                let note = isAlone ? source.note(on: pin.line) : nil
                if let key = try key(text, of: pattern, line: pin.line, note: note, &warnings) { keys.append(key) }
            }
            guard !keys.isEmpty else {
                if !pinning.pins.isEmpty {
                    warnings.add(.patternWithoutPins, of: pattern)
                }
                continue
            }
            try patterns.add(pattern, keys, line: pinning.pattern.line)
        }
    }

    /// - Returns: nil for a SHA-1 pin, which OkHttp accepts but a set cannot contain.
    static func key(
        _ text: String, of host: String, line: Int, note: String?, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> PinSet.PinnedKey? {
        guard !text.hasPrefix("sha1/") else {
            warnings.add(.sha1Pin(text), of: host)
            return nil
        }
        guard text.hasPrefix("sha256/") else {
            throw error(.okHttp(.refusedPin(text)), line: line)
        }
        let pin: Pin
        do throws(PinSpellingError) {
            pin = try Pin(spelling: text)
        } catch {
            throw Self.error(.pin(error), line: line)
        }
        return PinSet.PinnedKey(pin: pin, note: note)
    }

    // MARK: Writing

    static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        let entries = try traits.capabilities.writable(set, as: format, &warnings)
        warnOfPooling(entries, &warnings)
        var text = """
            import okhttp3.CertificatePinner

            val certificatePinner: CertificatePinner = CertificatePinner.Builder()

            """
        for entry in entries {
            for pattern in patterns(of: entry) {
                text += "    .add(\n        \"\(pattern)\",\n"
                for (index, key) in entry.pins.enumerated() {
                    text += "        \"sha256/\(key.pin.base64)\"\(index < entry.pins.count - 1 ? "," : "")"
                    text += PinComment(key).text.map { " // \($0)\n" } ?? "\n"
                }
                text += "    )\n"
            }
        }
        return PinSetWriting(text + "    .build()\n", warnings)
    }

    /// The patterns of an entry. `*.` excludes the host itself, so an entry with one label of subdomains needs two patterns; `**.`
    /// includes it.
    private static func patterns(of entry: WritableEntry) -> [String] {
        switch entry.subdomains {
        case .none: [entry.host]
        case .one: [entry.host, "*.\(entry.host)"]
        case .all: ["**.\(entry.host)"]
        }
    }

    /// Adds warnings. In a set, one entry decides for its host; OkHttp also accepts the pins of the entries above it.
    private static func warnOfPooling(_ entries: [WritableEntry], _ warnings: inout ConversionWarnings) {
        var byHost: [String: WritableEntry] = [:]
        for entry in entries { byHost[entry.host] = entry }
        for entry in entries where IPAddress(entry.host) == nil {
            let own = Set(entry.pins.map(\.pin))
            var parent = entry.host[...]
            var depth = 0
            while let dot = parent.firstIndex(of: ".") {
                parent = parent[dot...].dropFirst()
                depth += 1
                guard let above = byHost[String(parent)],
                    above.subdomains == .all || above.subdomains == .one && depth == 1,
                    !above.pins.allSatisfy({ own.contains($0.pin) })
                else { continue }
                warnings.add(.pinsPooled(with: above.host), of: entry.entry.host)
            }
        }
    }
}

extension PinSetFormat {
    public static let okhttp = PinSetFormat(OkHttpFormat.self)
}
