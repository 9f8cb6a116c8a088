import Foundation
import InProcessRuns
import PinSetCodec
import PinSetFormats
import TestSupport
import Testing

/// A private key in any form that `hash` reads, given as a list of hosts, is neither printed nor looked up. Given as a pin set, it is not
/// printed.
@Suite(.blocking) struct KeyAsListTests {
    private static let algorithms = [
        ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"], ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"], ["ED25519"],
    ]

    enum Form: CaseIterable {
        case pem, der, oneLine, wrapped, narrow, pemInBase64, withoutFirstLine

        /// - Parameter pem: the key in PEM.
        func contents(_ pem: String) throws -> Data {
            let body = pem.split(separator: "\n").dropFirst().dropLast().joined()
            let lines = { (width: Int) in
                Data(
                    stride(from: 0, to: body.count, by: width).map { body.dropFirst($0).prefix(width) + "\n" }.joined()
                        .utf8)
            }
            switch self {
            case .pem: return Data(pem.utf8)
            case .der: return try #require(Data(base64Encoded: body))
            case .oneLine: return Data(body.utf8)
            case .wrapped: return lines(64)
            case .narrow: return lines(20)
            case .pemInBase64: return Data(pem.utf8).base64EncodedData()
            case .withoutFirstLine: return Data(pem.split(separator: "\n").dropFirst().joined(separator: "\n").utf8)
            }
        }
    }

    @Test(arguments: algorithms, Form.allCases) func isNotShown(algorithm: [String], form: Form) throws {
        let folder = try TemporaryFolder("key-as-list")
        defer { folder.remove() }
        let pem = String(
            decoding: try ChildProcess.output(of: ["openssl", "genpkey", "-algorithm"] + algorithm), as: UTF8.self)
        let contents = try form.contents(pem)
        try contents.write(to: folder.url.appending(path: "key"))
        let run = try PinctlRun.inProcess(["hash", "key"], folder: folder.url)
        #expect(run.status == 0 || form == .withoutFirstLine, "\(run)")
        try folder.write(
            #"{"version":1,"hosts":{"h.test":["C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="]}}"#, to: "pins.json")
        for command in [["fetch"], ["verify", "--pins", "pins.json"], ["challenge"], ["fetch", "-f", "csv"]] {
            let run = try PinctlRun.inProcess(command + ["--from", "key"], folder: folder.url)
            #expect(run.status == 2 && run.errors.contains("of \"key\""), "\(run)")
            expectNoPart(of: contents, in: run)
        }
    }

    /// A line with white space is never a host or a URL. If it is that of a .netrc file, the password is not printed.
    @Test(arguments: [["fetch"], ["challenge"]]) func aNetrcFileIsNoList(command: [String]) throws {
        let folder = try TemporaryFolder("netrc-as-list")
        defer { folder.remove() }
        try folder.write("machine api.example.com login alice password s3cretPass\n", to: "netrc")
        let run = try PinctlRun.inProcess(command + ["--from", "netrc"], folder: folder.url)
        #expect(run.status == 2 && run.errors.contains("contains white space"), "\(run)")
        #expect(!run.errors.contains("s3cret") && !run.errors.contains("alice"), "\(run)")
        // A long user information is removed as a whole.
        try folder.write("https://user:\(String(repeating: "s3cret", count: 20))@h x\n", to: "urls")
        let urls = try PinctlRun.inProcess(command + ["--from", "urls"], folder: folder.url)
        #expect(urls.status == 2 && !urls.errors.contains("s3cret"), "\(urls)")
    }

    @Test(arguments: ["DB_PASSWORD=s3cret,x", "http:s3cret", "s3cret://x", "h:s3cret"]) func aSettingIsNoURL(
        line: String
    ) throws {
        let run = try PinctlRun.inProcess(["challenge", "--from", "-"], input: Array("\(line)\n".utf8))
        #expect(run.status == 2 && run.errors.contains("line 1 of standard input: the "), "\(run)")
        #expect(!run.errors.contains("s3cret"), "\(run)")
    }

    /// The words after which the name of the key file follows.
    private static let pinSetCommands = [
        ["verify", "h.test", "--pins"], ["refresh", "--pins"], ["diff", "pins.json"], ["lint"],
        ["convert", "--to", "hpkp"],
    ]

    @Test(arguments: algorithms, Form.allCases)
    func isNotShownAsPinSet(algorithm: [String], form: Form) throws {
        let folder = try TemporaryFolder("key-as-pins")
        defer { folder.remove() }
        let pem = String(
            decoding: try ChildProcess.output(of: ["openssl", "genpkey", "-algorithm"] + algorithm), as: UTF8.self)
        let contents = try form.contents(pem)
        try contents.write(to: folder.url.appending(path: "key"))
        try folder.write(
            #"{"version":1,"hosts":{"h.test":["C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="]}}"#, to: "pins.json")
        var commands = Self.pinSetCommands
        for format in PinSetFormat.allCases {
            commands += [
                ["lint", "--from-format", format.rawValue],
                ["convert", "--to", "pins", "--from-format", format.rawValue],
            ]
        }
        for command in commands {
            let run = try PinctlRun.inProcess(command + ["key"], folder: folder.url)
            expectNoPart(of: contents, in: run)
        }
    }

    @Test(arguments: algorithms, ["text", "json", "sarif", "junit", "github"])
    func isNotShownAsAPinOrAHost(algorithm: [String], format: String) throws {
        let folder = try TemporaryFolder("key-as-pin")
        defer { folder.remove() }
        let pem = String(
            decoding: try ChildProcess.output(of: ["openssl", "genpkey", "-algorithm"] + algorithm), as: UTF8.self)
        let contents = try Form.oneLine.contents(pem)
        let key = String(decoding: contents, as: UTF8.self)
        for hosts in [#""h.test":["\#(key)"]"#, #""\#(key)":[]"#] {
            try folder.write(#"{"version":1,"hosts":{\#(hosts)}}"#, to: "pins.json")
            for command in [
                ["lint", "-f", format, "pins.json"], ["verify", "-f", format, "--pins", "pins.json", "h.test"],
            ] {
                let run = try PinctlRun.inProcess(command, folder: folder.url)
                #expect(run.status != 0, "\(run)")
                expectNoPart(of: contents, in: run)
            }
        }
    }

    /// No 12 printable bytes of the key are in the output, in upper or lower case.
    private func expectNoPart(of contents: Data, in run: PinctlRun) {
        let shown = (run.text + run.errors).lowercased()
        let words = contents.split { !(0x21...0x7E).contains($0) || $0 == UInt8(ascii: "-") }
        for word in words.map({ String(decoding: $0, as: UTF8.self).lowercased() }) where word.count >= 12 {
            for start in stride(from: 0, through: word.count - 12, by: 4) {
                let part = word.dropFirst(start).prefix(12)
                guard shown.contains(part) else { continue }
                Issue.record("\(part) is in \(shown)")
                return
            }
        }
    }
}
