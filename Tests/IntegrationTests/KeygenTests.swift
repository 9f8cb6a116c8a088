import Foundation
import TestSupport
import Testing

/// `pinctl keygen`: openssl and certtool read its key and its request.
@Suite(.blocking) struct KeygenTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("keygen")
        try folder.write("correct horse\nsecond line\n", to: "password")
    }

    private func keygen(_ arguments: String...) throws -> PinctlRun {
        try PinctlRun.spawn(["keygen"] + arguments, folder: folder.url)
    }

    /// Both streams of a command; nil if it fails.
    private func output(_ command: String...) throws -> String? {
        let run = try ChildProcess.run(command, folder: folder.url)
        return run.end == .exit(0) ? run.text + run.errors : nil
    }

    private func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
        return try #require(attributes[.posixPermissions] as? Int)
    }

    private func names() throws -> [String] { try folder.names().filter { $0 != "password" } }

    @Test(arguments: [
        ("ec", "ASN1 OID: prime256v1", "ecdsa-with-SHA256"), ("ec-p384", "ASN1 OID: secp384r1", "ecdsa-with-SHA384"),
        ("rsa", "(3072 bit", "sha256WithRSAEncryption"), ("rsa-4096", "(4096 bit", "sha256WithRSAEncryption"),
        ("ed25519", "ED25519 Private-Key", "ED25519"),
    ])
    func everyType(type: String, key: String, signature: String) throws {
        defer { folder.remove() }
        let run = try keygen("k.key", "--type", type, "--host", "api.example.com", "--password-file", "password")
        #expect(run.status == 0, "\(run)")
        let text = try #require(
            try output("openssl", "pkey", "-in", "k.key", "-passin", "pass:correct horse", "-noout", "-text", "-check"))
        #expect(text.contains(key) && text.contains("Key is valid"), "\(text)")
        let request = try #require(try output("openssl", "req", "-in", "k.csr", "-verify", "-noout", "-text"))
        #expect(request.contains("self-signature verify OK"), "\(request)")
        #expect(request.contains("Signature Algorithm: \(signature)\n"), "\(request)")
        #expect(request.contains("CN = api.example.com"))
        let seen = try #require(try output("certtool", "--crq-info", "--infile", "k.csr"))
        #expect(seen.contains("Self signature: verified") && seen.contains("DNSname: api.example.com"), "\(seen)")
        // openssl and pinctl compute the same pin for the key and the request.
        let pin = try folder.pin(ofKey: "k.key", password: "correct horse")
        #expect(run.text == pin + "\n")
        let hash = try PinctlRun.spawn(["hash", "k.key", "k.csr", "--password-file", "password"], folder: folder.url)
        #expect(hash.text == "\(pin)  k.key\n\(pin)  k.csr\n", "\(hash)")
    }

    /// PBES2 with 600,000 iterations of PBKDF2 with HMAC-SHA-256, 128 bits of salt, and AES-256.
    @Test func isEncrypted() throws {
        defer { folder.remove() }
        try #expect(keygen("k.key", "--password-file", "password").status == 0)
        try #expect(folder.text("k.key").hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"))
        let structure = try #require(try output("openssl", "asn1parse", "-in", "k.key"))
        for part in [":PBES2", ":PBKDF2", ":0927C0\n", ":hmacWithSHA256", ":aes-256-cbc"] {
            #expect(structure.contains(part), "\(part) in \(structure)")
        }
        #expect(
            structure.contains { $0.isNewline }
                && structure.split(separator: "\n").contains { $0.contains("l=  16 prim: OCTET") })
        try #expect(output("openssl", "pkey", "-in", "k.key", "-passin", "pass:wrong", "-noout") == nil)
        try #expect(output("openssl", "pkey", "-in", "k.key", "-passin", "pass:", "-noout") == nil)
        try folder.write("tr0ubad0ur\n", to: "wrong")
        let hash = try PinctlRun.spawn(["hash", "k.key", "--password-file", "wrong"], folder: folder.url)
        #expect(hash.status == 2 && hash.errors.contains("the password is wrong"), "\(hash)")
        // GnuTLS reads it too.
        let other = try #require(
            try output("certtool", "--key-info", "--pkcs8", "--password", "correct horse", "--infile", "k.key"))
        #expect(other.contains("SECP256R1"), "\(other)")
    }

    @Test func everyKeyIsDifferent() throws {
        defer { folder.remove() }
        let pins = try ["a", "b"].map { try keygen($0, "--no-encrypt").text }
        #expect(pins[0] != pins[1])
    }

    @Test func namesEveryHost() throws {
        defer { folder.remove() }
        let run = try keygen(
            "k.pem", "--no-encrypt", "--host", "API.example.com", "--host", "*.bücher.example", "--host", "192.0.2.1",
            "--host", "2001:db8::1", "--host", "api.example.com")
        #expect(run.status == 0, "\(run)")
        // The hint contains a command that works.
        #expect(
            run.errors.contains("hint: to add the pin to a set, use pinctl add --pins FILE --from-csr k.csr HOST\n"),
            "\(run)")
        let request = try #require(try output("openssl", "req", "-in", "k.csr", "-noout", "-text"))
        #expect(
            request.contains(
                "DNS:api.example.com, DNS:*.xn--bcher-kva.example, IP Address:192.0.2.1, IP Address:2001:DB8:0:0:0:0:0:1\n"
            ),
            "\(request)")
        #expect(!request.contains("Subject Alternative Name: critical"))
        // A name that is too long for a subject is only in the extension, which is then critical (RFC 5280, section 4.2.1.6).
        let label = String(repeating: "a", count: 60)
        try #expect(keygen("long", "--no-encrypt", "--host", "\(label).\(label).example").status == 0)
        let long = try #require(try output("openssl", "req", "-in", "long.csr", "-noout", "-text"))
        #expect(long.contains("Subject: \n") && long.contains("X509v3 Subject Alternative Name: critical"), "\(long)")
        try #expect(keygen("none", "--no-encrypt").status == 0)
        let none = try #require(try output("openssl", "req", "-in", "none.csr", "-noout", "-text", "-verify"))
        #expect(none.contains("Subject: \n") && !none.contains("Alternative"), "\(none)")
        try #expect(names() == ["k.csr", "k.pem", "long", "long.csr", "none", "none.csr"])
    }

    /// Only the owner can read the key, whatever the umask of the process.
    @Test(arguments: [("0", 0o600, 0o666), ("022", 0o600, 0o644), ("0777", 0o600, 0)])
    func permissions(umask: String, key: Int, request: Int) throws {
        defer { folder.remove() }
        let run = try ChildProcess.run(
            ["sh", "-c", "umask \(umask); exec \"$0\" keygen k.key --no-encrypt", PinctlRun.executable],
            folder: folder.url)
        #expect(run.end == .exit(0), "\(run.errors)")
        try #expect(mode("k.key") == key)
        try #expect(mode("k.csr") == request)
    }

    /// An existing file stays as it is, and no other file is created.
    @Test(arguments: ["k.key", "k.csr"]) func overwritesNothing(name: String) throws {
        defer { folder.remove() }
        try folder.write("precious\n", to: name)
        let run = try keygen("k.key", "--no-encrypt")
        #expect(run.status == 2, "\(run)")
        #expect(run.output.isEmpty)
        #expect(
            run.errors.hasPrefix("pinctl: error: \"\(name)\" exists and is not overwritten\n"), "\(run)")
        try #expect(folder.text(name) == "precious\n")
        try #expect(names() == [name])
    }

    /// Nothing is written through a symbolic link, whether its target exists or not.
    @Test func followsNoLinks() throws {
        defer { folder.remove() }
        try FileManager.default.createSymbolicLink(atPath: folder.path("k.key"), withDestinationPath: "elsewhere")
        try #expect(keygen("k.key", "--no-encrypt").status == 2)
        try #expect(names() == ["k.key"])
    }

    @Test func leavesNothingAfterAFailure() throws {
        defer { folder.remove() }
        let missing = try keygen("nowhere/k.key", "--no-encrypt")
        #expect(missing.status == 2 && missing.errors.contains("there is no folder \"nowhere\""), "\(missing)")
        // The key can be written, the request cannot.
        let half = try keygen("k.key", "--no-encrypt", "--request", "nowhere/k.csr")
        #expect(half.status == 2, "\(half)")
        try #expect(names().isEmpty)
    }

    /// A process killed at any moment leaves both files, neither, or only the key; each of them is complete.
    @Test func aKilledProcessLeavesCompleteFiles() throws {
        defer { folder.remove() }
        var killed = 0
        // timeout(1) treats 0 as no limit.
        for attempt in 1..<40 {
            let name = "k\(attempt)"
            let run = try ChildProcess.run(
                [
                    "timeout", "-s", "KILL", "0.0\(String(format: "%02d", attempt))", PinctlRun.executable, "keygen",
                    name,
                ]
                    + ["--no-encrypt"], environment: TestEnvironment.base, folder: folder.url)
            if run.end != .exit(0) { killed += 1 }
        }
        #expect(killed > 0)
        for name in try names() {
            let isRequest = name.hasSuffix(".csr")
            try #expect(
                output("openssl", isRequest ? "req" : "pkey", "-in", name, "-noout") != nil, "\(name) is not whole")
            if isRequest { try #expect(names().contains(String(name.dropLast(4))), "\(name) has no key") }
            #expect(name.allSatisfy { "k0123456789.csr".contains($0) }, "\(name) was left behind")
        }
    }

    @Test func refusesAnEmptyPassword() throws {
        defer { folder.remove() }
        try folder.write("\n", to: "empty")
        let run = try keygen("k.key", "--password-file", "empty")
        #expect(run.status == 2 && run.errors.contains("expected a password"), "\(run)")
        try #expect(names() == ["empty"])
    }

    /// `openssl pkey -passin file:` opens every key that keygen writes, with the same file. openssl reads at most 1023 bytes, and
    /// includes a carriage return.
    @Test func passwordsAreThoseOfOpenSSL() throws {
        defer { folder.remove() }
        for (name, line) in [
            ("long", String(repeating: "a", count: 1023)), ("short", "a"), ("bytes", "p\u{E9} \u{1F511}\t\u{1}"),
        ] {
            try folder.write(line + "\nsecond\n", to: name)
            let run = try keygen("\(name).key", "--password-file", name)
            #expect(run.status == 0, "\(run)")
            try #expect(output("openssl", "pkey", "-in", "\(name).key", "-passin", "file:\(name)", "-noout") != nil)
        }
        for (name, line, message) in [
            ("longer", String(repeating: "a", count: 1024) + "\n", "has 1024 bytes: openssl reads at most 1023"),
            ("nul", "abcd\0efg\n", "contains a NUL byte"), ("return", "abcd\r\n", "ends with a carriage return"),
        ] {
            try folder.write(line, to: name)
            let run = try keygen("\(name).key", "--password-file", name)
            #expect(run.status == 2 && run.errors.contains(message), "\(run)")
            try #expect(!names().contains("\(name).key"))
        }
    }

    #if os(Linux)
        /// The private key that signs a file is a secret too, so no core dump contains it (prctl(2), "PR_SET_DUMPABLE").
        @Test(arguments: [
            ["convert", "--to", "wultra", "set.json", "--sign", "sign.key"], ["sync", "--check", "sync.json"],
        ])
        func aProcessWithASigningKeyWritesNoCoreDump(command: [String]) throws {
            defer { folder.remove() }
            let pin = String(repeating: "A", count: 43) + "="
            try folder.write("{\"version\":1,\"hosts\":{\"a.test\":[\"\(pin)\"]}}", to: "set.json")
            let options = ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "sign.key"]
            _ = try ChildProcess.output(of: ["openssl", "genpkey"] + options, folder: folder.url)
            try folder.write(
                """
                {"version":1,"set":"set.json","copies":[{"file":"w.json","format":"wultra","sign":"sign.key"}]}
                """, to: "sync.json")
            let run = try ChildProcess.run(
                ["strace", "-f", "-e", "trace=prctl,openat", PinctlRun.executable] + command, folder: folder.url)
            let lines = run.errors.split(separator: "\n")
            let protection = lines.firstIndex { $0.contains("PR_SET_DUMPABLE, SUID_DUMP_DISABLE") } ?? lines.count
            let reading = lines.firstIndex { $0.contains("sign.key\"") } ?? 0
            #expect(protection < reading, "\(run.errors)")
        }
    #endif

    @Test func json() throws {
        defer { folder.remove() }
        let run = try keygen(
            "k.key", "--password-file", "password", "--host", "b.example", "--host", "a.example", "-f", "json",
            "--request", "r.pem")
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.isEmpty)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        #expect(object["schema"] as? String == "pinctl/keygen/1")
        #expect(object["pin"] as? String == (try folder.pin(ofKey: "k.key", password: "correct horse")))
        #expect(object["keyFile"] as? String == "k.key")
        #expect(object["requestFile"] as? String == "r.pem")
        #expect(object["encrypted"] as? Bool == true)
        #expect(object["hosts"] as? [String] == ["b.example", "a.example"])
        #expect((object["key"] as? [String: Any])?["curve"] as? String == "P-256")
        #expect(Set(object.keys) == ["schema", "pin", "key", "keyFile", "encrypted", "requestFile", "hosts"])
    }
}
