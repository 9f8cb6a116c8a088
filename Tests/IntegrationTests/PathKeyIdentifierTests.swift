import Foundation
import TestSupport
import Testing

/// Paths that OpenSSL does not build because of key identifiers, and CAs that differ only in their keys. GnuTLS, which compares no serial
/// numbers of issuers, is the reference for what other clients build.
@Suite(.blocking) struct PathKeyIdentifierTests {
    let folder: TemporaryFolder

    /// Makes a PKI without key identifiers, unless a name says otherwise: "old" and "new" are roots with the name "Root", and "new-by-old" is
    /// the new key with the old signature. "i-by-a" and "i-by-b" have one name and one key; the certificate "leaf-by-i" names the serial
    /// number of the first.
    init() throws {
        folder = try TemporaryFolder("key-identifiers")
        try Shell.run(
            #"""
            set -e
            exec 2>log
            none='subjectKeyIdentifier=none\nauthorityKeyIdentifier=none\n'
            # issue FILE KEY NAME CA-FILE CA-KEY EXTENSIONS
            issue() {
                test -e $2.key || openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out $2.key
                openssl req -new -key $2.key -subj "/CN=$3" -out csr
                printf "$6" >ext
                by="-CA $4.pem -CAkey $5.key"
                test $4 != - || by="-signkey $5.key"
                openssl x509 -req -in csr $by -set_serial 0x$(openssl rand -hex 8) -days $days -$digest -extfile ext -out $1.pem
            }
            days=20 digest=sha256
            ca="basicConstraints=critical,CA:TRUE\n"
            name="subjectAltName=DNS:localhost\n"
            issue old old Root - old "$ca$none"
            issue new new Root - new "$ca$none"
            issue new-by-old new Root old old "$ca$none"
            issue leaf-by-new leaf localhost new new "$name$none"
            issue a a "Root A" - a "$ca"
            issue b b "Root B" - b "$ca"
            issue i-by-a i "Issuing CA" a a "$ca"
            issue i-by-b i "Issuing CA" b b "$ca"
            issue leaf-by-i leaf localhost i-by-a i "${name}authorityKeyIdentifier=issuer:always\n"
            issue leaf-by-any-i leaf localhost i-by-a i "$name$none"
            days=-1 issue a-expired a "Root A" - a "$ca"
            issue a-constrained a "Root A" - a "${ca}nameConstraints=critical,permitted;DNS:other.test\n"
            issue a-critical a "Root A" - a "${ca}1.2.3.4=critical,DER:0500\n"
            issue a-by-b a "Root A" b b "$ca"
            days=-1 issue i-expired i "Issuing CA" b b "$ca"
            digest=sha1 issue i-sha1 i "Issuing CA" b b "$ca"
            issue i-not-ca i "Issuing CA" b b "basicConstraints=critical,CA:FALSE\n"
            issue i-critical i "Issuing CA" b b "${ca}1.2.3.4=critical,DER:0500\n"
            issue i-without-constraints i "Issuing CA" b b "keyUsage=keyCertSign\n"
            issue i-for-clients i "Issuing CA" b b "${ca}extendedKeyUsage=clientAuth\n"
            cat a.pem b.pem >roots.pem
            cat old.pem new.pem >old-first.pem
            cat new.pem old.pem >new-first.pem
            """#, in: folder.url)
    }

    private struct Report: Decodable {
        let paths: [Path]
        let pathsComplete: Bool?
        let pinsInAllPaths: [Key]

        struct Path: Decodable {
            let builtByOpenSSL: Bool
            let certificates: [Certificate]
        }
        struct Certificate: Decodable { let sha256: String }
        struct Key: Decodable { let pin: String }
    }

    /// Serves the certificates, leaf first.
    private func serving<Value>(_ names: [String], _ body: (ServerProcess) throws -> Value) throws -> Value {
        try folder.write(names.map { try folder.text("\($0).pem") }.joined(), to: "chain.pem")
        return try Nginx.run {
            "server { listen \($0) ssl; ssl_certificate \(folder.path("chain.pem"));"
                + " ssl_certificate_key \(folder.path("leaf.key")); ssl_ciphers DEFAULT@SECLEVEL=0; }"
        } _: {
            try body($0)
        }
    }

    private func report(_ anchors: String, at server: ServerProcess) throws -> Report {
        let run = try PinctlRun.spawn([
            "fetch", "--paths", "--format", "ndjson", "--anchors", folder.path("\(anchors).pem"), server.localhost,
        ])
        #expect(run.status == 0, "\(run)")
        return try JSONDecoder().decode(Report.self, from: Data(run.output))
    }

    /// The names of the certificates of each path.
    private func names(_ report: Report) throws -> [[String]] {
        var names: [String: String] = [:]
        for name in ["old", "new", "new-by-old", "leaf-by-new", "a", "b", "i-by-a", "i-by-b", "leaf-by-i"] {
            let sum = try Shell.run("openssl x509 -in \(name).pem -outform DER | sha256sum", in: folder.url)
            names[String(sum.prefix(64))] = name
        }
        return report.paths.map { path in path.certificates.map { names[$0.sha256] ?? $0.sha256 } }
    }

    /// Writes a set with the pins of these keys for the server: active, then backups.
    private func writeSet(
        _ keys: [(name: String, state: String)], role: String = "root", for server: ServerProcess
    ) throws {
        let pins = try keys.map { name, state in
            let pin = try Shell.run(
                "openssl pkey -in \(name).key -pubout -outform DER | openssl dgst -sha256 -binary | openssl base64 -A",
                in: folder.url)
            return #"{"sha256":"\#(pin)","role":"\#(role)","state":"\#(state)"}"#
        }
        try folder.write(
            #"{"version":1,"hosts":{"localhost":{"endpoints":["\#(server.localhost)"],"pins":[\#(pins.joined(separator: ","))]}}}"#,
            to: "pins.json")
    }

    /// Whether the program's exit status is 0.
    private func accepts(_ command: String) throws -> Bool {
        try Shell.run("\(command) >/dev/null 2>&1 && echo yes || echo no", in: folder.url).hasPrefix("yes")
    }

    @Test func aPathThatTheKeyIdentifierDoesNotName() throws {
        try Shell.run("cat leaf-by-i.pem i-by-b.pem >short.pem", in: folder.url)
        #expect(try !accepts("openssl verify -CAfile b.pem -untrusted i-by-b.pem leaf-by-i.pem"))
        #expect(
            try accepts(
                "certtool --verify --load-ca-certificate b.pem --infile short.pem --verify-hostname localhost"))
        try serving(["leaf-by-i", "i-by-a", "i-by-b"]) { server in
            let report = try report("roots", at: server)
            #expect(try names(report) == [["leaf-by-i", "i-by-a", "a"], ["leaf-by-i", "i-by-b", "b"]])
            #expect(report.paths.map(\.builtByOpenSSL) == [true, false] && report.pathsComplete == true)
            #expect(report.pinsInAllPaths.count == 2)
            let anchors = ["--anchors", folder.path("roots.pem")]
            let text = try PinctlRun.spawn(["fetch", "--paths", server.localhost] + anchors)
            #expect(text.text.contains("OpenSSL does not build this path"), "\(text)")
            let set = try PinctlRun.spawn(
                ["init", server.localhost, "--policy", "root", "--no-backup", "-o", folder.path("pins.json")] + anchors)
            #expect(set.errors.contains(#"path to the root "Root B", which contains no pin"#), "\(set)")
        }
    }

    /// A backup that some clients use is in use, also for lint.
    @Test func aBackupInAnotherPath() throws {
        try serving(["leaf-by-i", "i-by-a", "i-by-b"]) { server in
            try writeSet([("a", "active"), ("b", "backup")], for: server)
            let anchors = ["--anchors", folder.path("roots.pem")]
            let lint = try PinctlRun.spawn(["lint", "--live", folder.path("pins.json")] + anchors)
            #expect(lint.text.contains("some clients of \"localhost\" build a path"), "\(lint)")
            let refresh = try PinctlRun.spawn(["refresh", "--check", "--pins", folder.path("pins.json")] + anchors)
            #expect(refresh.status == 1, "\(refresh)")
        }
    }

    /// Other clients reject these paths, too.
    @Test(arguments: [
        "i-expired", "i-sha1", "i-not-ca", "i-for-clients", "i-critical", "i-without-constraints",
    ])
    func aPathThatIsNotValid(other: String) throws {
        try Shell.run("cat leaf-by-i.pem \(other).pem >short.pem", in: folder.url)
        #expect(
            try !accepts(
                "certtool --verify --verify-purpose 1.3.6.1.5.5.7.3.1 --load-ca-certificate b.pem --infile short.pem"))
        try serving(["leaf-by-i", "i-by-a", other]) { server in
            try #expect(names(report("roots", at: server)) == [["leaf-by-i", "i-by-a", "a"]])
        }
    }

    /// OpenSSL takes the first certificate of the CA, which leads to an unknown root, and tries no other.
    @Test(arguments: [["i-by-b", "i-by-a"], ["i-by-a", "i-by-b"]]) func aCertificateThatLeadsElsewhere(sent: [String])
        throws
    {
        try Shell.run("cat \(sent.map { $0 + ".pem" }.joined(separator: " ")) >sent.pem", in: folder.url)
        let isAccepted = try accepts("openssl verify -CAfile a.pem -untrusted sent.pem leaf-by-any-i.pem")
        #expect(isAccepted == (sent.first == "i-by-a"))
        try serving(["leaf-by-any-i"] + sent) { server in
            #expect(try accepts("curl --noproxy '*' --cacert a.pem https://\(server.localhost)/") == isAccepted)
            try writeSet([("a", "active")], for: server)
            let anchors = ["--anchors", folder.path("a.pem")]
            let verify = ["verify", "--pins", folder.path("pins.json")] + anchors
            let text = try PinctlRun.spawn(verify)
            #expect(text.status == 0 && text.errors.contains("reject the chain") == !isAccepted, "\(text)")
            let document = try PinctlRun.spawn(verify + ["--format", "sarif"])
            #expect(document.text.contains(#""ruleId": "alternative-path""#) == !isAccepted, "\(document)")
            let fetch = try PinctlRun.spawn(["fetch", server.localhost] + anchors)
            #expect(fetch.text.contains("curl") == !isAccepted, "\(fetch)")
            let pins = try PinctlRun.spawn(["fetch", server.localhost, "--format", "pin"] + anchors)
            #expect(pins.status == 0 && pins.errors.contains("reject the chain") == !isAccepted, "\(pins)")
            let json = try PinctlRun.spawn(["fetch", server.localhost, "--format", "json"] + anchors)
            #expect(json.text.contains("\"alternativePath\": \(!isAccepted)"), "\(json)")
        }
    }

    /// The server sends the new key with the old signature, for clients that have only the old root. OpenSSL takes it for a root.
    @Test(arguments: ["old-first", "new-first"]) func aCertificateWithOneNameTwice(anchors: String) throws {
        try serving(["leaf-by-new", "new-by-old"]) { server in
            let report = try report(anchors, at: server)
            #expect(try names(report) == [["leaf-by-new", "new"], ["leaf-by-new", "new-by-old", "old"]])
            #expect(report.paths.map(\.builtByOpenSSL) == [true, false])
            try writeSet([("old", "active")], for: server)
            let run = try PinctlRun.spawn([
                "refresh", "--accept-new", "localhost", "--write", "--pins", folder.path("pins.json"), "--anchors",
                folder.path("\(anchors).pem"),
            ])
            #expect(run.lines.contains { $0.hasPrefix("  served  root ") }, "\(run)")
            #expect(run.lines.contains { $0.hasPrefix("  new     root ") }, "\(run)")
            #expect(try !folder.text("pins.json").contains("goneSince"), "\(run)")
        }
    }

    /// The first root with the name of the issuer has another key.
    @Test(arguments: ["old-first", "new-first"]) func theOrderOfRootsWithOneName(anchors: String) throws {
        try serving(["leaf-by-new"]) { server in
            let report = try report(anchors, at: server)
            #expect(try names(report) == [["leaf-by-new", "new"]])
            // The order of the bundle is no fault of the server.
            let isAccepted = anchors == "new-first"
            let text = try PinctlRun.spawn([
                "fetch", "--anchors", folder.path("\(anchors).pem"), server.localhost,
            ])
            #expect(
                text.status == 0 && text.text.contains("reject the chain with these trust anchors") == !isAccepted,
                "\(text)")
            let curl = "curl --noproxy '*' --cacert \(anchors).pem https://\(server.localhost)/"
            #expect(try accepts(curl) == isAccepted)
            try writeSet([("leaf", "active")], role: "leaf", for: server)
            let verify = ["verify", "--pins", folder.path("pins.json"), "--anchors", folder.path("\(anchors).pem")]
            let own = try PinctlRun.spawn(verify)
            #expect(own.status == 0 && own.errors.contains("reject the chain") == !isAccepted, "\(own)")
            let asCurl = try PinctlRun.spawn(verify + ["--as", "curl"])
            #expect(asCurl.status == (isAccepted ? 0 : 1), "\(asCurl)")
            #expect(asCurl.text.contains("tries only one path") == !isAccepted, "\(asCurl)")
        }
        #expect(try accepts("openssl verify -CAfile \(anchors).pem leaf-by-new.pem") == (anchors == "new-first"))
        #expect(try accepts("openssl verify -CAfile new.pem leaf-by-new.pem"))
    }

    /// OpenSSL prefers the expired certificate of the bundle to the renewed one of the server.
    @Test func anExpiredIntermediateAsAnchor() throws {
        try Shell.run("cat i-expired.pem a.pem >expired.pem", in: folder.url)
        #expect(try !accepts("openssl verify -CAfile expired.pem -untrusted i-by-a.pem leaf-by-any-i.pem"))
        #expect(try accepts("openssl verify -CAfile a.pem -untrusted i-by-a.pem leaf-by-any-i.pem"))
        try serving(["leaf-by-any-i", "i-by-a"]) { server in
            let run = try PinctlRun.spawn(["fetch", "--anchors", folder.path("expired.pem"), server.localhost])
            #expect(run.status == 0 && run.text.contains("Root A"), "\(run)")
            #expect(run.text.contains("reject the chain with these trust anchors"), "\(run)")
        }
        try serving(["leaf-by-any-i"]) { server in
            let run = try PinctlRun.spawn(["fetch", "--anchors", folder.path("expired.pem"), server.localhost])
            #expect(run.status == 1, "\(run)")
        }
    }

    /// OpenSSL prefers the root of the bundle, which has a defect, to the cross-certificate of the server.
    @Test(arguments: ["a-expired b", "b a-expired", "a-constrained b", "a-critical b"])
    func aRootWithADefectAsAnchor(anchors: String) throws {
        try Shell.run("for name in \(anchors); do cat $name.pem; done >expired.pem", in: folder.url)
        let verify = "openssl verify -untrusted chain.pem -CAfile"
        try serving(["leaf-by-any-i", "i-by-a", "a-by-b"]) { server in
            #expect(try !accepts("\(verify) expired.pem leaf-by-any-i.pem"))
            #expect(try accepts("\(verify) b.pem leaf-by-any-i.pem"))
            let run = try PinctlRun.spawn(["fetch", "--anchors", folder.path("expired.pem"), server.localhost])
            #expect(run.status == 0 && run.text.contains("Root B"), "\(run)")
        }
        try serving(["leaf-by-any-i", "i-by-a"]) { server in
            let run = try PinctlRun.spawn(["fetch", "--anchors", folder.path("expired.pem"), server.localhost])
            #expect(run.status == 1, "\(run)")
        }
    }

    /// OpenSSL looks for a CA in the folders only if the bundle has none with its name. `curl --cacert` and `--capath` are the same two.
    @Test(arguments: [("a-expired", "b"), ("old", "new"), ("b", "a-expired"), ("new", "old")])
    func aBundleAndAFolderWithOneName(bundle: String, inFolder: String) throws {
        let isAccepted = bundle == "new"
        let leaf = ["b", "a-expired"].contains(bundle) ? "leaf-by-any-i" : "leaf-by-new"
        try Shell.run("mkdir folder && cp \(inFolder).pem folder && openssl rehash folder", in: folder.url)
        let served = leaf == "leaf-by-new" ? [leaf] : [leaf, "i-by-a", "a-by-b"]
        try serving(served) { server in
            let curl = "curl --noproxy '*' --cacert \(bundle).pem --capath folder https://\(server.localhost)/"
            let verify = "openssl verify -CAfile \(bundle).pem -CApath folder -untrusted chain.pem \(leaf).pem"
            try #expect(accepts(curl) == isAccepted && accepts(verify) == isAccepted)
            try writeSet([("leaf", "active")], role: "leaf", for: server)
            let command = ["verify", "--pins", folder.path("pins.json")]
            let environment = ["SSL_CERT_FILE": folder.path("\(bundle).pem"), "SSL_CERT_DIR": folder.path("folder")]
            let run = try PinctlRun.spawn(command, environment: environment)
            #expect(run.status == 0 && run.errors.contains("reject the chain") == !isAccepted, "\(run)")
            let asCurl = try PinctlRun.spawn(command + ["--as", "curl"], environment: environment)
            #expect(asCurl.status == (isAccepted ? 0 : 1), "\(asCurl)")
        }
    }
}
