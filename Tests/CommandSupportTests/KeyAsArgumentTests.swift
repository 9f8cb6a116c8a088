import Foundation
import InProcessRuns
import TestSupport
import Testing

@testable import Arguments
@testable import Commands

/// A private key in place of the name of its file, for example by `pinctl hash "$(cat key.pem)"`, is an error that does not show it.
@Suite(.blocking) struct KeyAsArgumentTests {
    enum Kind: CaseIterable {
        case ec, rsa, ed25519, sec1, encrypted

        var arguments: [String] {
            let ec = ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
            return switch self {
            case .ec: ec
            case .rsa: ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
            case .ed25519: ["genpkey", "-algorithm", "ed25519"]
            case .sec1: ["ecparam", "-name", "prime256v1", "-genkey", "-noout"]
            case .encrypted: ec + ["-aes256", "-pass", "pass:x"]
            }
        }
    }

    private static let keys = Result {
        try Kind.allCases.map { kind in
            let pem = try ChildProcess.output(of: ["openssl"] + kind.arguments)
            return String(decoding: pem, as: UTF8.self).trimmingCharacters(in: .newlines)
        }
    }

    /// The key in PEM, its lines without the first and the last one, the same in one line, the PEM in base64, and all as the value of an
    /// option.
    private static func forms(of pem: String) -> [String] {
        let lines = pem.split(separator: "\n").dropFirst().dropLast()
        let forms = [
            pem, lines.joined(separator: "\n"), lines.joined(), Data(pem.utf8).base64EncodedString(),
            "sha256/\(lines.joined())",
        ]
        return forms + forms.flatMap { ["--unknown=\($0)", "-x\($0)"] }
    }

    /// Whether the output has a part of the key, in base64 as given, which can be the value of an option.
    private static func shows(_ key: String, _ run: PinctlRun) -> Bool {
        let output = Array((run.text + run.errors).utf8)
        let lines = key.split(separator: "\n").filter { !$0.hasPrefix("-----") }
        let digits = Array((lines.isEmpty ? key[...] : lines.joined()[...]).utf8.drop { $0 == UInt8(ascii: "-") })
        return stride(from: 0, to: min(digits.count, 320) - 7, by: 8).contains { start in
            Data(output).range(of: Data(digits[start..<start + 8])) != nil
        }
    }

