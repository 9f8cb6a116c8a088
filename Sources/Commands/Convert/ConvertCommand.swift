internal import Arguments
internal import Encodings
internal import PinSetFormats
internal import Pinning

/// `pinctl convert`: converts a pin set from one format to another.
enum ConvertCommand {
    static let file = Operand.one(Value.path("FILE"), help: "a pin set in any readable format; - is standard input")

    static let to = Option.required(
        "to", short: "t", takes: .choice(PinSetFormat.self, "FORMAT"), help: "output format"
    )
    static let fromFormat = Option.optional(
        "from-format", takes: .choice(PinSetFormat.self, "FORMAT"),
        help: "format of FILE (default: detected from the contents)"
    )
    static let strict = Option.flag("strict", help: "fail if a setting has no equivalent in the format; write nothing")
    static let output = Option.optional(
        "output", short: "o", takes: Value.path("PATH"),
        help: "write to a file, or several files to a folder (PATH/)"
    )
    static let into = Option.optional(
        "into", takes: Value.path("PATH"), conflicts: [output],
        help: "update the pins in an existing file, and keep the rest of it (apple, android, trustkit)"
    )
    static let host = Option.optional(
        "host", takes: Value.text("NAME"),
        help: "host of the pins that are read or written, for formats that name no host (hpkp, curl, tlsa)"
    )
    static let certificates = Option.repeated(
        "certificates", takes: Value.path("FILE|DIR"),
        help: "pinned certificates, for formats without SPKI pins (alamofire, wultra)"
    )
    static let names = Option.optional(
        "names", takes: Value.path("FILE"),
        help: "Chromium's file of pin names (default: the .pins file beside the .json file)"
    )
    static let sign = Option.optional(
        "sign", takes: Value.path("KEY"), help: "sign with this P-256 private key, PEM or DER (wultra)"
    )
    static let signedBy = Option.optional(
        "signed-by", takes: Value.path("KEY"),
        help: "verify signatures with this P-256 public key, PEM or DER (wultra)"
    )

