import Foundation
import TestSupport
import Testing

/// The output formats of refresh, and its last line.
@Suite(.blocking) struct RefreshFormatTests {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("refresh-formats")
        let pins = try ["leaf-www", "root"].map {
            "{ \"sha256\": \"\(try pki.pin($0))\", \"role\": \"\($0 == "root" ? "root" : "leaf")\" }"
        }
        try folder.write(
            "{ \"version\": 1,\n\"hosts\": {\n\"localhost\": { \"pins\": [\n\(pins.joined(separator: ",\n"))] } } }\n",
            to: "pins.json")
    }

    private func refresh(_ arguments: [String], status: Int32) throws -> PinctlRun {
        let run = try PinctlRun.spawn(
            ["refresh", "-4", "--assume-complete", "--pins", "pins.json", "--anchors", pki.path("root.pem")]
                + arguments, folder: folder.url)
        #expect(run.status == status, "\(run)")
        return run
    }

    /// The commands for a mismatch name a file as a shell reads it.
    @Test func commandsQuoteFileNames() throws {
        let name = "a b;'$(c).json"
        let quoted = #"'a b;'\''$(c).json'"#
        try folder.write(
            #"{"version":1,"hosts":{"localhost":["C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="]}}"#, to: name)
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let trust = ["--anchors", pki.path("root.pem"), "-4", server.localhost]
            let verify = try PinctlRun.spawn(["verify", "--pins", name] + trust, folder: folder.url)
            #expect(verify.status == 1, "\(verify)")
            let start = "run pinctl refresh --pins \(quoted) --accept-new localhost --write --anchors "
            #expect("\(verify.text)\(verify.errors)".contains(start), "\(verify)")
            let refresh = try PinctlRun.spawn(["refresh", "--check", "--pins", name] + trust, folder: folder.url)
            #expect(refresh.status == 1, "\(refresh)")
            #expect(!"\(refresh.text)\(refresh.errors)".contains("--pins a b"), "\(refresh)")
            let first = try PinctlRun.spawn(
                ["init", "--no-backup", "--output", "new " + name] + trust, folder: folder.url)
            #expect(first.errors.contains(#"next: pinctl verify --pins 'new a b;'\''$(c).json' "#), "\(first)")
        }
    }

    @Test(arguments: ["text", "json", "ndjson", "junit", "sarif", "github", "prometheus"])
    func everyFormatEndsWithOneLine(format: String) throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let run = try refresh([server.localhost, "--check", "-f", format], status: 1)
            #expect(run.errorLines.count == 1)
            #expect(
                run.errorLines.first
                    == "pinctl: \(server.localhost) fails (gone-pin); next: run pinctl refresh --pins pins.json --write"
                    + " --anchors \(pki.path("root.pem")) -4 --assume-complete \(server.localhost)"
            )
            switch format {
            case "json", "ndjson", "sarif":
                let document = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
                #expect(document?["schema"] as? String == (format == "json" ? "pinctl/refresh/1" : nil))
                if format == "sarif" { try #expect(PublicSchema.errors(inSARIF: run.output) == "") }
                if format == "ndjson" { #expect(run.lines.count == 1 && document?["host"] as? String == "localhost") }
            case "junit":
                #expect(run.text.contains("<failure"))
                try #expect(PublicSchema.errors(inJUnit: run.output) == "")
            case "github":
                // The annotation has the line of the pin that is gone.
                #expect(run.text.contains("::error file=pins.json,line=4,title=pinctl refresh%3A gone-pin::"), "\(run)")
            case "prometheus":
                let samples = try PublicSchema.samples(inPrometheus: run.output)
                #expect(samples.contains { $0.hasPrefix("pinctl_certificate_expiry_timestamp_seconds") })
                #expect(run.text.contains("pinctl_check_success{command=\"refresh\",name=\"\(server.localhost)\"} 0"))
            default: #expect(run.text.hasPrefix("\(server.localhost)  out of date\n"))
            }
        }
    }

    /// Only a pins.json can be updated.
    @Test func noStepWritesTheFileOfAnApp() throws {
        try folder.write(
            #"val p = CertificatePinner.Builder().add("localhost", "sha256/\#(try pki.pin("other-root"))").build()"#,
            to: "p.kt")
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let trust = ["--anchors", pki.path("root.pem"), "-4", server.localhost]
            let run = try PinctlRun.spawn(["refresh", "--check", "--pins", "p.kt"] + trust, folder: folder.url)
            #expect(run.status == 1 && !"\(run.text)\(run.errors)".contains("--write"), "\(run)")
        }
    }

    @Test func lastLineHasTheNextStep() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let report = try refresh([server.localhost], status: 0)
            #expect(
                report.errors.hasPrefix(
                    "pinctl: the set is out of date for \(server.localhost); next: run pinctl refresh"))
            let written = try refresh([server.localhost, "--write"], status: 0)
            #expect(written.errors == "pinctl: \(server.localhost) is now up to date, with 1 warning\n", "\(written)")
            #expect(written.text.contains("there is no backup"))
            let current = try refresh([server.localhost, "--check", "-f", "json"], status: 0)
            #expect(current.errors.isEmpty, "\(current)")
        }
    }

    /// refresh checks sets in every readable format.
    @Test func otherFormatsAreChecked() throws {
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let convert = try PinctlRun.spawn(
                ["convert", "--to", "okhttp", "pins.json", "-o", "pins.kt"], folder: folder.url)
            #expect(convert.status == 0)
            let run = try PinctlRun.spawn(
                [
                    "refresh", "-4", "--assume-complete", "--pins", "pins.kt", "--anchors", pki.path("root.pem"),
                    "--check", server.localhost,
                ],
                folder: folder.url)
            // Kotlin contains no roles, so a pin that is not in the chain can be a backup.
            #expect(run.status == 0 && run.text.contains("unserved"), "\(run)")
            // A property list has roles, so the leaf has a new key. Only a pins.json can be written.
            let plist = try PinctlRun.spawn(
                ["convert", "--to", "apple", "pins.json", "-o", "Info.plist"], folder: folder.url)
            #expect(plist.status == 0, "\(plist)")
            let report = try PinctlRun.spawn(
                [
                    "refresh", "-4", "--assume-complete", "--pins", "Info.plist", "--anchors", pki.path("root.pem"),
                    server.localhost,
                ],
                folder: folder.url)
            #expect(report.errors.contains("pinctl convert --to pins"), "\(report)")
            #expect(!(report.errors + report.text).contains("--write"), "\(report)")
        }
    }

    /// Apple's systems need a match in each of the two lists, so the pin of the leaf is not sufficient there.
    @Test func reportsAPlatformThatRejectsTheChain() throws {
        let pins = try [("leaf", "leaf"), ("other-root", "root")].map {
            "{ \"sha256\": \"\(try pki.pin($0.0))\", \"role\": \"\($0.1)\" }"
        }
        try folder.write(
            "{ \"version\": 1, \"hosts\": { \"localhost\": { \"pins\": [\(pins.joined(separator: ",\n"))] } } }\n",
            to: "pins.json")
        let convert = try PinctlRun.spawn(
            ["convert", "--to", "apple", "pins.json", "-o", "Info.plist"], folder: folder.url)
        #expect(convert.status == 0, "\(convert)")
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let reason =
                "apple rejects the chain of 127.0.0.1:\(server.port): NSPinnedCAIdentities of localhost must match a certificate above the leaf"
            func run(_ command: String, _ file: String, _ more: String..., status: Int32) throws -> String {
                let run = try PinctlRun.spawn(
                    [command, "-4", "--pins", file, "--anchors", pki.path("root.pem"), server.localhost] + more,
                    folder: folder.url)
                #expect(run.status == status, "\(run)")
                return run.text + run.errors
            }
            let plist = try run("refresh", "Info.plist", status: 1)
            #expect(plist.contains("localhost:\(server.port)  needs attention\n") && plist.contains(reason), "\(plist)")
            let report = try run("refresh", "Info.plist", "-f", "github", status: 1)
            #expect(report.contains("pinctl refresh%3A platform-rejects"), "\(report)")
            #expect(
                try run("verify", "Info.plist", status: 1).contains(
                    "NSPinnedCAIdentities of localhost must match a certificate above the leaf"))
            // Without a manifest, the set is for no platform.
            #expect(try !run("refresh", "pins.json", "--assume-complete", status: 0).contains("apple rejects"))
            try folder.write(
                #"{"version": 1, "set": "pins.json", "copies": [{"file": "Info.plist"}]}"#, to: "pinctl-sync.json")
            let set = try run("refresh", "pins.json", "--assume-complete", "--check", status: 1)
            #expect(set.contains(reason), "\(set)")
            // TrustKit needs two pins, and Apple's systems cannot only report a mismatch.
            try folder.write(
                #"{"version": 1, "set": "pins.json", "copies": [{"file": "Info.plist"}, {"file": "t", "format": "trustkit"}]}"#,
                to: "pinctl-sync.json")
            func one(_ name: String, enforce: Bool) throws -> String {
                #"{"version":1,"hosts":{"localhost":{"enforce":\#(enforce),"pins":[{"sha256":"\#(try pki.pin(name))","role":"root"}]}}}"#
            }
            try folder.write(one("root", enforce: true), to: "pins.json")
            let refused = try run("refresh", "pins.json", "--assume-complete", status: 1)
            #expect(
                refused.contains("trustkit refuses the pin set: ") && !refused.contains("apple rejects"), "\(refused)")
            try folder.write(one("other-root", enforce: false), to: "pins.json")
            let reported = try run("refresh", "pins.json", "--assume-complete", status: 1)
            #expect(reported.contains("apple rejects the chain"), "\(reported)")
        }
    }
}
