import Foundation
import InProcessRuns
import TestSupport
import Testing

/// Other programs use converted sets: curl and openssl with a server, Python, and the Swift compiler.
@Suite(.blocking) struct ConvertOracleTests {
    private let folder: TemporaryFolder
    private let pki: TestSupport.TestPKI

    init() throws {
        folder = try TemporaryFolder("convert-oracle")
        pki = try TestSupport.TestPKI.shared()
    }

    /// Converts a set for one host.
    private func convert(_ pins: String, to format: String, more: [String] = []) throws -> String {
        let set = #"{"version":1,"hosts":{"localhost":{"pins":[\#(pins)]}}}"#
        let run = try PinctlRun.inProcess(
            ["convert", "--to", format] + more + ["-"], input: Array(set.utf8), folder: folder.url)
        #expect(run.status == 0, "\(run)")
        return run.text
    }

    private func run(_ command: [String], input: [UInt8] = []) throws -> (status: ChildProcess.End, text: String) {
        let outcome = try ChildProcess.run(
            command, environment: TestEnvironment.base, input: input, folder: folder.url, atMost: .seconds(300))
        return (outcome.end, String(decoding: outcome.output, as: UTF8.self) + outcome.errors)
    }

    private func key(_ name: String, _ role: String) throws -> String {
        #"{"sha256":"\#(try pki.pin(name))","role":"\#(role)"}"#
    }

    @Test func curlAcceptsAndRefuses() throws {
        try OpenSSLServer.run { server in
            for (pins, status) in [
                (try key("leaf", "leaf"), Int32(0)), (try key("other-leaf", "leaf") + "," + key("leaf", "leaf"), 0),
                // CURLE_SSL_PINNEDPUBKEYNOTMATCH.
                (try key("other-leaf", "leaf"), 90), (try key("intermediate", "any"), 90),
            ] {
                let value = try convert(pins, to: "curl").trimmingCharacters(in: .newlines)
                let result = try run([
                    "curl", "--silent", "--insecure", "--pinnedpubkey", value, "https://\(server.endpoint)/",
                ])
                #expect(result.status == .exit(status), "\(value)")
            }
        }
    }

    @Test func opensslAcceptsAndRefusesRecords() throws {
        try OpenSSLServer.run { server in
            for (pins, isGood) in [
                (try key("leaf", "leaf"), true), (try key("intermediate", "ca"), true), (try key("leaf", "any"), true),
                (try key("intermediate", "any"), true), (try key("other-leaf", "leaf"), false),
                (try key("intermediate", "leaf"), false), (try key("leaf", "ca"), false),
            ] {
                var command = ["openssl", "s_client", "-connect", server.endpoint, "-servername", "localhost"]
                command += ["-dane_tlsa_domain", "localhost", "-verify_return_error"]
                for line in try convert(pins, to: "tlsa").split(separator: "\n") {
                    let words = line.split(separator: " ")
                    #expect(words.prefix(3) == ["_443._tcp.localhost.", "IN", "TLSA"])
                    command += ["-dane_tlsa_rrdata", words.dropFirst(3).prefix(4).joined(separator: " ")]
                }
                let result = try run(command)
                #expect(result.text.contains("Verification: OK") == isGood, "\(pins)\n\(result.text.suffix(600))")
            }
        }
    }

