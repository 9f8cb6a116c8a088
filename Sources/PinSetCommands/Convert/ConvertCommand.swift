internal import Arguments
internal import CommandSupport
internal import Encodings
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning

/// `pinctl convert`: converts a pin set from one format to another.
enum ConvertCommand {
    static let file = Operand.one(Value.path("FILE"), help: "a pin set in any readable format; - is standard input")

    static var to: Option<PinSetFormat> {
        Option.required(
            "to", short: "t", takes: .choice(PinSetFormat.self, "FORMAT"), help: "output format"
        )
    }
    static var fromFormat: Option<PinSetFormat?> {
        Option.optional(
            "from-format", takes: .choice(PinSetFormat.self, "FORMAT"),
            help: "format of FILE (default: detected from the contents)"
        )
    }
    static let strict = Option.flag("strict", help: "fail if a pin, a host or a setting is lost; write nothing")
    static let output = Option.optional(
        "output", short: "o", takes: Value.outputPath("PATH"),
        help: "write to a file, or several files to a folder (PATH/)"
    )
    static var into: Option<String?> {
        Option.optional(
            "into", takes: Value.path("PATH"), conflicts: [output],
            help:
                "update the pins in an existing file, and keep the rest of it (\(PinSetFormat.names(where: \.mergesIntoFiles)))"
        )
    }
    static var host: Option<String?> {
        Option.optional(
            "host", takes: Value.text("NAME"),
            help:
                "host of the pins that are read or written, for formats that name no host (\(PinSetFormat.names(using: .host)))"
        )
    }
    static var constants: Option<[String]> {
        Option.repeated(
            "constants", takes: Value.path("FILE"),
            help:
                "another file of the source code, with constants or string resources that FILE uses (\(PinSetFormat.names(using: .sources)))"
        )
    }
    static var certificates: Option<[String]> { ConversionFlags.certificates }
    static let names = Option.optional(
        "names", takes: Value.path("FILE"),
        help: "Chromium's file of pin names (default: the .pins file beside the .json file)"
    )
    static var sign: Option<String?> {
        Option.optional(
            "sign", takes: Value.path("KEY"),
            help: "sign with this P-256 private key, PEM or DER (\(PinSetFormat.names(using: .signingKey)))"
        )
    }
    static var signedBy: Option<String?> {
        Option.optional(
            "signed-by", takes: Value.path("KEY"),
            help:
                "verify signatures with this P-256 public key, PEM or DER (\(PinSetFormat.names(using: .verifyingKey)))"
        )
    }

