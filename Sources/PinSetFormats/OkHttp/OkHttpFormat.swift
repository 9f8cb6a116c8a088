internal import Encodings
public import PinSetCodec
internal import Pinning

/// OkHttp's `CertificatePinner`. pinctl reads Kotlin and Java source code and the message of OkHttp's exception, and writes Kotlin.
enum OkHttpFormat: InputReadingCodec {
    static let traits = FormatTraits(
        name: "okhttp", summary: "CertificatePinner: reads Kotlin, Java and its failure message, writes Kotlin",
        fileName: "CertificatePins.kt", fileExtension: ".kt", language: .kotlin, readingInputs: [.host, .sources],
        unitesOverlappingHosts: true,
        platforms: [.okhttp],
        capabilities: FormatCapabilities(subdomains: Set(PinSet.Subdomains.allCases), notes: .comments))

    /// Maximum number of bytes, more than any real source file has.
    private static let maximumSourceLength = 4 << 20

    static func recognizes(_ file: FileContents) -> Bool {
        guard file.json == nil else { return OkHttpPinMap.isLikely(file) }
        if OkHttpResources.hasPins(file.bytes) { return true }
        // A file in XML may mention the class in a comment.
        guard file.bytes.first(where: { !$0.isWhiteSpace }) != UInt8(ascii: "<") else { return false }
        guard !TrustKitFormat.isSource(file.bytes) else { return false }
        return file.bytes.contains(ignoringCase: "certificatepinner")
            || file.bytes.contains(ignoringCase: OkHttpFailure.title) || isConstantsFile(file.bytes)
    }

    /// Whether the text is Kotlin or Java with pins in string literals.
    private static func isConstantsFile(_ bytes: [UInt8]) -> Bool {
        (bytes.has("\"sha256/") || bytes.has("\"sha1/"))
            && ["val ", "fun ", "class ", "String "].contains(where: bytes.has)
            && !["=>", "require(", "function ", "kTSK", "#import"].contains(where: bytes.has)
    }

    // MARK: Reading

    static func read(
        _ bytes: [UInt8], with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetReading {
        guard bytes.count + inputs.sources.reduce(0, { $0 + $1.count }) <= maximumSourceLength else {
            throw error(.okHttp(.tooLong(maximum: maximumSourceLength)))
        }
        var reader = OkHttpReader(host: inputs.host)
        if isFailureMessage(bytes) {
            try OkHttpFailure.read(bytes, into: &reader)
        } else if JSONOutline(bytes) != nil {
            try reader.read(pinnings: try OkHttpPinMap.pinnings(bytes))
        } else if OkHttpResources.isLikely(bytes) {
            try reader.read(literals: OkHttpResources(bytes).pins)
        } else {
            var others = OkHttpConstants()
            for source in inputs.sources {
                if OkHttpResources.isLikely(source) {
                    others.add(try OkHttpResources(source).constants, of: [])
                } else {
                    let source = OkHttpSource(source, others: others)
                    try source.checkLimits()
                    others.add(source.ownConstants, of: source.owners, unknown: source.unknownNames)
                }
            }
            try reader.read(OkHttpSource(bytes, others: others))
        }
        return try reader.reading()
    }

    /// Whether the text is the message of OkHttp's exception and not source code.
    static func isFailureMessage(_ bytes: [UInt8]) -> Bool {
        bytes.contains(ignoringCase: OkHttpFailure.title) && !bytes.contains(ignoringCase: "certificatepinner.builder")
    }

    // MARK: Writing

    static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        let entries = try traits.capabilities.writable(set, as: format, &warnings)
        warnAboutCombinedPins(entries, &warnings)
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

    /// The patterns of an entry. `*.` does not match the host itself, so an entry that covers one more label needs two patterns.
    /// `**.` matches the host too.
    private static func patterns(of entry: WritableEntry) -> [String] {
        switch entry.subdomains {
        case .none: [entry.host]
        case .one: [entry.host, "*.\(entry.host)"]
        case .all: ["**.\(entry.host)"]
        }
    }

    /// Adds warnings about hosts that several entries cover. In a set, one entry applies to a host; OkHttp also accepts the pins of
    /// entries for parent domains.
    private static func warnAboutCombinedPins(_ entries: [WritableEntry], _ warnings: inout ConversionWarnings) {
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