    @Test(arguments: ["pins", "react-native", "react-native-ssl-manager", "wultra", "chromium"])
    func pythonReadsTheJSON(format: String) throws {
        let pin = try pki.pin("leaf")
        let label = #"{"sha256":"\#(pin)","role":"leaf","label":"\"quoted\" \\ and é\u0007"}"#
        let certificates = format == "wultra" ? ["--certificates", pki.path("leaf.pem")] : []
        let output = format == "chromium" ? ["--output", "out/"] : []
        let text = try convert(label, to: format, more: certificates + output)
        let json = format == "chromium" ? try folder.text("out/transport_security_state_static_pins.json") : text
        let result = try run(
            ["python3", "-c", "import json,sys; print(json.dumps(json.load(sys.stdin)))"], input: Array(json.utf8))
        #expect(result.status == .exit(0))
        if format == "pins" { #expect(result.text.contains(#""label": "\"quoted\" \\ and \u00e9\u0007""#)) }
    }

    /// A simple check of Kotlin: brackets are balanced, strings end on their line, and pins are in strings.
    @Test(arguments: ["okhttp", "cronet"]) func kotlinIsWellFormed(format: String) throws {
        let label = #"{"sha256":"\#(try pki.pin("leaf"))","label":"\" */ ) $x \\ // \n } "}"#
        let source = try convert(try label + "," + key("root", "any"), to: format)
        var open: [Character] = []
        let pairs: [Character: Character] = [")": "(", "}": "{", "]": "["]
        for line in source.split(separator: "\n") {
            let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
            var code = ""
            for (index, part) in parts.enumerated() where index % 2 == 0 {
                let comment = part.range(of: "//")
                code += part[..<(comment?.lowerBound ?? part.endIndex)]
                if comment != nil { break }
            }
            for character in code {
                if "({[".contains(character) { open.append(character) }
                if let pair = pairs[character] { #expect(open.popLast() == pair) }
            }
        }
        #expect(open.isEmpty)
        #expect(source.contains(try pki.pin("root")))
    }

    // MARK: Swift

    /// The raw key as Apple's frameworks return it: the SubjectPublicKeyInfo without its header.
    private func rawKey(_ name: String) throws -> (type: String, bits: Int, bytes: [UInt8]) {
        let info = try ChildProcess.output(
            of: ["openssl", "x509", "-in", pki.path("\(name).pem"), "-noout", "-text"])
        let text = String(decoding: info, as: UTF8.self)
        let bits = try #require(text.firstMatch(of: /Public-Key: \((\d+) bit\)/)).output.1
        if text.contains("rsaEncryption\n                Public-Key")
            || text.contains("Public Key Algorithm: rsaEncryption")
        {
            try folder.write(
                ChildProcess.output(of: ["openssl", "x509", "-in", pki.path("\(name).pem"), "-noout", "-pubkey"]),
                to: "key.pem")
            let der = try ChildProcess.output(
                of: ["openssl", "rsa", "-pubin", "-in", folder.path("key.pem"), "-RSAPublicKey_out", "-outform", "DER"])
            return ("42", try #require(Int(bits)), der)
        }
        let point = try #require(text.firstMatch(of: /pub:\s*([0-9a-f:\s]+?)\n\s+[A-Z]/)).output.1
        let bytes = point.split { ": \n".contains($0) }.compactMap { UInt8($0, radix: 16) }
        return ("73", try #require(Int(bits)), bytes)
    }

    @Test func delegateAcceptsOnlyPinnedKeys() throws {
        let names = ["leaf", "leaf-rsa", "leaf-p384", "intermediate", "root", "root-rsa"]
        let set = """
            {"version":1,"hosts":{
              "ec.test":["\(try pki.pin("leaf"))"], "rsa.test":["\(try pki.pin("leaf-rsa"))"], "p384.test":["\(try pki.pin("leaf-p384"))"],
              "roles.test":{"subdomains":"one","pins":[\(try key("leaf", "ca")),\(try key("intermediate", "intermediate"))]},
              "root.test":{"subdomains":"all","pins":[\(try key("root", "root")),\(try key("intermediate", "leaf"))]},
              "report.test":{"enforce":false,"pins":["\(try pki.pin("other-leaf"))"]},
              "over.test":{"expires":"2020-01-01","pins":["\(try pki.pin("other-leaf"))"]} }}
            """
        let run = try PinctlRun.inProcess(
            ["convert", "--to", "urlsession", "--strict", "-"], input: Array(set.utf8), folder: folder.url)
        #expect(run.status == 0, "\(run)")
        let alamofire = try PinctlRun.inProcess(
            ["convert", "--to", "alamofire", "--certificates", pki.path("leaf.pem"), "-o", "out/", "-"],
            input: Array(#"{"version":1,"hosts":{"ec.test":["\#(try pki.pin("leaf"))"]}}"#.utf8), folder: folder.url)
        #expect(alamofire.status == 0, "\(alamofire)")
        let written = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
        let der = try #require(written.first { $0.hasSuffix(".der") })

        var main = "import Foundation\nlet keys: [String: SecCertificate] = [\n"
        for name in names {
            let key = try rawKey(name)
            let bytes = Data(key.bytes).base64EncodedString()
            main += "\"\(name)\": SecCertificate(key: SecKey(type: \"\(key.type)\", bits: \(key.bits),"
            main += " bytes: Data(base64Encoded: \"\(bytes)\")!)),\n"
        }
        main += """
            ]
            func ask(_ host: String, _ chain: String..., valid: String? = nil, method: String = NSURLAuthenticationMethodServerTrust) {
                let trust = SecTrust(chain: chain.compactMap { keys[$0] }, validHost: valid ?? host)
                let space = URLProtectionSpace(host: host, authenticationMethod: method, serverTrust: trust)
                PinningDelegate().urlSession(URLSession(), didReceive: URLAuthenticationChallenge(space)) { answer, _ in
                    print(host, chain.joined(separator: ","), answer)
                }
            }
            ask("ec.test", "leaf", "intermediate", "root")
            ask("EC.test.", "leaf")
            ask("ec.test", "leaf-rsa", "intermediate")
            ask("rsa.test", "leaf-rsa")
            ask("p384.test", "leaf-p384")
            ask("p384.test", "leaf")
            ask("ec.test", "leaf", valid: "other.test")
            ask("ec.test", "leaf", method: "basic")
            ask("a.ec.test", "leaf-rsa")
            ask("roles.test", "leaf", "root")
            ask("roles.test", "root", "leaf", "root")
            ask("a.roles.test", "leaf", "intermediate", "root")
            ask("a.roles.test", "leaf-rsa", "root", "intermediate")
            ask("b.a.roles.test", "leaf-rsa")
            ask("b.a.root.test", "leaf", "intermediate", "root")
            ask("root.test", "root")
            ask("root.test", "leaf", "root", "intermediate")
            ask("report.test", "leaf", "root")
            ask("over.test", "leaf", "root")
            let bundle = Bundle(path: CommandLine.arguments[1])!
            let evaluator = try PinnedServers.trustManager(in: bundle).evaluators["ec.test"] as! PublicKeysTrustEvaluator
            print(evaluator.keys.map { $0.bytes.count })

            """
        // The stubs replace these modules.
        func withoutImports(_ source: String) -> String {
            ["Alamofire", "CryptoKit", "Security"].reduce(source) { $0.replacing("import \($1)\n", with: "") }
        }
        try folder.write(main, to: "main.swift")
        try folder.write(withoutImports(run.text), to: "PinningDelegate.swift")
        try folder.write(withoutImports(folder.text("out/PinnedServers.swift")), to: "PinnedServers.swift")
        // The file has no .swift extension, because its names are Apple's and would violate the rules of this repository.
        let stubs = Repository.path("Tests/Vectors/formats/AppleStubs.swift.txt")
        try folder.write(Data(contentsOf: URL(filePath: stubs)), to: "AppleStubs.swift")
        let compiled = try self.run(
            [
                "swiftc", "-swift-version", "5", "-o", "delegate", "main.swift", "PinningDelegate.swift",
                "PinnedServers.swift", "AppleStubs.swift",
            ])
        #expect(compiled.status == .exit(0), "\(compiled.text)")
        let result = try ChildProcess.output(of: ["./delegate", folder.path("out")], folder: folder.url)
        let answers = String(decoding: result, as: UTF8.self).split(separator: "\n").map(String.init)
        let expected = [
            "ec.test leaf,intermediate,root useCredential", "EC.test. leaf useCredential",
            "ec.test leaf-rsa,intermediate cancelAuthenticationChallenge", "rsa.test leaf-rsa useCredential",
            "p384.test leaf-p384 useCredential", "p384.test leaf cancelAuthenticationChallenge",
            "ec.test leaf cancelAuthenticationChallenge", "ec.test leaf performDefaultHandling",
            "a.ec.test leaf-rsa performDefaultHandling", "roles.test leaf,root cancelAuthenticationChallenge",
            "roles.test root,leaf,root useCredential", "a.roles.test leaf,intermediate,root useCredential",
            "a.roles.test leaf-rsa,root,intermediate cancelAuthenticationChallenge",
            "b.a.roles.test leaf-rsa performDefaultHandling", "b.a.root.test leaf,intermediate,root useCredential",
            "root.test root cancelAuthenticationChallenge",
            "root.test leaf,root,intermediate cancelAuthenticationChallenge",
            "report.test leaf,root useCredential", "over.test leaf,root performDefaultHandling",
            "[\(try pki.bytes("leaf.der").count)]",
        ]
        for (answer, expected) in zip(answers, expected) { #expect(answer == expected) }
        #expect(answers.count == expected.count)
        #expect(try folder.bytes("out/\(der)") == pki.bytes("leaf.der"))
    }
}
