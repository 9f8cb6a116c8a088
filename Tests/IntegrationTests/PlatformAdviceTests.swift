import Foundation
import TestSupport
import Testing

/// What init, convert, lint and refresh say about one set and its copy for Apple's systems. They must agree, and the step that they
/// recommend must end the findings.
@Suite(.blocking) struct PlatformAdviceTests {
    let pki: RotationPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try RotationPKI()
        folder = try TemporaryFolder("advice")
        try pki.chain("first", key: "leaf", by: "intermediate")
        try pki.key("spare")
        // The new authority that the team chooses as a backup.
        try pki.root("other-root")
        try pki.authority("other-intermediate", by: "other-root")
    }

    /// The default policy, without a manifest.
    @Test func theDefaultPolicyIsNeverContradicted() throws {
        try serving("first") { server in
            try initialize(server)
            let convert = try run("convert", "--to", "apple", "--output", "Info.plist", "pins.json", status: 0)
            let errors = convert.errors.split(separator: "\n")
            // The most harmful loss is first, its remedy follows, and the roles are one note at the end.
            #expect(errors.first?.contains("(\"key of ") == true, "\(convert)")
            #expect(errors.first?.contains("is left out: it is a backup") == true, "\(convert)")
            let hint = try #require(errors.dropFirst().first)
            #expect(hint.hasPrefix("pinctl: hint: add a backup that works on this platform: the pin of another CA"))
            #expect(hint.contains("pinctl add --pins pins.json --backup-authority CA \(RotationPKI.host)"))
            #expect(errors.last?.hasPrefix("pinctl: note: ") == true && errors.last?.contains("\"role\"") == true)
            #expect(errors.count { $0.contains("\"role\"") } == 1)

            // The set and its copy have the same answer for Apple's systems, and refresh does not promise the backup there.
            let set = try run(["refresh", "--pins", "pins.json"], server, status: 0)
            #expect(forecast(set) == "only if the server uses the backup key; on apple: no")
            let copy = try run(["refresh", "--pins", "Info.plist"], server, status: 0)
            #expect(forecast(copy) == "no")
            // The steps for the copy are possible in the copy.
            let lint = try run(["lint", "--live", "Info.plist"], server, status: 0)
            #expect(lint.text.contains("[no-backup]"))
            for text in [lint.text, copy.text] {
                #expect(text.contains("add the pin of another CA to \"NSPinnedCAIdentities\""), "\(text)")
                #expect(!text.contains("\"state\"") && !text.contains("--from-csr") && !text.contains("backup key,"))
            }
        }
        // The forecast is right: after a change to another CA with the backup key, the set matches, and Apple's systems reject it.
        try pki.chain("spare", key: "spare", by: "other-intermediate")
        try serving("spare") { server in
            try verify("pins.json", server: server, status: 0)
            let run = try verify("pins.json", "--as", "apple", server: server, status: 1)
            #expect(run.text.contains("apple  rejects"), "\(run)")
        }
    }

    /// The recommended step ends the findings, and Apple's systems survive the change of the CA.
    @Test func theRecommendedBackupWorks() throws {
        try serving("first") { server in
            try initialize(server)
            try run("convert", "--to", "apple", "--output", "Info.plist", "pins.json", status: 0)
            try run(
                "add", "--pins", "pins.json", "--from-cert", pki.path("other-root.pem"), RotationPKI.host, status: 0)
            let convert = try run("convert", "--to", "apple", "--into", "Info.plist", "pins.json", status: 0)
            #expect(!convert.errors.contains("hint:"), "\(convert)")
            #expect(!convert.errors.contains("warning: \"\(RotationPKI.host)\": the pin"), "\(convert)")
            for file in ["pins.json", "Info.plist"] {
                let lint = try run(["lint", "--live", file], server, status: 0)
                #expect(lint.text.isEmpty, "\(lint)")
            }
            try #expect(
                forecast(run(["refresh", "--pins", "pins.json"], server, status: 0))
                    == "only if the server uses a backup key or CA")
            try #expect(
                forecast(run(["refresh", "--pins", "Info.plist"], server, status: 0))
                    == "only if the server uses the backup CA")
        }
        try pki.chain("second", key: "leaf2", by: "other-intermediate")
        try serving("second") { server in
            for file in ["pins.json", "Info.plist"] { try verify(file, "--as", "apple", server: server, status: 0) }
        }
    }

    /// With a manifest, lint, refresh and verify judge its platforms, and sync names the loss.
    @Test func theManifestNamesThePlatforms() throws {
        let manifest = #"{"version":1,"set":"pins.json","copies":[{"file":"Info.plist","format":"apple"},"#
        try folder.write(manifest + #"{"file":"network_security_config.xml"}]}"#, to: "pinctl-sync.json")
        try serving("first") { server in
            try initialize(server)
            let sync = try run("sync", "--write", "pinctl-sync.json", status: 0)
            #expect(sync.text.contains("  warning: \"\(RotationPKI.host)\": the pin "), "\(sync)")
            #expect(sync.text.contains("  note: apple: 2 settings have no equivalent for 1 host "), "\(sync)")
            let lint = try run("lint", "pins.json", status: 0)
            let refresh = try run(["refresh", "--pins", "pins.json"], server, status: 0)
            for text in [lint.text, refresh.text] { #expect(text.contains("does not work on apple: "), "\(text)") }
            #expect(refresh.text.contains("--backup-authority CA \(RotationPKI.host)"))
            let verified = try verify("pins.json", server: server, status: 0)
            #expect(
                verified.text.contains("apple    accepts") && verified.text.contains("android  accepts"), "\(verified)")
            #expect(verified.errors.contains("the verdicts of apple and android follow"), "\(verified)")
            try #expect(!self.verify("pins.json", "--as", "none", server: server, status: 0).text.contains("accepts"))
        }
        // Of platforms that compare no pin of a host, only the verdict is shown.
        let other = #"{"version":1,"set":"pins.json","copies":[{"file":"Info.plist","hosts":["other.example"]}]}"#
        try folder.write(other, to: "pinctl-sync.json")
        try serving("first") { server in
            let verified = try verify("pins.json", server: server, status: 0)
            #expect(verified.text.contains("apple  not-pinned"), "\(verified)")
        }
        // A manifest of another set has no effect.
        try folder.write(#"{"version":1,"set":"x.json","copies":[{"file":"Info.plist"}]}"#, to: "pinctl-sync.json")
        try serving("first") { server in
            try #expect(!verify("pins.json", server: server, status: 0).text.contains("accepts"))
        }
        // Several formats have this file name.
        try folder.write(
            #"{"version":1,"set":"pins.json","copies":[{"file":"ios/Info.plist"}]}"#, to: "pinctl-sync.json")
        try serving("first") { server in
            let run = try verify("pins.json", server: server, status: 0)
            let warning =
                "\"ios/Info.plist\" cannot be read, and \"pinctl-sync.json\" has no format for it, so its platforms"
            #expect(run.errors.contains("warning: " + warning), "\(run)")
        }
        try folder.write("{", to: "pinctl-sync.json")
        try serving("first") { server in
            let run = try verify("pins.json", server: server, status: 0)
            #expect(run.errors.contains("warning: \"pinctl-sync.json\" is not a manifest"), "\(run)")
        }
    }

    /// A run that reads the manifest replaces no file that the manifest names.
    @Test(arguments: ["sign.pem", "ca.pem"]) func keepsTheFilesOfTheManifest(name: String) throws {
        let set = #"{"version":1,"hosts":{"a.example":{"pins":["C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="]}}}"#
        try folder.write(set, to: "pins.json")
        let copy = #"{"file":"w.json","format":"wultra","certificates":["ca.pem"],"sign":"sign.pem"}"#
        try folder.write(#"{"version":1,"set":"pins.json","copies":[\#(copy)]}"#, to: "pinctl-sync.json")
        try folder.write("kept", to: name)
        let run = try run("lint", "pins.json", "--html", name, status: 2)
        #expect(run.errors.contains("use another file name for the output"), "\(run)")
        try #expect(folder.text(name) == "kept")
    }

    /// The file of curl does not name its host, and the command line does.
    @Test func refreshReadsAFileWithoutAHost() throws {
        try serving("first") { server in
            try initialize(server)
            let leaf = try ChildProcess.output(
                of: [
                    "sh", "-c",
                    "openssl x509 -in \"$0\" -pubkey -noout | openssl pkey -pubin -outform der | openssl sha256 -binary | base64",
                    pki.path("first.leaf.pem"),
                ])
            let pin = String(decoding: leaf, as: UTF8.self).trimmingCharacters(in: .newlines)
            try folder.write("sha256//\(pin)\n", to: "pins.txt")
            let run = try run(["refresh", "--pins", "pins.txt", RotationPKI.host], server, status: 0)
            #expect(run.text.contains("served  leaf") && run.text.contains(pin), "\(run)")
            let none = try self.run(["refresh", "--pins", "pins.txt"], server, status: 2)
            #expect(none.errors.contains("do not say which host they are for"), "\(none)")
        }
    }

    // MARK: Support

    private func initialize(_ server: ServerProcess) throws {
        try pki.request("spare")
        try run(
            ["init", RotationPKI.host, "--from-csr", pki.path("spare.csr"), "--output", "pins.json"], server, status: 0)
    }

    /// The answer of refresh for a change to another root.
    private func forecast(_ run: PinctlRun) -> String? {
        let line = run.text.split(separator: "\n").first { $0.contains("another root") }
        return line.map { $0.replacing("another root", with: "").trimmingCharacters(in: .whitespaces) }
    }

    private func serving(_ chain: String, _ body: (ServerProcess) throws -> Void) throws {
        try Nginx.run {
            pki.server($0, chain)
        } _: {
            try body($0)
        }
    }

    @discardableResult
    private func verify(_ pins: String, _ more: String..., server: ServerProcess, status: Int32) throws -> PinctlRun {
        try run(["verify", "--pins", pins] + more, server, status: status)
    }

    @discardableResult
    private func run(_ arguments: String..., status: Int32) throws -> PinctlRun {
        try run(arguments, nil, status: status)
    }

    /// The command with the options that connect to the server and trust both authorities of the test.
    @discardableResult
    private func run(_ arguments: [String], _ server: ServerProcess?, status: Int32) throws -> PinctlRun {
        let options = server.map { server in
            ["-4", "--assume-complete"].filter { $0 == "-4" || arguments.first == "refresh" }
                + ["--connect-to", server.endpoint, "--anchors", pki.path("root.pem")]
                + (arguments.first == "init" ? [] : ["--anchors", pki.path("other-root.pem")])
        }
        let run = try PinctlRun.spawn(arguments + (options ?? []), folder: folder.url)
        #expect(run.status == status, "\(arguments)\n\(run)")
        return run
    }
}
