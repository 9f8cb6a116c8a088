import Foundation
import TestSupport
import Testing

/// The trust anchors of a chain.
@Suite(.blocking) struct FetchTrustTests {
    let pki: TestPKI

    init() throws { pki = try TestPKI.shared() }

    private func trusts(
        _ server: ServerProcess, _ arguments: String..., environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Bool {
        let run = try PinctlRun.spawn(["fetch", server.localhost, "-f", "pin"] + arguments, environment: environment)
        #expect(run.status == 0 || run.status == 1, "\(run)", sourceLocation: sourceLocation)
        #expect(run.output.isEmpty == (run.status == 1), "\(run)", sourceLocation: sourceLocation)
        return run.status == 0
    }

    @Test func anchorsOfFilesAndFolders() throws {
        try Nginx.run {
            Nginx.host($0, "leaf-rsa")
        } _: { server in
            try #expect(trusts(server, "--anchors", pki.path("root-rsa.pem")))
            try #expect(trusts(server, "--anchors", pki.path("root-rsa.der")))
            try #expect(trusts(server, "--anchors", pki.path("anchors")))
            try #expect(trusts(server, "--anchors", pki.path("anchors") + "/"))
            try #expect(trusts(server, "--anchors", pki.path("root.pem"), "--anchors", pki.path("root-rsa.der")))
            try #expect(!trusts(server, "--anchors", pki.path("root.pem")))
            try #expect(!trusts(server, "--anchors", pki.path("hashed")))
        }
    }

    @Test func bundleWithTextAndWindowsLineEnds() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let bundle =
            "# authorities\n" + (try pki.text("other-root.pem")) + "\nname: root\n" + (try pki.text("root.pem"))
        let file = try folder.write(bundle.replacing("\n", with: "\r\n"), to: "bundle.pem")
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            try #expect(trusts(server, "--anchors", file))
        }
    }

    /// The environment variables select the store, as they do for OpenSSL's own client.
    @Test func environmentNamesTheSystemStore() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            try #expect(!trusts(server))
            try #expect(trusts(server, environment: ["SSL_CERT_FILE": pki.path("root.pem")]))
            try #expect(trusts(server, environment: ["SSL_CERT_DIR": pki.path("hashed")]))
            try #expect(trusts(server, environment: ["SSL_CERT_DIR": "/nonexistent:" + pki.path("hashed")]))
            // An empty name is ignored, as by "openssl s_client".
            let noFolder = ["SSL_CERT_FILE": pki.path("root.pem"), "SSL_CERT_DIR": ""]
            try #expect(trusts(server, environment: noFolder))
            try #expect(!trusts(server, environment: ["SSL_CERT_FILE": "", "SSL_CERT_DIR": ""]))
            try #expect(!trusts(server, environment: ["SSL_CERT_FILE": pki.path("other-root.pem")]))
            let both = ["SSL_CERT_FILE": pki.path("other-root.pem"), "SSL_CERT_DIR": pki.path("hashed")]
            try #expect(trusts(server, environment: both))
            // A folder without hashed names contains no trust anchor.
            try #expect(!trusts(server, environment: ["SSL_CERT_DIR": pki.path("anchors")]))
        }
    }

    @Test func folderMadeByRehash() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(try pki.bytes("root.pem"), to: "mine.pem")
        try folder.write(try pki.bytes("other-root.pem"), to: "other.pem")
        _ = try ChildProcess.output(of: ["openssl", "rehash", folder.path])
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            try #expect(trusts(server, environment: ["SSL_CERT_DIR": folder.path]))
        }
    }

    /// OpenSSL would wait for the writer of a FIFO, and longer than the time limit of the host.
    @Test func folderWithAFileThatIsNotRegular() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let hash = try ChildProcess.output(of: [
            "openssl", "x509", "-in", pki.path("root.pem"), "-noout", "-subject_hash",
        ])
        let name = String(decoding: hash, as: UTF8.self).filter { !$0.isWhitespace }
        for directory in ["fifo", "link", "later"] { try folder.write("", to: "\(directory)/empty") }
        _ = try ChildProcess.output(of: ["mkfifo", folder.path("fifo/\(name).0"), folder.path("later/\(name).1")])
        _ = try ChildProcess.output(of: ["ln", "-s", "/dev/zero", folder.path("link/\(name).0")])
        try folder.write(try pki.bytes("root.pem"), to: "later/\(name).0")
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            for directory in ["fifo", "link", "later"] {
                let environment = ["SSL_CERT_DIR": folder.path(directory), "SSL_CERT_FILE": ""]
                try #expect(!trusts(server, environment: environment))
                // The store with all anchors of a set has the same folders.
                try #expect(
                    trusts(server, "--anchors", pki.path("root.pem"), "--system-anchors", environment: environment))
            }
        }
    }

    @Test func anchorsReplaceTheSystemUnlessItIsAdded() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let system = ["SSL_CERT_FILE": pki.path("root.pem")]
            try #expect(!trusts(server, "--anchors", pki.path("other-root.pem"), environment: system))
            try #expect(
                trusts(server, "--anchors", pki.path("other-root.pem"), "--system-anchors", environment: system))
            let other = ["SSL_CERT_FILE": pki.path("other-root.pem")]
            try #expect(trusts(server, "--anchors", pki.path("root.pem"), "--system-anchors", environment: other))
            try #expect(!trusts(server, "--anchors", pki.path("root-rsa.pem"), "--system-anchors", environment: other))
        }
    }

    /// Certificates with trust settings that reject them for servers (openssl-x509(1), "Trust settings"), in each source of anchors.
    @Test(arguments: [["-addreject", "serverAuth"], ["-addtrust", "emailProtection"]])
    func anchorRejectedByItsTrustSettings(settings: [String]) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let root = try ChildProcess.output(of: ["openssl", "x509", "-in", pki.path("root.pem")] + settings)
        let rejected = try folder.write(root, to: "anchors/root.pem")
        let hash = try ChildProcess.output(of: ["openssl", "x509", "-in", rejected, "-noout", "-subject_hash"])
        let name = String(decoding: hash, as: UTF8.self).filter { !$0.isWhitespace } + ".0"
        try folder.write(root, to: "hashed/" + name)
        try folder.write(
            """
            { "version": 1, "hosts": { "localhost": { "pins": ["\(try pki.pin("leaf"))"], "anchors": ["anchors/root.pem"] } } }
            """, to: "pins.json")
        let system = ["SSL_CERT_FILE": rejected]
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            try #expect(!trusts(server, environment: system))
            try #expect(!trusts(server, environment: ["SSL_CERT_DIR": folder.path("hashed")]))
            let both = ["SSL_CERT_FILE": rejected, "SSL_CERT_DIR": pki.path("hashed")]
            try #expect(!trusts(server, environment: both))
            let reference = try ChildProcess.run(
                ["openssl", "s_client", "-connect", server.localhost, "-verify_return_error", "-brief"],
                environment: TestEnvironment.base.merging(both) { $1 })
            #expect(reference.end != .exit(0) && reference.errors.contains("verify error"), "\(reference)")
            try #expect(!trusts(server, "--anchors", rejected))
            try #expect(!trusts(server, "--anchors", folder.path("anchors")))
            try #expect(
                !trusts(server, "--anchors", pki.path("other-root.pem"), "--system-anchors", environment: system))
            try #expect(trusts(server, "--anchors", pki.path("root.pem"), "--system-anchors", environment: system))
            let run = try fetch(server.localhost, "-f", "ndjson", "--anchors", rejected)
            try #expect(hosts(inLinesOf: run).first?.trust?.code == "distrusted", "\(run)")
            let options = ["--connect-to", server.endpoint, "-f", "json"]
            let verify = try PinctlRun.spawn(["verify", "--pins", "pins.json"] + options, folder: folder.url)
            #expect(verify.status == 1 && verify.text.contains("\"distrusted\""), "\(verify)")
            let lint = try PinctlRun.spawn(["lint", "pins.json", "--live"] + options, folder: folder.url)
            #expect(lint.text.contains("\"untrusted-chain\""), "\(lint)")
        }
    }

    /// A chain can end at any named anchor, but only at self-signed certificates of the system's store.
    @Test func certificateOfTheSystemThatIsNotSelfSigned() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            for file in ["leaf.pem", "intermediate.pem"] {
                let system = ["SSL_CERT_FILE": pki.path(file)]
                try #expect(!trusts(server, environment: system))
                try #expect(trusts(server, "--anchors", pki.path(file)))
                let other = pki.path("other-root.pem")
                try #expect(!trusts(server, "--anchors", other, "--system-anchors", environment: system))
                try #expect(trusts(server, "--anchors", pki.path(file), "--system-anchors", environment: system))
            }
        }
    }

    /// OpenSSL reads settings in BER, here with a length in two bytes, and rejects the certificate, also if the bundle has a plain copy.
    /// pinctl cannot read them.
    @Test func rejectionInBER() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        // Only the output in PEM has the settings.
        let command = ["openssl", "x509", "-in", pki.path("root.pem"), "-addreject", "serverAuth"]
        let text = try String(decoding: ChildProcess.output(of: command), as: UTF8.self)
        let body = text.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        var der = try Array(#require(Data(base64Encoded: body)))
        let length = try pki.bytes("root.der").count
        try #require(der.count > length + 2 && der[length] == 0x30 && der[length + 1] < 0x80)
        der.insert(0x81, at: length + 1)
        let lines = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        let rejected = "-----BEGIN TRUSTED CERTIFICATE-----\n\(lines)\n-----END TRUSTED CERTIFICATE-----\n"
        let plain = try String(decoding: pki.bytes("root.pem"), as: UTF8.self)
        let bundle = try folder.write(rejected + plain, to: "bundle.pem")
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let reference = try ChildProcess.run(
                ["openssl", "s_client", "-connect", server.localhost, "-verify_return_error", "-brief"],
                environment: TestEnvironment.base.merging(["SSL_CERT_FILE": bundle]) { $1 })
            #expect(reference.end != .exit(0) && reference.errors.contains("verify error"), "\(reference)")
            let run = try fetch(server.localhost, "-f", "pin", environment: ["SSL_CERT_FILE": bundle])
            #expect(run.status == 2 && run.output.isEmpty, "\(run)")
            let start = "pinctl: error: cannot read a certificate with trust settings in \"\(bundle)\": at line 1: "
            #expect(run.errors.hasPrefix(start), "\(run)")
            try #expect(
                trusts(server, "--anchors", pki.path("root.pem"), environment: ["SSL_CERT_FILE": bundle]))
            let named = try fetch(server.localhost, "-f", "pin", "--anchors", bundle)
            #expect(named.status == 2 && named.output.isEmpty, "\(named)")
        }
    }

    /// OpenSSL does not check the time of an anchor that is not self-signed, but accepts it because of its settings.
    @Test func expiredCertificateOfTheSystemThatIsNotSelfSigned() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let command = ["openssl", "x509", "-in", pki.path("intermediate-expired.pem"), "-addtrust", "serverAuth"]
        let bundle = try folder.write(ChildProcess.output(of: command), to: "bundle.pem")
        try Nginx.run {
            Nginx.host($0, "leaf-by-expired")
        } _: { server in
            let system = ["SSL_CERT_FILE": bundle]
            let run = try fetch(server.localhost, "-f", "ndjson", environment: system)
            #expect(run.status == 1)
            try #expect(hosts(inLinesOf: run).first?.trust?.code == "expired", "\(run)")
            try #expect(trusts(server, "--at", "2020-12-31", environment: system))
        }
    }

    @Test func warnsOfABundleThatIsTooLarge() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let bundle = try folder.write(pki.bytes("root.pem"), to: "bundle.pem")
        #expect(unsafe truncate(bundle, (64 << 20) + 1) == 0)
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let run = try fetch(server.localhost, "-f", "pin", environment: ["SSL_CERT_FILE": bundle])
            #expect(run.status == 1)
            #expect(run.errors.contains("which is larger than 64 MiB and is ignored\n"), "\(run)")
        }
    }

    @Test func warnsOfAnUnreadableStore() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let run = try fetch(
                server.localhost, "-f", "pin",
                environment: ["SSL_CERT_FILE": "/nonexistent.pem", "SSL_CERT_DIR": "/nonexistent"])
            #expect(run.status == 1)
            #expect(
                run.errors.contains("pinctl: warning: SSL_CERT_FILE is \"/nonexistent.pem\", which cannot be read\n")
            )
            #expect(run.errors.contains("pinctl: warning: SSL_CERT_DIR is \"/nonexistent\", which cannot be read\n"))
            for path in [pki.folder.path, pki.path("leaf.key")] {
                let run = try fetch(server.localhost, "-f", "pin", environment: ["SSL_CERT_FILE": path])
                #expect(run.status == 1)
                #expect(
                    run.errors.contains("SSL_CERT_FILE is \"\(path)\", which contains no certificate in PEM\n"),
                    "\(run)")
            }
            // With --anchors, the environment variables have no effect.
            let own = try fetch(
                server.localhost, "-f", "pin", "--anchors", pki.path("root.pem"),
                environment: ["SSL_CERT_FILE": "/nonexistent.pem"])
            #expect(own.status == 0)
            #expect(own.errors.isEmpty, "\(own)")
        }
    }

    struct Moment: CustomTestStringConvertible, Sendable {
        let certificate: String
        let time: String
        /// The code of the reason at this time; nil if the chain is trusted.
        let code: String?
        var testDescription: String { "\(certificate) at \(time)" }
    }

    static let moments = [
        Moment(certificate: "leaf", time: "2019-12-31T23:59:59Z", code: "not-yet-valid"),
        Moment(certificate: "leaf", time: "2020-01-01T00:00:00Z", code: nil),
        // ChainReasonTests covers the last second, 23:59:59.
        Moment(certificate: "leaf", time: "2049-12-31T23:59:58Z", code: nil),
        Moment(certificate: "leaf", time: "2050-01-01T00:00:00Z", code: "expired"),
        Moment(certificate: "leaf", time: "2050-01-01T02:00:00+03:00", code: nil),
        Moment(certificate: "leaf-expired", time: "2020-06-01", code: nil),
        Moment(certificate: "leaf-expired", time: "2021-01-02", code: "expired"),
        Moment(certificate: "leaf-by-expired", time: "2020-12-31", code: nil),
        Moment(certificate: "leaf-not-yet-valid", time: "2098-12-31", code: "expired"),
    ]

    @Test(arguments: moments) func atAnotherTime(moment: Moment) throws {
        try Nginx.run {
            Nginx.host($0, moment.certificate)
        } _: { server in
            let arguments = [server.localhost, "--anchors", pki.path("root.pem"), "--at", moment.time]
            let run = try PinctlRun.spawn(["fetch", "-f", "ndjson"] + arguments)
            #expect(run.status == (moment.code == nil ? 0 : 1), "\(run)")
            try #expect(hosts(inLinesOf: run).first?.trust?.code == moment.code)
        }
    }
}
