import Foundation
import TestSupport
import Testing

/// `pinctl hash` against pins that openssl and certtool computed.
@Suite(.blocking) struct HashTests {
    /// The objects of one file of Tests/Vectors, in file order.
    struct Material: CustomTestStringConvertible, Sendable {
        let file: String
        let pins: [String]
        var testDescription: String { file }
    }

    static let folder = Repository.url.appending(path: "Tests/Vectors/material")

    static let materials: [Material] = {
        let table = (try? String(contentsOf: folder.appending(path: "expected.tsv"), encoding: .utf8)) ?? ""
        let rows = table.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
            .filter { $0.count == 5 && !$0[0].hasPrefix("#") && $0[0] != "file" }
        return Dictionary(grouping: rows, by: { $0[0] }).sorted { $0.key < $1.key }
            .map { Material(file: $0.key, pins: $0.value.map { $0[3] }) }
    }()

    @Test func vectorsExist() { #expect(Self.materials.count > 50) }

    /// All files in one run: each line contains the file name.
    @Test func everyFile() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let password = try folder.write("secret\n", to: "password")
        let run = try PinctlRun.spawn(
            ["hash", "--password-file", password] + Self.materials.map(\.file), folder: Self.folder)
        let expected = Self.materials.flatMap { material in
            material.pins.enumerated().map { "\($1)  \(material.file)\($0 == 0 ? "" : "#\($0 + 1)")" }
        }
        #expect(run.lines == expected, "\(run.errors)")
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test func certificatesOfTheTestPKI() throws {
        let pki = try TestPKI.shared()
        for name in ["leaf", "leaf-rsa", "leaf-p384", "leaf-ed25519", "root-cross"] {
            for file in ["\(name).pem", "\(name).der"] {
                let run = try PinctlRun.spawn(["hash", file], folder: pki.folder.url)
                #expect(run.text == "\(try pki.pin(name))\n")
                #expect(run.status == 0)
            }
        }
        // The pin depends on the key, not on the issuer.
        try #expect(pki.pin("root-cross") == pki.pin("root"))
        let key = try PinctlRun.spawn(["hash", pki.path("leaf.key")])
        #expect(key.text == "\(try pki.pin("leaf"))\n")
    }

    /// The text that s_client prints around the certificates is ignored.
    @Test func certificatesAmongOtherText() throws {
        let pki = try TestPKI.shared()
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let client =
                "openssl s_client -connect \(server.endpoint) -servername localhost -showcerts </dev/null 2>/dev/null"
            let text = try ChildProcess.output(of: ["sh", "-c", client])
            let run = try PinctlRun.spawn(["hash", "-"], input: text)
            // Some versions print the leaf twice.
            #expect(Array(run.lines.prefix(2)) == (try pki.pins("leaf", "intermediate")), "\(run)")
        }
    }

    /// hash reads the output of fetch.
    @Test func filesOfFetch() throws {
        let pki = try TestPKI.shared()
        let pins = try pki.pins("leaf", "intermediate", "root")
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            for format in ["pem", "base64"] {
                let selections = format == "pem" ? ["all"] : ["leaf"]
                for selection in selections {
                    let fetched = try fetch(
                        server.localhost, "--anchors", pki.path("root.pem"), "-f", format, "-s", selection)
                    let run = try PinctlRun.spawn(["hash", "-"], input: fetched.output)
                    #expect(run.lines == (selection == "all" ? pins : [pins[0]]), "\(run)")
                }
            }
        }
    }

    /// OpenSSL writes a key of RSA-PSS without its parameters, and then cannot read it. The pin of RSA would match no certificate.
    @Test(arguments: ["", "-aes128 -passout pass:secret"]) func traditionalKeyOfRSAPSS(encryption: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try Shell.run(
            """
            openssl genpkey -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048 -out pkcs8.pem
            openssl rsa -in pkcs8.pem -traditional \(encryption) -out key.pem
            printf secret >password
            ! openssl pkey -noout -in key.pem -passin file:password 2>errors
            """, in: folder.url)
        let text = try String(contentsOf: folder.url.appending(path: "key.pem"), encoding: .utf8)
        #expect(text.hasPrefix("-----BEGIN RSA-PSS PRIVATE KEY-----"))
        let run = try PinctlRun.spawn(["hash", "--password-file", "password", "key.pem"], folder: folder.url)
        #expect(run.status == 2 && run.output.isEmpty && run.errors.contains("RSA-PSS private key"), "\(run)")
    }

    @Test(arguments: [
        (["nowhere.der"], "unreadable"), (["refused-empty"], "empty"), (["refused-white-space"], "empty"),
        (["refused-crl.der"], "other-format"), (["refused-sha256-hex"], "other-format"),
        (["refused-truncated.der"], "truncated"), (["refused-trailing.der"], "malformed"),
        (["private-p256-scrypt.pem"], "password-needed"),
        (["--of", "certificate", "request.der"], "not-a-certificate"),
    ])
    func errorsHaveCodes(arguments: [String], code: String) throws {
        let run = try PinctlRun.spawn(["hash", "-f", "json"] + arguments, folder: Self.folder)
        #expect(run.status == 2, "\(run)")
        let document = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        let object = try #require((document["objects"] as? [[String: Any]])?.first)
        let error = try #require(object["error"] as? [String: String])
        #expect(error["code"] == code)
        #expect(error["message"]?.isEmpty == false)
        let table = try String(contentsOf: Repository.url.appending(path: "Docs/json.md"), encoding: .utf8)
        #expect(table.contains("`\(code)`"))
    }
}