    private func expectNotShown(_ key: String, _ arguments: [String]) throws {
        let run = try PinctlRun.inProcess(arguments)
        #expect(run.status == 2, "\(arguments.prefix(2))")
        let number = arguments.count
        #expect(
            run.errors.contains("pinctl: error: argument \(number) contains a private key"), "\(arguments.prefix(2))")
        #expect(!Self.shows(key, run), "\(arguments.prefix(2))")
    }

    @Test func asOperand() throws {
        for pem in try Self.keys.get() {
            for form in Self.forms(of: pem) {
                for command in [[], ["hash"]] { try expectNotShown(form, command + [form]) }
            }
        }
        let pem = try #require(try Self.keys.get().first)
        for command in [["help"], ["hash", "--"]] + Pinctl.tool.commands.map({ [$0.name] }) {
            try expectNotShown(pem, command + [pem])
        }
    }

    @Test func asValueOfEachOption() throws {
        let pem = try #require(try Self.keys.get().first)
        let line = pem.split(separator: "\n").dropFirst().dropLast().joined()
        for command in Pinctl.tool.commands {
            for option in command.options {
                try expectNotShown(line, [command.name, option.spelling, line])
                try expectNotShown(pem, [command.name, "\(option.spelling)=\(pem)"])
                if let short = option.short { try expectNotShown(line, [command.name, "-\(short)\(line)"]) }
            }
        }
    }

    /// Keys in other forms.
    @Test func otherForms() throws {
        let ders = try Self.keys.get().map { pem in
            try #require(Data(base64Encoded: pem.split(separator: "\n").dropFirst().dropLast().joined()))
        }
        let digits = ders.map { der in der.map { String(format: "%02x", $0) } }
        let jwk = #"{"kty":"EC","crv":"P-256","d":"870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE"}"#
        let putty =
            "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\nAAAAIGVx8q0BCADN4v3K9mPz7yT2wQ5Lc1RjlQOYBGVx8q0B"
        let dump = String(
            decoding: try ChildProcess.output(of: ["openssl", "genpkey", "-algorithm", "ed25519", "-text"]),
            as: UTF8.self)
        let title = try #require(dump.range(of: "ED25519 Private-Key:"))
        // The shell divides the lines of `xxd -p` into words.
        let word = try #require(digits.first).prefix(30).joined()
        let arrays = digits.prefix(1).flatMap { pairs in
            [
                pairs.map { "0x" + $0 }.joined(separator: ", "), pairs.joined(separator: ", "),
                pairs.map { String(Int8(bitPattern: UInt8($0, radix: 16) ?? 0)) }.joined(separator: ","),
            ]
        }
        let others = arrays + [jwk, jwk.replacing("\"", with: "\\\""), putty, String(dump[title.lowerBound...]), word]
        for key in digits.map({ $0.joined() }) + digits.map({ $0.joined(separator: ":") }) + others {
            for command in ["hash", "fetch"] {
                let run = try PinctlRun.inProcess([command, key])
                #expect(run.status == 2 && run.errors.contains("argument 2 contains a private key"), "\(run)")
            }
        }
        let octal = try #require(digits.first).map { byte in
            let number = String(UInt8(byte, radix: 16) ?? 0, radix: 8)
            return String(repeating: "0", count: 3 - number.count) + number
        }
        // The key is directly after the letter of an option, also of several in one word, or after its name.
        for key in arrays + [octal.joined(separator: " "), try #require(digits.first).joined(separator: " ")] {
            for option in ["-f", "-vf", "-4", "-f=", "--format=", "--format", "--format=x", "--", "x"] {
                let run = try PinctlRun.inProcess(["lint", option + key])
                #expect(run.status == 2 && run.errors.contains("argument 2 contains a private key"), "\(run)")
            }
        }
        // The shell leaves out the null bytes of a key in DER.
        let folder = try TemporaryFolder("key-as-argument")
        defer { folder.remove() }
        try #require(ders.first).filter { $0 != 0 }.write(to: folder.url.appending(path: "key"))
        let run = try ChildProcess.run(
            ["sh", "-c", "'\(PinctlRun.executable)' hash \"$(cat key)\""], folder: folder.url)
        #expect(run.end == .exit(2) && run.errors.contains("is not UTF-8"), "\(run.errors)")
        #expect(run.errors.utf8.count < 200, "\(run.errors)")
    }

    /// Files, and the environment, can have a key in place of the name of its file, too.
    @Test func asNameOfAFile() throws {
        let folder = try TemporaryFolder("key-as-name")
        defer { folder.remove() }
        let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
        for pem in try Self.keys.get() {
            let line = pem.split(separator: "\n").dropFirst().dropLast().joined()
            try folder.write(#"{"version":1,"set":"\#(line)","copies":[{"file":"c.kt"}]}"#, to: "set.json")
            try folder.write(#"{"version":1,"set":"pins.json","copies":[{"file":"\#(line)"}]}"#, to: "copy.json")
            try folder.write(
                #"{"version":1,"hosts":{"h.test":{"anchors":["\#(line)"],"pins":["\#(pin)"]}}}"#, to: "pins.json")
            for (arguments, environment) in [
                (["sync", "--check", "set.json"], [:]), (["sync", "--check", "--format", "json", "copy.json"], [:]),
                (["lint", "pins.json"], [:]), (["lint", "--format", "json", "pins.json"], [:]),
                (["verify", "--pins", "pins.json", "h.test"], [:]),
                (["fetch", "--connect-to", "127.0.0.1:1", "h.test"], ["SSL_CERT_FILE": line]),
            ] {
                let run = try PinctlRun.inProcess(arguments, environment: environment, folder: folder.url)
                #expect(run.status != 0 && !Self.shows(line, run), "\(run)")
            }
        }
    }

    /// Only the decoded content of a PKCS #12 file would tell whether it has a key.
    @Test func asPKCS12() throws {
        let run = try PinctlRun.inProcess(["hash", Data(try Vectors.bytes("modern.p12")).base64EncodedString()])
        #expect(run.status == 2 && run.errors.contains("argument 2 contains a PKCS #12 file"), "\(run)")
    }

    /// A label, a path and an unknown key of a pin set are copied into other files, so a key in them is an error.
    @Test func asTextOfAPinSet() throws {
        let folder = try TemporaryFolder("key-as-label")
        defer { folder.remove() }
        let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
        let pem = try #require(try Self.keys.get().first)
        let line = pem.split(separator: "\n").dropFirst().dropLast().joined()
        let numbers = try #require(Data(base64Encoded: line)).map { String($0) }.joined(separator: ",")
        let escaped = pem.replacing("\n", with: "\\n")
        let files = [
            (
                "pins.json",
                "{\"version\":1,\"hosts\":{\"h.test\":{\"pins\":[{\"sha256\":\"\(pin)\",\n\"label\":\"\(escaped)\"}]}}}"
            ),
            ("pins.json", "{\"version\":1,\"hosts\":{\"h.test\":{\n\"anchors\":[\"\(line)\"],\"pins\":[\"\(pin)\"]}}}"),
            ("pins.json", "{\"version\":1,\n\"x\":[{\"y\":\"\(line)\"}],\"hosts\":{\"h.test\":[\"\(pin)\"]}}"),
            (
                "pins.json",
                "{\"version\":1,\n\"x\":[\"\(line.prefix(40))\",\"\(line.dropFirst(40))\"],\"hosts\":{\"h.test\":[\"\(pin)\"]}}"
            ),
            (
                "pins.json",
                "{\"version\":1,\n\"x\":[\(numbers)],\"hosts\":{\"h.test\":[\"\(pin)\"]}}"
            ),
            (
                "pins.json",
                "{\"version\":1,\"hosts\":{\"h.test\":{\n\"x\":{\"kty\":\"OKP\",\"d\":\"\(line.suffix(44))\"},\"pins\":[\"\(pin)\"]}}}"
            ),
            // A key before the label that is not a part of the set is not the place of the mistake.
            (
                "pins.kt",
                "CertificatePinner.Builder()\n    .add(\"h.test\", \"sha256/\(pin)\") // \(line)\nval other = \"\(line)\"\n"
            ),
            ("pins.kt", "CertificatePinner.Builder()\n    .add(\"h.test\", \"sha256/\(pin)\") // \(line)\n"),
        ]
        for (name, text) in files {
            try folder.write(text, to: name)
            for command in [
                ["lint"], ["lint", "-f", "json"], ["convert", "--to", "okhttp"], ["verify", "h.test", "--pins"],
            ] {
                let run = try PinctlRun.inProcess(command + [name], folder: folder.url)
                #expect(run.status != 0 && (run.text + run.errors).contains("contains a private key"), "\(run)")
                #expect(run.errors.contains("\(name):2:") || command.contains("lint"), "\(run)")
                #expect(!Self.shows(line, run), "\(run)")
            }
        }
        let names =
            "{\"pinsets\":[{\"name\":\"a\",\"static_spki_hashes\":[\"N\"]}],\"entries\":[{\"name\":\"h.test\",\"pins\":\"a\"}]}"
        try folder.write(names, to: "chromium.json")
        for width in [12, 16, 64] {
            let pieces = stride(from: 0, to: line.count, by: width).map { line.dropFirst($0).prefix(width) }
            try folder.write(pieces.joined(separator: "\n"), to: "names")
            let run = try PinctlRun.inProcess(
                ["convert", "--to", "pins", "--from-format", "chromium", "--names", "names", "chromium.json"],
                folder: folder.url)
            #expect(run.status != 0 && !Self.shows(String(line.dropFirst(48)), run), "\(run)")
        }
    }

    /// A key whose base64 is divided over the strings of a list of pins.
    @Test(arguments: [16, 20, 32, 43, 44, 64]) func asListOfPins(width: Int) throws {
        let folder = try TemporaryFolder("key-as-pins")
        defer { folder.remove() }
        let good = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
        for pem in try Self.keys.get() {
            let line = pem.split(separator: "\n").dropFirst().dropLast().joined()
            let parts = stride(from: 0, to: line.count, by: width).map { line.dropFirst($0).prefix(width) }
            for list in [
                parts.map { "\"\($0)\"" }, parts.map { "\"sha256/\($0)\"" },
                parts.map { "{\"sha256\":\"\($0)\",\"label\":\"a\"}" },
                ["\"\(good)\""] + parts.map { "\"\($0)\"" },
            ] {
                try folder.write(
                    "{\"version\":1,\"hosts\":{\"h.test\":{\n\"pins\":[\(list.joined(separator: ", "))]}}}",
                    to: "pins.json")
                for command in [
                    ["lint"], ["lint", "-f", "json"], ["convert", "--to", "okhttp"], ["verify", "h.test", "--pins"],
                ] {
                    let run = try PinctlRun.inProcess(command + ["pins.json"], folder: folder.url)
                    #expect(run.status != 0 && (run.text + run.errors).contains("contains a private key"), "\(run)")
                    #expect(!Self.shows(line, run), "\(run)")
                }
            }
        }
    }

    /// The characters of a dump can contain an `@`, before which a password is searched.
    @Test func withAnAt() throws {
        let folder = try TemporaryFolder("key-with-at")
        defer { folder.remove() }
        let start = "302e020100300506032b657004220420"
        let secret = "11223344556677884041424344454647"
        let dump =
            "00000000: \(start)  0.....0...+ep.\". 00000010: \(secret)  .\"3DUfw.@ABCDEFG 00000020: \(secret)  .\"3DUfw.@ABCDEFG"
        try folder.write(
            "curl: (60) SSL: no alternative certificate subject name matches target host name '\(dump)'\n", to: "log")
        for format in ["text", "json"] {
            let run = try PinctlRun.inProcess(["explain", "--offline", "--format", format, "log"], folder: folder.url)
            #expect(!(run.text + run.errors).contains("4142434445"), "\(run)")
        }
    }

    /// A key in place of a host in a log.
    @Test(arguments: ["text", "json"]) func inALog(format: String) throws {
        let folder = try TemporaryFolder("key-in-log")
        defer { folder.remove() }
        let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
        for pem in try Self.keys.get() {
            let line = pem.split(separator: "\n").dropFirst().dropLast().joined()
            try folder.write(
                "javax.net.ssl.SSLPeerUnverifiedException: Certificate pinning failure!\n  Peer certificate chain:\n    sha256/\(pin): CN=x\n"
                    + "  Pinned certificates for \(line):\n    sha256/\(pin)\n", to: "log")
            let run = try PinctlRun.inProcess(["explain", "--offline", "--format", format, "log"], folder: folder.url)
            #expect(run.text.contains("\(line.prefix(4))…") && !Self.shows(line, run), "\(run)")
        }
    }

    /// Certificates, public keys, pins and names of files are no private keys.
    @Test func otherArgumentsAreShown() throws {
        let pki = try TestPKI.shared()
        let pem = try String(contentsOfFile: pki.path("leaf.pem"), encoding: .utf8)
        let line = pem.split(separator: "\n").dropFirst().dropLast().joined()
        let path =
            "Library/Developer/DerivedData/App-bkzquvtlqwfnpxeygkzlmdyyHjWx/Build/Products9/MIGH/3082/pins"
        let request = try ChildProcess.output(of: [
            "openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
            "/dev/null", "-subj", "/CN=a", "-outform", "DER",
        ])
        // A CMS structure in BER (RFC 5652, section 5.1) with lengths that are not given.
        let signed = "MIAGCSqGSIb3DQEHAqCAMIACAQExADALBgkqhkiG9w0BBwGggDCCAbMwggFZoAMCAQICFGQ="
        for word in [
            Data(request).base64EncodedString(), request.map { String(format: "%02x", $0) }.joined(), signed,
            pem, line, Data(pem.utf8).base64EncodedString(), path, "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=",
            "PRIVATE KEY.pem", "-----BEGIN PRIVATE KEY-----",
        ] {
            let run = try PinctlRun.inProcess(["lint", "--", word])
            #expect(run.errors.contains("\(word.prefix(60).prefix { $0 != "\n" })"), "\(run)")
        }
    }
}
