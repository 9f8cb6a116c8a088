import Foundation
import InProcessRuns
import TestSupport
import Testing

/// A file of another kind in place of a pin set: the error says what the file is, and no command changes it.
@Suite(.blocking) struct OtherFileTests {
    private let pki: TestPKI
    private let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("other-file")
        try folder.write(pki.bytes("leaf.key"), to: "key.pem")
        let openssl = [
            "pkey -in key.pem -outform DER -out key.der", "pkey -in key.pem -pubout -out public.pem",
            "pkcs8 -topk8 -in key.pem -passout pass:x -out encrypted.pem",
            "req -new -key key.pem -subj /CN=x -out request.pem", "req -in request.pem -outform DER -out request.der",
            "crl2pkcs7 -nocrl -certfile leaf.pem -out bundle.p7b",
            "pkcs12 -export -nokeys -in leaf.pem -passout pass:x -out bundle.p12",
        ]
        try folder.write(pki.bytes("leaf.pem"), to: "leaf.pem")
        for line in openssl {
            _ = try ChildProcess.output(
                of: ["openssl"] + line.split(separator: " ").map(String.init), folder: folder.url)
        }
        try folder.write("<!DOCTYPE html><html><body>Not found</body></html>\n", to: "page.html")
        try folder.write("%PDF-1.4\n%%EOF\n", to: "page.pdf")
        try folder.write([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3], to: "set.gz")
        let text = Array("{ \"version\": 1, \"hosts\": {} }\n".utf16)
        try folder.write([0xFF, 0xFE] + text.flatMap { [UInt8($0), 0] }, to: "set.utf16")
        try folder.write("", to: "empty")
        try folder.write("Nothing here.\n", to: "text")
    }

    @Test(arguments: [
        ("key.pem", "the file is a private key: expected a pin set", "add --from-key FILE"),
        ("key.der", "the file is a private key: expected a pin set", "add --from-key FILE"),
        ("encrypted.pem", "the file is a private key: expected a pin set", "add --from-key FILE"),
        ("public.pem", "the file is a public key: expected a pin set", "add --from-key FILE"),
        ("request.pem", "the file is a certificate request: expected a pin set", "add --from-csr FILE"),
        ("request.der", "the file is a certificate request: expected a pin set", "add --from-csr FILE"),
        ("bundle.p7b", "the file is a PKCS#7 file: expected a pin set", "hash FILE"),
        ("bundle.p12", "the file is a PKCS#12 file: expected a pin set", "hash FILE"),
        ("page.html", "the file is HTML or XML: expected a pin set", "convert reads"),
        ("page.pdf", "the file is a PDF document: expected a pin set", "convert reads"),
        ("set.gz", "the file is gzip data: expected a pin set", "unpack it first"),
        ("set.utf16", "the file is text in UTF-16: expected a pin set", "iconv -f UTF-16 -t UTF-8 FILE"),
        ("empty", "the input is empty: expected a pin set", "convert reads"),
        ("text", "the file is not a pin set in a known format", "convert reads"),
    ])
    func namesTheKind(file: String, message: String, hint: String) throws {
        defer { folder.remove() }
        let pin = try pki.pin("root")
        for command in [
            ["verify", "localhost"], ["refresh", "--write"], ["add", "--pin", pin, "localhost"],
            ["retire", "--pin", pin],
        ] {
            let run = try PinctlRun.inProcess(command + ["--pins", file], folder: folder.url)
            let lines = run.errors.split(separator: "\n")
            #expect(run.status == 2 && lines.first == "pinctl: error: \(file): \(message)", "\(command) \(run)")
            #expect(lines.count == 2 && lines.last?.hasSuffix(hint) == true, "\(command) \(run)")
        }
        guard file != "text" else { return }
        for command in [["convert", "--to", "pins"], ["lint"]] {
            let run = try PinctlRun.inProcess(command + [file], folder: folder.url)
            #expect(
                run.status == 2 && run.errors.hasPrefix("pinctl: error: \(file): \(message)\n"), "\(command) \(run)")
        }
    }

    /// For JSON, the position of the mistake helps more.
    @Test func namesTheMistakeInJSON() throws {
        defer { folder.remove() }
        try folder.write("{ \"version\": 1,\n  \"hosts\": { x } }\n", to: "pins.json")
        let run = try PinctlRun.inProcess(["verify", "--pins", "pins.json", "localhost"], folder: folder.url)
        #expect(run.errors.hasPrefix("pinctl: error: pins.json:2:14: "), "\(run)")
    }

    /// A format that needs an input: the step is one that the command has.
    @Test(arguments: [
        (["convert", "--to", "pins", "curlrc"], "use --host NAME"), (["lint", "curlrc"], "use --host NAME"),
        (["verify", "--pins", "curlrc"], "name the one HOST that the pins are for"),
        (["refresh", "--pins", "curlrc"], "name the one HOST that the pins are for"),
        (
            ["diff", "curlrc", "curlrc"],
            "convert the file with pinctl convert --to pins --host NAME curlrc, and use the set that this prints"
        ),
        (["verify", "--pins", "forti", "h.example"], "use --certificates FILE|DIR"),
        (
            ["refresh", "--pins", "forti", "h.example"],
            "convert the file with pinctl convert --to pins --certificates FILE forti, and use the set that this prints"
        ),
    ])
    func namesAnOptionOfTheCommand(words: [String], step: String) throws {
        defer { folder.remove() }
        let pin = try pki.pin("root")
        try folder.write("pinnedpubkey = \"sha256//\(pin)\"\n", to: "curlrc")
        try folder.write("trusted-cert = \(String(repeating: "0a", count: 32))\n", to: "forti")
        let run = try PinctlRun.spawn(words, folder: folder.url)
        #expect(run.status == 2 && run.errors.hasSuffix("pinctl: hint: \(step)\n"), "\(run)")
    }
}
