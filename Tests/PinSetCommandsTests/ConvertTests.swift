import Foundation
import InProcessRuns
import TestSupport
import Testing

/// `pinctl convert` from the command line: streams, files, exit statuses.
@Suite(.blocking) struct ConvertTests {
    static let x1 = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    static let x2 = "hUcFFip1z0GOioWs8QmYV5gIdp2/HK7UBvar+BfuTNU="

    private func convert(_ words: String..., input: String = "", in folder: TemporaryFolder) throws
        -> PinctlRun
    {
        try PinctlRun.inProcess(["convert"] + words, input: Array(input.utf8), folder: folder.url)
    }

    private func folder(_ set: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder("convert")
        try folder.write(set, to: "pins.json")
        return folder
    }

    private static let plain = #"{"version":1,"hosts":{"example.com":{"subdomains":"all","pins":["\#(x1)","\#(x2)"]}}}"#
    private static let rich =
        #"{"version":1,"hosts":{"example.com":{"expires":"2027-06-01","pins":[{"sha256":"\#(x1)","role":"root"},"\#(x2)"]}}}"#

    @Test func readsStandardInputAndWritesStandardOutput() throws {
        let folder = try TemporaryFolder("convert")
        let run = try convert("--to", "hpkp", "-", input: Self.plain, in: folder)
        #expect(run.status == 0)
        #expect(
            run.text
                == "Public-Key-Pins: pin-sha256=\"\(Self.x1)\"; pin-sha256=\"\(Self.x2)\"; max-age=5184000; includeSubDomains\n"
        )
        #expect(run.errors == "")
        let named = try convert("--to", "hpkp", "--output", "-", "-", input: Self.plain, in: folder)
        #expect(named.output == run.output && named.errors == "", "\(named)")
        let back = try convert("--to", "pins", "--host", "example.com", "-", input: run.text, in: folder)
        #expect(back.status == 0)
        let json = try JSONSerialization.jsonObject(with: Data(back.output)) as? [String: Any]
        let host = (json?["hosts"] as? [String: [String: Any]])?["example.com"]
        #expect(host?["subdomains"] as? String == "all")
        #expect((host?["pins"] as? [[String: String]])?.map { $0["sha256"] } == [Self.x1, Self.x2])
    }

    /// A format expresses only a part of a set, so the rest would be lost.
    @Test(arguments: ["pins.json", "./pins.json", "link.json", "names.txt"]) func neverReplacesAnInput(output: String)
        throws
    {
        let folder = try folder(Self.rich)
        try FileManager.default.createSymbolicLink(atPath: folder.path("link.json"), withDestinationPath: "pins.json")
        try folder.write("names", to: "names.txt")
        let words = output == "names.txt" ? ["--signed-by", output] : []
        let run = try PinctlRun.inProcess(
            ["convert", "--to", words.isEmpty ? "okhttp" : "wultra", "pins.json", "--output", output] + words,
            folder: folder.url)
        #expect(run.status == 2, "\(run)")
        try #expect(folder.text("pins.json") == Self.rich)
        try #expect(folder.text("names.txt") == "names")
        #expect(run.errors.contains("is also another file of the command line"), "\(run)")
    }

    /// The error about a line of the file of names has its path, and not the text of the line, which can be a password.
    @Test(arguments: [["--names", "passwords"], []]) func namesTheFileOfAWrongName(option: [String]) throws {
        let folder = try TemporaryFolder("convert")
        try folder.write(
            #"{"pinsets":[{"name":"a","static_spki_hashes":["Pin1"]}],"entries":[{"name":"a.example","pins":"a"}]}"#,
            to: "list.json")
        let path = option.last ?? "list.pins"
        try folder.write("# a\nhunter22\n", to: path)
        let run = try PinctlRun.inProcess(
            ["convert", "--from-format", "chromium", "--to", "pins", "list.json"] + option, folder: folder.url)
        #expect(run.status == 2, "\(run)")
        #expect(run.errors.contains("\(path):2: in the file of names: the line is not the name of a pin"), "\(run)")
        #expect(!run.errors.contains("hunter22"), "\(run)")
    }

    @Test func warnsOfEachUnsupportedSetting() throws {
        let folder = try folder(Self.rich)
        let run = try convert("--to", "okhttp", "pins.json", in: folder)
        #expect(run.status == 0)
        #expect(run.text.contains("sha256/\(Self.x1)"))
        let lines = run.errors.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(
            lines.first?.hasPrefix("pinctl: warning: \"example.com\": this format has no field for \"expires\"") == true
        )
        #expect(lines.last?.hasPrefix("pinctl: note: \"example.com\": this format has no field for \"role\"") == true)
    }

    @Test func strictWritesNothing() throws {
        let folder = try folder(Self.rich)
        try folder.write("old", to: "out.kt")
        let run = try convert("--to", "okhttp", "--strict", "--output", "out.kt", "pins.json", in: folder)
        #expect(run.status == 1)
        let lines = run.errors.split(separator: "\n")
        #expect(
            lines.allSatisfy {
                $0.hasPrefix("pinctl: error: \"example.com\": ") || $0.hasPrefix("pinctl: note: \"example.com\": ")
            })
        #expect(lines.contains { $0.hasPrefix("pinctl: error: ") })
        #expect(try folder.text("out.kt") == "old")
        let other = try convert("--to", "okhttp", "--strict", "-o", "new.kt", "pins.json", in: folder)
        #expect(other.status == 1)
        #expect(try folder.names() == ["out.kt", "pins.json"])
        let plain = try convert("--to", "okhttp", "--strict", "-", input: Self.plain, in: folder)
        #expect(plain.status == 0)
    }

    /// A note is a loss that changes no pin and no host, such as a role or a label.
    @Test func strictAllowsNotes() throws {
        let folder = try TemporaryFolder("convert")
        defer { folder.remove() }
        let set = #"""
            {"version":1,"hosts":{"example.com":{"pins":[{"sha256":"\#(Self.x1)","role":"root","label":"ISRG Root X1",
            "notAfter":"2035-06-04"}]}}}
            """#
        let run = try convert("--to", "curl", "--strict", "-", input: set.replacing("root", with: "leaf"), in: folder)
        #expect(run.status == 0 && run.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("pinctl: note: ") })
        #expect(run.text == "sha256//\(Self.x1)\n")
        let role = try convert("--to", "okhttp", "--strict", "-", input: set, in: folder)
        #expect(role.status == 0 && role.errors.hasPrefix("pinctl: note: ") && role.text.contains("sha256/\(Self.x1)"))
        let lost = try convert("--to", "curl", "--strict", "-", input: set, in: folder)
        #expect(lost.status != 0 && lost.output.isEmpty)
    }

    @Test func severalFilesNeedAFolder() throws {
        let folder = try folder(Self.plain)
        let refused = try convert("--to", "chromium", "pins.json", in: folder)
        #expect(refused.status == 2)
        #expect(refused.text == "")
        #expect(refused.errors.contains("hint: use --output FOLDER/"))
        let run = try convert("--to", "chromium", "--output", "out/", "pins.json", in: folder)
        #expect(run.status == 0)
        #expect(
            try TemporaryFolder.names(at: folder.path("out")) == [
                "transport_security_state_static.pins", "transport_security_state_static_pins.json",
            ])
        // pinctl finds the file of names.
        let back = try convert(
            "--to", "curl", "--host", "example.com", "out/transport_security_state_static_pins.json", in: folder)
        #expect(back.status == 0)
        #expect(back.text == "sha256//\(Self.x1);sha256//\(Self.x2)\n")
    }

    @Test func reportsThePositionOfAnError() throws {
        let folder = try folder("{\"version\":1,\n\"hosts\":{\"example.com:443\":[]}}")
        let run = try convert("--to", "okhttp", "pins.json", in: folder)
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("pinctl: error: pins.json:2:10: "))
        let unknown = try convert("--to", "okhttp", "-", input: "hello", in: folder)
        #expect(unknown.status == 2)
        #expect(
            unknown.errors.hasPrefix(
                "pinctl: error: standard input: the file is not a pin set in a known format; tried pins, "))
        #expect(unknown.errors.contains("pinctl: hint: use --from-format FORMAT"))
        let missing = try convert("--to", "okhttp", "none.json", in: folder)
        #expect(missing.status == 2)
        let format = try convert("--to", "swift", "pins.json", in: folder)
        #expect(format.status == 2)
    }

    @Test func writesAnEmptySet() throws {
        let folder = try folder(#"{"version":1,"hosts":{}}"#)
        for format in ["pins", "okhttp", "hpkp", "curl", "tlsa", "cronet", "urlsession", "react-native"] {
            #expect(try convert("--to", format, "pins.json", in: folder).status == 0)
        }
    }

    /// Losses of the same kind are one message, the most harmful first. Losses that change no pin are notes.
    @Test func groupsLosses() throws {
        let pins = #"{"sha256":"\#(Self.x1)","role":"root"},{"sha256":"\#(Self.x2)","role":"intermediate"}"#
        let hosts = ["a", "b", "c", "d"].map { #""\#($0).example.com":{"expires":"2030-01-01","pins":[\#(pins)]}"# }
        let address = #""192.0.2.1":["\#(Self.x1)"]"#
        let folder = try folder(
            #"{"version":1,"hosts":{\#((hosts + [address]).joined(separator: ","))}}"#)
        let run = try convert("--to", "apple", "pins.json", in: folder)
        let names = #""a.example.com", "b.example.com", "c.example.com" and 1 more host"#
        #expect(
            run.errors == """
                pinctl: warning: "192.0.2.1": this format does not support IP addresses; the host is left out
                pinctl: warning: \(names): this format has no field for "expires" (2030-01-01); the pins do not expire
                pinctl: note: \(names): this format has no field for "role" of 2 pins; they match any CA of the chain

                """)
        let strict = try convert("--to", "apple", "--strict", "pins.json", in: folder)
        #expect(strict.status == 1 && strict.output.isEmpty)
        #expect(
            strict.errors.split(separator: "\n").map { $0.prefix(15) } == [
                "pinctl: error: ", "pinctl: error: ", "pinctl: note: \"",
            ])
    }

    /// A file whose pins are all left out is no empty set.
    @Test(
        arguments: [
            "let c: [String: Any] = [kTSKPinnedDomains: [\"example.com\": [kTSKPublicKeyHashes: [pinA, pinB]]]]",
            "<network-security-config><domain-config><domain>example.com</domain><pin-set><pin digest=\"SHA-256\">YQ==</pin>"
                + "</pin-set></domain-config></network-security-config>",
        ])
    func refusesAFileOfWhichNoPinIsRead(text: String) throws {
        let folder = try TemporaryFolder("convert")
        try folder.write(text + "\n", to: "file")
        let run = try convert("--to", "pins", "file", in: folder)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.errors.hasSuffix("pinctl: error: \"file\": no pin of the file can be read\n"), "\(run)")
        #expect(!run.errors.contains("the file is valid"), "\(run)")
        let lint = try PinctlRun.inProcess(["lint", "file"], folder: folder.url)
        #expect(lint.status == 1, "\(lint)")
        let verify = try PinctlRun.inProcess(["verify", "--pins", "file"], folder: folder.url)
        #expect(verify.status == 2, "\(verify)")
    }

    /// WultraSSLPinning looks a fingerprint up by the common name of its certificate, here "localhost".
    @Test func wultraHasTheCommonName() throws {
        let pki = try TestSupport.TestPKI.shared()
        let pin = #"[{"sha256":"\#(try pki.pin("leaf"))","role":"leaf"}]"#
        let folder = try folder(
            #"{"version":1,"hosts":{"a.example.test":{"pins":\#(pin)},"b.example.test":{"pins":\#(pin)}}}"#)
        let run = try convert("--to", "wultra", "--certificates", pki.path("leaf.der"), "pins.json", in: folder)
        let json = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: [[String: Any]]]
        #expect(json?["fingerprints"]?.map { $0["name"] as? String } == ["localhost"])
        #expect(run.errors.contains("so it is written with the name \"localhost\""), "\(run)")
    }

    @Test func alamofireNeedsTheCertificates() throws {
        let pki = try TestSupport.TestPKI.shared()
        let folder = try folder(
            #"{"version":1,"hosts":{"localhost":["\#(try pki.pin("leaf"))","\#(Self.x1)"]}}"#)
        let refused = try convert("--to", "alamofire", "pins.json", in: folder)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("hint: use --certificates FILE|DIR"))
        let run = try convert(
            "--to", "alamofire", "--certificates", pki.path("leaf.pem"), "-o", "out/", "pins.json", in: folder)
        #expect(run.status == 0)
        #expect(
            run.errors.contains(
                "no given certificate has the pin \(Self.x1) (\"ISRG Root X1\"); it is left out"))
        let names = try TemporaryFolder.names(at: folder.path("out"))
        #expect(names.count == 2 && names[0] == "PinnedServers.swift" && names[1].hasSuffix(".der"))
        #expect(try folder.bytes("out/\(names[1])") == pki.bytes("leaf.der"))
        #expect(try folder.text("out/PinnedServers.swift").contains("\"\(names[1].dropLast(4))\""))
    }

    /// AFNetworking reads each .cer file of the app, also that of a pin that was retired since the last run.
    @Test func namesCertificatesThatTheSetDoesNotPin() throws {
        let pki = try TestSupport.TestPKI.shared()
        func set(_ state: String) throws -> String {
            let pins = try ["leaf", "root", "intermediate"].map { name in
                #"{"sha256":"\#(try pki.pin(name))","state":"\#(name == "root" ? state : "active")"}"#
            }
            return #"{"version":1,"hosts":{"a.example.com":{"pins":[\#(pins.joined(separator: ","))]}}}"#
        }
        let folder = try folder(set("active"))
        let command = ["convert", "--to", "certificates", "-o", "out", "pins.json"]
        let certificates = ["leaf", "root", "intermediate"].flatMap { ["--certificates", pki.path("\($0).pem")] }
        func run(_ options: [String] = []) throws -> PinctlRun {
            try PinctlRun.inProcess(command + certificates + options, folder: folder.url)
        }
        try folder.write("", to: "out/notes.txt")
        #expect(try run(["--strict"]).status == 0)
        // These are no certificates of another key.
        try folder.write("no certificate", to: "out/text.cer")
        try folder.write(pki.bytes("leaf.pem"), to: "out/same-key.CER")
        try folder.write(pki.bytes("leaf-p384.der"), to: "out/not-read.der")
        let again = try run(["--strict"])
        #expect(again.status == 0 && again.errors.isEmpty, "\(again)")

        try folder.write(set("retired"), to: "pins.json")
        let names = try TemporaryFolder.names(at: folder.path("out"))
        let stale = try #require(names.first { try folder.bytes("out/\($0)") == pki.bytes("root.der") })
        try folder.write(pki.bytes("leaf-p384.pem"), to: "out/Mine.CER")
        let message =
            "the app also reads certificates that the set does not pin: \"out/Mine.CER\" and \"out/\(stale)\""
        let strict = try run(["--strict"])
        #expect(strict.status == 1, "\(strict)")
        #expect(
            strict.errors.contains("pinctl: error: \(message)\n") && strict.errors.contains("hint: remove "),
            "\(strict)")
        let plain = try run()
        #expect(plain.status == 0 && plain.errors.contains("pinctl: warning: \(message)\n"), "\(plain)")
        // pinctl removes no file.
        #expect(try TemporaryFolder.names(at: folder.path("out")) == (names + ["Mine.CER"]).sorted())
        for name in [stale, "Mine.CER"] { try FileManager.default.removeItem(atPath: folder.path("out/\(name)")) }
        let clean = try run(["--strict"])
        #expect(clean.status == 0 && !clean.errors.contains("also reads"), "\(clean)")
    }

    @Test func signsFingerprintsThatOpenSSLVerifies() throws {
        let pki = try TestSupport.TestPKI.shared()
        let folder = try folder(
            #"{"version":1,"hosts":{"localhost":{"pins":[{"sha256":"\#(try pki.pin("leaf"))","role":"leaf"}]}}}"#)
        func openssl(_ words: String...) throws -> [UInt8] {
            try ChildProcess.output(of: ["openssl"] + words, folder: folder.url)
        }
        _ = try openssl("ecparam", "-name", "prime256v1", "-genkey", "-out", "key.pem")
        try folder.write(openssl("pkey", "-in", "key.pem", "-pubout"), to: "public.pem")
        let run = try convert(
            "--to", "wultra", "--certificates", pki.path("leaf.der"), "--sign", "key.pem", "pins.json", in: folder)
        #expect(run.status == 0)
        let json = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: [[String: Any]]]
        let print = try #require(json?["fingerprints"]?.first)
        let fingerprint = try openssl("x509", "-in", pki.path("leaf.pem"), "-noout", "-fingerprint", "-sha256")
        let hex = String(decoding: fingerprint, as: UTF8.self).split(separator: "=")[1].split(separator: "\n")[0]
        let digest = Data(hex.split(separator: ":").compactMap { UInt8($0, radix: 16) })
        #expect(print["fingerprint"] as? String == digest.base64EncodedString())
        let expires = try #require(print["expires"] as? Int)
        #expect(print["name"] as? String == "localhost")

        try folder.write("localhost&\(expires)&\(digest.base64EncodedString())", to: "signed")
        let encoded = try #require(print["signature"] as? String)
        let signature = try #require(Data(base64Encoded: encoded))
        try folder.write(signature, to: "signature")
        let verified = try openssl("dgst", "-sha256", "-verify", "public.pem", "-signature", "signature", "signed")
        #expect(String(decoding: verified, as: UTF8.self) == "Verified OK\n")

        try folder.write(run.output, to: "fingerprints.json")
        func back(_ file: String, by key: String) throws -> PinctlRun {
            try convert("--to", "curl", "--certificates", pki.path("leaf.pem"), "--signed-by", key, file, in: folder)
        }
        let good = try back("fingerprints.json", by: "public.pem")
        #expect(good.status == 0)
        #expect(good.text == "sha256//\(try pki.pin("leaf"))\n")
        try folder.write(
            run.text.replacing("\"expires\": \(expires)", with: "\"expires\": \(expires + 1)"), to: "forged.json")
        let forged = try back("forged.json", by: "public.pem")
        #expect(forged.status == 2)
        #expect(forged.errors.contains("is not signed by this key"))
        _ = try openssl("ecparam", "-name", "prime256v1", "-genkey", "-out", "other.pem")
        try folder.write(openssl("pkey", "-in", "other.pem", "-pubout"), to: "other.public.pem")
        #expect(try back("fingerprints.json", by: "other.public.pem").status == 2)
        let wrong = try convert(
            "--to", "wultra", "--certificates", pki.path("leaf.der"), "--sign", pki.path("leaf-rsa.key"), "pins.json",
            in: folder)
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("the key to sign with is RSA, not P-256"))
    }

    @Test func intoRequiresAFormatThatMerges() throws {
        let folder = try folder(Self.plain)
        try folder.write("x", to: "old.kt")
        let run = try convert("--to", "okhttp", "--into", "old.kt", "pins.json", in: folder)
        #expect(run.status == 2)
        #expect(run.errors.contains("pinctl cannot write \"okhttp\" into an existing file"))
        #expect(try folder.text("old.kt") == "x")
    }
}

extension TemporaryFolder {
    fileprivate static func names(at path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}