    static let command = Command(
        "convert", summary: "convert a pin set to another format", operands: file,
        options: [
            OptionGroup("Output", [to, strict, output, into]),
            OptionGroup("Input", [fromFormat, host, certificates, names]),
            OptionGroup("Signatures", [sign, signedBy]),
        ],
        examples: [
            Example("pinctl convert --to okhttp pins.json", "Kotlin for OkHttp"),
            Example("pinctl convert --to pins CertificatePins.kt", "the pins of an app's source, as pins.json"),
            Example(
                "pinctl convert --to android --into network_security_config.xml pins.json",
                "update the pins in an existing file"
            ),
            Example(
                "curl --pinnedpubkey \"$(pinctl convert --to curl --host example.com pins.json)\" https://example.com/",
                "the pins of one host for curl"
            ),
            Example(
                "pinctl convert --to alamofire --certificates certs/ --output Pins/ pins.json",
                "Swift for Alamofire, with the DER files that it loads"
            ),
        ],
        notes: [
            Note(
                "Formats",
                rows: [
                    "pins": "pins.json, which supports every setting",
                    "apple": "NSPinnedDomains of an Info.plist, in XML or binary",
                    "android": "network_security_config.xml",
                    "okhttp": "CertificatePinner: reads Kotlin, Java and its failure message, writes Kotlin",
                    "trustkit": "TrustKit's property list; also reads its Swift and Objective-C configuration",
                    "trustkit-swift": "TrustKit's configuration as a Swift dictionary; write-only",
                    "alamofire": "Swift for Alamofire; write-only, needs the certificates",
                    "urlsession": "a URLSession delegate in Swift; write-only",
                    "hpkp": "the Public-Key-Pins header",
                    "curl": "the value of curl --pinnedpubkey",
                    "tlsa": "TLSA records of a DNS zone",
                    "cronet": "Kotlin for Cronet; write-only",
                    "chromium": "Chromium's static JSON and its .pins file",
                    "react-native": "react-native-ssl-public-key-pinning",
                    "react-native-ssl-manager": "ssl_config.json of react-native-ssl-manager",
                    "wultra": "fingerprints of certificates; needs the certificates",
                ]
            ),
            Note(
                "Losses",
                "pinctl writes a warning to standard error for each setting that has no equivalent in the format, and for each"
                    + " pin that is left out. With --strict these are errors."
            ),
            Note(
                "Exit status",
                rows: [
                    "0": "the set was written",
                    "1": "with --strict, a setting has no equivalent in the format; nothing was written",
                    "2": "the set could not be read, or cannot be written in the format; nothing was written",
                ]
            ),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let format = values[to]
        let path = values[file]
        if let output = values[output], output.isEmpty {
            throw CommandError("the path of \"--output\" is empty")
        }
        try StandardInput.checkReadOnce([
            (nil, [path]), ("--certificates", values[certificates]), ("--names", [values[names]]),
            ("--sign", [values[sign]]), ("--signed-by", [values[signedBy]]),
            ("--into", [values[into]]),
        ])
        let inputs = try inputs(values, console)
        let reading = try PinSetSource.read(path, as: values[fromFormat], with: inputs, console)
        try checkUse(values, from: reading.format, to: format)
        let target = try values[into].map { path throws(CommandError) in try InputFile.bytes(at: path, console) }
        let writing: PinSetWriting
        do throws(PinSetFormatError) {
            if let target {
                writing = try reading.set.written(as: format, into: target)
            } else {
                writing = try reading.set.written(as: format, with: inputs)
            }
        } catch {
            let location = values[into].map { "\($0):" } ?? ""
            let message = error.line == nil ? error.message : location + error.description
            throw CommandError(message, hint: error.hint(inFile: false))
        }
        let destination = try ConvertDestination(values, writing.files, format: format)
        let warnings = reading.warnings + writing.warnings.filter { !reading.warnings.contains($0) }
        guard warnings.isEmpty || !values[strict] else {
            for warning in warnings { console.writeError(Message.error(warning.sentence)) }
            return .failure
        }
        try destination.write(writing.files, as: format, to: console)
        for warning in warnings { console.writeError(Message.warning(warning.sentence)) }
        return .success
    }

    /// Refuses options that neither format uses. A key that is ignored would suggest that something was signed or verified.
    private static func checkUse(
        _ values: Values, from source: PinSetFormat?, to target: PinSetFormat
    ) throws(CommandError) {
        let uses: [(option: any AnyOption, read: [PinSetFormat], written: [PinSetFormat])] = [
            (host, [.hpkp, .curl, .tlsa], [.hpkp, .curl, .tlsa]), (certificates, [.wultra], [.alamofire, .wultra]),
            (names, [.chromium], []), (sign, [], [.wultra]), (signedBy, [.wultra], []),
        ]
        for (option, read, written) in uses {
            guard let source, let location = values.location(of: option), !read.contains(source),
                !written.contains(target)
            else { continue }
            let uses = read == written ? [("", read)] : [("reading ", read), ("writing ", written)]
            let words = uses.filter { !$0.1.isEmpty }.map { $0.0 + $0.1.map(\.rawValue).joined(separator: ", ") }
            throw CommandError(
                "\(location.text.quoted) has no effect when \(source.rawValue.quoted) is converted to \(target.rawValue.quoted)",
                hint: "use it for \(words.joined(separator: ", and for "))"
            )
        }
    }

    private static func inputs(_ values: Values, _ console: Console) throws(CommandError) -> ConversionInputs {
        var inputs = ConversionInputs(host: values[host], date: .now)
        for path in values[certificates] { inputs.certificates += try AnchorFiles.certificates(at: path, console) }
        if let path = values[names] { inputs.names = try InputFile.bytes(at: path, console) }
        if let path = values[sign] { inputs.signingKey = try InputFile.bytes(at: path, console) }
        if let path = values[signedBy] { inputs.verifyingKey = try InputFile.bytes(at: path, console) }
        return inputs
    }
}
