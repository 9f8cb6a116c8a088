internal import Arguments
internal import Pinning

/// `pinctl convert`: one pin-set format into another.
enum ConvertCommand {
    static let file = Operand.one(Value.path("FILE"), help: "a pin set in any format that is read; - is standard input")

    static let to = Option.required(
        "to", short: "t", takes: .choice(PinSetFormat.self, "FORMAT"), help: "the format to write"
    )
    static let fromFormat = Option.optional(
        "from-format", takes: .choice(PinSetFormat.self, "FORMAT"),
        help: "the format of FILE; its contents tell otherwise"
    )
    static let strict = Option.flag("strict", help: "fail where the format cannot say everything, and write nothing")
    static let output = Option.optional(
        "output", short: "o", takes: Value.path("PATH"),
        help: "write to a file, or into a folder (PATH/) where there are several"
    )
    static let into = Option.optional(
        "into", takes: Value.path("PATH"), conflicts: [output],
        help: "put the pins into a file that is there and keep all else in it (apple, android, trustkit)"
    )
    static let host = Option.optional(
        "host", takes: Value.text("NAME"),
        help: "whose pins these are, in formats that name no host (hpkp, curl, tlsa); or which host's to write"
    )
    static let certificates = Option.repeated(
        "certificates", takes: Value.path("FILE|DIR"),
        help: "the pinned certificates, for formats that hold no pins of keys (alamofire, wultra)"
    )
    static let names = Option.optional(
        "names", takes: Value.path("FILE"),
        help: "Chromium's file of pin names; by itself, the .pins beside the .json is read"
    )
    static let sign = Option.optional(
        "sign", takes: Value.path("KEY"), help: "sign with this private key on P-256, PEM or DER (wultra)"
    )
    static let signedBy = Option.optional(
        "signed-by", takes: Value.path("KEY"),
        help: "refuse what this public key on P-256, PEM or DER, did not sign (wultra)"
    )

    static let command = Command(
        "convert", summary: "turn a pin set from one format into another", operands: file,
        options: [
            OptionGroup("What to give", [to, strict, output, into]),
            OptionGroup("Input", [fromFormat, host, certificates, names]),
            OptionGroup("Signatures", [sign, signedBy]),
        ],
        examples: [
            Example("pinctl convert --to okhttp pins.json", "Kotlin for OkHttp"),
            Example("pinctl convert --to pins CertificatePins.kt", "what the app's source pins, as pins.json"),
            Example(
                "pinctl convert --to android --into network_security_config.xml pins.json", "update a file in its place"
            ),
            Example(
                "curl --pinnedpubkey \"$(pinctl convert --to curl --host example.com pins.json)\" https://example.com/",
                "one host's pins for curl"
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
                    "pins": "pins.json, which can say everything",
                    "apple": "NSPinnedDomains of an Info.plist, in XML or binary",
                    "android": "network_security_config.xml",
                    "okhttp": "CertificatePinner: reads Kotlin, Java and the failure text, writes Kotlin",
                    "trustkit": "TrustKit's property list; its Swift or Objective-C is read, too",
                    "trustkit-swift": "the same as a dictionary in Swift; written only",
                    "alamofire": "Swift for Alamofire; written only, needs the certificates",
                    "urlsession": "a URLSession delegate in Swift; written only",
                    "hpkp": "the Public-Key-Pins header",
                    "curl": "the string of curl --pinnedpubkey",
                    "tlsa": "TLSA records of a zone",
                    "cronet": "Kotlin for Cronet; written only",
                    "chromium": "Chromium's static JSON and its .pins file",
                    "react-native": "react-native-ssl-public-key-pinning",
                    "react-native-ssl-manager": "ssl_config.json of react-native-ssl-manager",
                    "wultra": "fingerprints of certificates; needs the certificates",
                ]
            ),
            Note(
                "Losses",
                "What a format cannot say is named on standard error, one warning each; no pin is left out without one. With"
                    + " --strict they are errors."
            ),
            Note(
                "Exit status",
                rows: [
                    "0": "the set was written",
                    "1": "--strict, and the format cannot say everything: nothing was written",
                    "2": "the set could not be read, or the format cannot hold any of it; nothing was written",
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
        let companions = try companions(values, console)
        let reading = try PinSetSource.read(path, as: values[fromFormat], with: companions, console)
        try checkUse(values, from: reading.format, to: format)
        let target = try values[into].map { path throws(CommandError) in try InputFile.bytes(at: path, console) }
        let writing: PinSetWriting
        do throws(PinSetFormatError) {
            if let target {
                writing = try reading.set.written(as: format, into: target)
            } else {
                writing = try reading.set.written(as: format, with: companions)
            }
        } catch {
            let place = values[into].map { "\($0):" } ?? ""
            let message = error.line == nil ? error.message : place + error.description
            throw CommandError(message, hint: error.hint(inFile: false))
        }
        let destination = try ConvertDestination(values, writing.files, format: format)
        let losses = reading.losses + writing.losses.filter { !reading.losses.contains($0) }
        guard losses.isEmpty || !values[strict] else {
            for loss in losses { console.writeError(Message.error(loss.sentence)) }
            return .failure
        }
        try destination.write(writing.files, as: format, to: console)
        for loss in losses { console.writeError(Message.warning(loss.sentence)) }
        return .success
    }

    /// Refuses what neither format takes: whoever gives a key believes that something is signed, or was checked.
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
            let ways = read == written ? [("", read)] : [("reading ", read), ("writing ", written)]
            let words = ways.filter { !$0.1.isEmpty }.map { $0.0 + $0.1.map(\.rawValue).joined(separator: ", ") }
            throw CommandError(
                "\(location.text.quoted) means nothing where \(source.rawValue.quoted) becomes \(target.rawValue.quoted)",
                hint: "it is for \(words.joined(separator: ", and for "))"
            )
        }
    }

    private static func companions(_ values: Values, _ console: Console) throws(CommandError) -> PinSetCompanions {
        var companions = PinSetCompanions(host: values[host], date: .now)
        for path in values[certificates] { companions.certificates += try AnchorFiles.certificates(at: path, console) }
        if let path = values[names] { companions.names = try InputFile.bytes(at: path, console) }
        if let path = values[sign] { companions.signingKey = try InputFile.bytes(at: path, console) }
        if let path = values[signedBy] { companions.verifyingKey = try InputFile.bytes(at: path, console) }
        return companions
    }
}