    static let command = Command(
        "convert", summary: "convert a pin set to another format", operands: file,
        options: [
            OptionGroup("Output", [to, strict, output, into]),
            OptionGroup("Input", [fromFormat, host, constants, certificates, names]),
            OptionGroup("Signatures", [sign, signedBy]),
        ],
        mostUsed: [to, into, output, strict, fromFormat],
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
            Note("Formats", rows: PinSetFormat.allCases.map { ($0.rawValue, $0.traits.summary) }),
            Note(
                "Losses",
                "pinctl writes a warning to standard error for each setting that has no equivalent in the format, and for each"
                    + " pin that is left out, the most harmful first. A loss that changes no pin and no host is a note. With"
                    + " --strict, warnings are errors. Notes are not. For certificates, a warning also names the .cer files in the"
                    + " output folder with keys that the set does not pin: apps read them, too."
            ),
            Note(
                "Exit status",
                rows: [
                    "0": "the set was written",
                    "1":
                        "with --strict, a pin, a host or a setting is lost, or the folder has certificates that the set does not pin; nothing was written",
                    "2":
                        "the set, or every pin of it, could not be read, or cannot be written in the format; nothing was written, except files that the message names",
                    "3":
                        "another process is changing the output file, or changed it during this run; the output is in a new file; with --into or several files, nothing was written, except files that the message names",
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
            (nil, [path]), ("--constants", values[constants]), ("--certificates", values[certificates]),
            ("--names", [values[names]]),
            ("--sign", [values[sign]]), ("--signed-by", [values[signedBy]]),
            ("--into", [values[into]]),
        ])
        let destination = try ConvertDestination(values)
        let inputs = try inputs(values, console)
        let reading = try PinSetSource.read(
            path, as: values[fromFormat], with: inputs, namesPath: values[names], console)
        try checkUse(values, from: reading.format, to: format)
        guard !reading.warnings.contains(where: { $0.reason == .nothingRead }) else {
            for group in ConversionWarningGroup.groups(of: reading.warnings.filter { $0.reason != .nothingRead }) {
                console.writeError(Message.warning(group.sentence))
            }
            throw CommandError("\(InputFile.name(of: path)): no pin of the file can be read")
        }
        let source = reading.format == .pins ? path : nil
        let set =
            format == .pins
            ? reading.set.withAnchors(of: path, inFolder: ConvertDestination.folder(in: values)) : reading.set
        var warnings: [ConversionWarning] = []
        /// - Returns: nil if `--strict` refuses the warnings.
        func convert(into target: [UInt8]?) throws(CommandError) -> PinSetWriting? {
            let writing: PinSetWriting
            do throws(PinSetFormatError) {
                if let target {
                    writing = try set.written(as: format, into: target)
                } else {
                    writing = try set.written(as: format, with: inputs)
                }
            } catch {
                let location = values[into].map { "\($0):" } ?? ""
                let message = error.line == nil ? error.message : location + error.description
                throw CommandError(message, hint: error.warning?.step(in: source) ?? error.hint(inFile: false))
            }
            let known = Set(reading.warnings)
            warnings = reading.warnings + writing.warnings.filter { !known.contains($0) }
            return values[strict] && warnings.contains { $0.harm != .none } ? nil : writing
        }
        var isWritten = true
        var unpinned: UnpinnedCertificates?
        var success = values[into].map { Message.wrote($0) }
        if let path = values[into] {
            try FileEditor.change(path) { contents throws(CommandError) in
                let writing = try convert(into: contents)
                isWritten = writing != nil
                return writing?.files.first?.bytes
            }
        } else if let writing = try convert(into: nil) {
            let written = (try? set.only(inputs.host, as: format)) ?? set
            unpinned = try destination.unpinnedCertificates(besides: writing.files, of: written, as: format)
            isWritten = !values[strict] || unpinned == nil
            if isWritten { try destination.write(writing.files, as: format, to: console) }
            success = destination.message(on: writing.files)
        } else {
            isWritten = false
        }
        let groups = ConversionWarningGroup.groups(of: warnings)
        guard isWritten else {
            for group in groups {
                console.writeError(group.harm == .none ? Message.note(group.sentence) : Message.error(group.sentence))
            }
            if let unpinned { console.writeError(Message.error(unpinned.message, hint: UnpinnedCertificates.step)) }
            return .failure
        }
        for group in groups {
            let isNote = group.harm == .none
            console.writeError(isNote ? Message.note(group.sentence) : Message.warning(group.sentence))
            if let step = group.step(in: source) { console.writeError(Message.hint(step)) }
        }
        if let unpinned { console.writeError(Message.warning(unpinned.message, hint: UnpinnedCertificates.step)) }
        if let success, console.isErrorTerminal { console.writeError(success) }
        return .success
    }

    /// Fails if an option is given that neither format uses. If a key were ignored, the user would believe that something was
    /// signed or verified.
    private static func checkUse(
        _ values: Values, from source: PinSetFormat?, to target: PinSetFormat
    ) throws(CommandError) {
        let options: [(option: any AnyOption, input: FormatTraits.Input)] = [
            (host, .host), (constants, .sources), (certificates, .certificates), (names, .names), (sign, .signingKey),
            (signedBy, .verifyingKey),
        ]
        for (option, input) in options {
            guard let source, let location = values.location(of: option),
                !source.traits.readingInputs.contains(input), !target.traits.writingInputs.contains(input)
            else { continue }
            let read = PinSetFormat.names { $0.readingInputs.contains(input) }
            let written = PinSetFormat.names { $0.writingInputs.contains(input) }
            let uses = read == written ? [("", read)] : [("reading ", read), ("writing ", written)]
            let words = uses.filter { !$0.1.isEmpty }.map { $0.0 + $0.1 }
            throw CommandError(
                "\(location.shown.quoted) has no effect when \(source.rawValue.quoted) is converted to \(target.rawValue.quoted)",
                hint: "use it for \(words.joined(separator: ", and for "))"
            )
        }
    }

    private static func inputs(_ values: Values, _ console: Console) throws(CommandError) -> ConversionInputs {
        var inputs = ConversionInputs(host: values[host], date: .now)
        for path in values[constants] { inputs.sources.append(try InputFile.bytes(at: path, console)) }
        for path in values[certificates] { inputs.certificates += try AnchorFiles.certificates(at: path, console) }
        if let path = values[names] { inputs.names = try InputFile.bytes(at: path, console) }
        if let path = values[sign] {
            console.protectSecrets()
            inputs.signingKey = try InputFile.bytes(at: path, for: .certificatesOrSecrets, console)
        }
        if let path = values[signedBy] {
            inputs.verifyingKey = try InputFile.bytes(at: path, for: .certificatesOrSecrets, console)
        }
        return inputs
    }
}
