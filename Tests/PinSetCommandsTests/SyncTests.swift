import Foundation
import TestSupport
import Testing

/// `pinctl sync` from the command line: exit statuses, reports, and the written files in other programs.
@Suite(.blocking) struct SyncTests: SyncSuite {
    static let x1 = ConvertTests.x1
    static let x2 = ConvertTests.x2

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("sync") }

    private func python(_ script: String, _ words: String...) throws -> String {
        let output = try ChildProcess.output(of: ["python3", "-c", script] + words, folder: folder.url)
        return String(decoding: output, as: UTF8.self)
    }

    /// Python parses the file: everything except the pins is unchanged.
    @Test(arguments: ["FMT_XML", "FMT_BINARY"]) func keepsOtherContentsOfAPropertyList(form: String) throws {
        try write(set: Self.x1, Self.x2)
        try write(copies: #"{"file":"Info.plist","format":"apple"},{"file":"Info.plist","format":"trustkit"}"#)
        _ = try python(
            """
            import plistlib, datetime
            value = {"CFBundleName": "Äpp <&>", "Data": b"\\0\\1", "Date": datetime.datetime(2026, 1, 2, 3, 4, 5),
                "List": [1, 2.5, True, {"a": []}], "NSAppTransportSecurity": {"NSAllowsArbitraryLoads": False,
                "NSPinnedDomains": {"old.example.com": {"NSPinnedLeafIdentities": [{"SPKI-SHA256-BASE64": "\(Self.x1)"}]}}}}
            plistlib.dump(value, open("Info.plist", "wb"), fmt=plistlib.\(form))
            plistlib.dump(value, open("before", "wb"))
            """)
        let check = try sync("--check")
        #expect(check.status == 1)
        #expect(check.text.contains("old.example.com: the host is not in the set"))
        #expect(try sync("--write").status == 0)
        #expect(try sync("--check").status == 0)
        let rest = try python(
            """
            import plistlib
            before, after = (plistlib.load(open(name, "rb")) for name in ("before", "Info.plist"))
            domains = after["NSAppTransportSecurity"].pop("NSPinnedDomains")
            trustkit = after.pop("TSKConfiguration")["TSKPinnedDomains"]
            del before["NSAppTransportSecurity"]["NSPinnedDomains"]
            assert before == after, after
            apple = [pin["SPKI-SHA256-BASE64"] for pin in domains["api.example.com"]["NSPinnedCAIdentities"]]
            print(list(domains), apple, list(trustkit), trustkit["api.example.com"]["TSKPublicKeyHashes"])
            """)
        let pins = "['\(Self.x1)', '\(Self.x2)']"
        #expect(rest == "['api.example.com'] \(pins) ['api.example.com'] \(pins)\n")
    }

    @Test func keepsOtherContentsOfAnAndroidFile() throws {
        try write(set: Self.x1, Self.x2)
        try write(copies: #"{"file":"config.xml"}"#)
        let file = """
            <?xml version="1.0"?>
            <!-- of the app -->
            <network-security-config xmlns:tools="http://schemas.android.com/tools">
                <base-config cleartextTrafficPermitted="false" tools:ignore="X"/>
                <domain-config>
                    <domain>old.example.com</domain>
                    <pin-set><pin digest="SHA-256">\(Self.x1)</pin></pin-set>
                </domain-config>
                <debug-overrides><trust-anchors><certificates src="user"/></trust-anchors></debug-overrides>
            </network-security-config>

            """
        try folder.write(file, to: "config.xml")
        #expect(try sync("--write").status == 0)
        #expect(try sync("--check").status == 0)
        func parts(_ name: String) throws -> String {
            try python(
                """
                import sys, xml.etree.ElementTree as tree
                root = tree.parse(sys.argv[1]).getroot()
                for part in root.findall("domain-config"): root.remove(part)
                print("".join(tree.tostring(root, encoding="unicode").split()))
                """, name)
        }
        try folder.write(file, to: "before.xml")
        #expect(try parts("config.xml") == parts("before.xml"))
        let text = try folder.text("config.xml")
        #expect(text.contains("<!-- of the app -->") && !text.contains("old.example.com"))
        _ = try ChildProcess.output(of: ["xmllint", "--noout", "--nonet", "config.xml"], folder: folder.url)
    }

    @Test func doesNotWriteEqualFiles() throws {
        try write(set: Self.x1, Self.x2)
        try write(copies: #"{"file":"Pins.kt"},{"file":"link.plist","format":"trustkit"}"#)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.plist"), withDestinationPath: "real/App.plist")
        try folder.write("<plist version=\"1.0\"><dict/></plist>", to: "real/App.plist")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path("real/App.plist"))
        #expect(try sync("--write").status == 0)
        func attributes(_ name: String) throws -> [FileAttributeKey: Any] {
            try FileManager.default.attributesOfItem(atPath: folder.path(name))
        }
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link.plist"))
        #expect(link == "real/App.plist")
        #expect(try attributes("real/App.plist")[.posixPermissions] as? Int == 0o640)
        for name in ["Pins.kt", "real/App.plist"] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: folder.path(name))
        }
        let again = try sync("--write")
        #expect(again.status == 0)
        #expect(again.lines.allSatisfy { $0.hasPrefix("equal") || $0.hasPrefix("  note") })
        for name in ["Pins.kt", "real/App.plist"] {
            #expect(try attributes(name)[.modificationDate] as? Date == Date(timeIntervalSince1970: 1_000_000_000))
        }
    }

    @Test func writesOtherCopiesIfOneFails() throws {
        try write(set: Self.x1)
        try folder.write("x", to: "folder/x")
        try folder.write("{", to: "broken.json")
        try write(
            copies:
                #"{"file":"folder","format":"pins"},{"file":"missing/Pins.kt"},{"file":"broken.json","format":"pins"},"#
                + #"{"file":"nothing.plist"},{"file":"Pins.kt"}"#)
        let run = try sync("--write")
        #expect(run.status == 1)
        #expect(run.lines.filter { $0.hasPrefix("failed") }.count == 4)
        #expect(run.lines.contains("written    Pins.kt (okhttp)"))
        #expect(try folder.text("Pins.kt").contains(Self.x1))
        #expect(try folder.text("broken.json") == "{")
        for message in [
            #""folder" is a folder"#, #"cannot write "missing/Pins.kt": there is no folder "missing""#,
            "broken.json: the file may contain more than pins", "its format cannot be recognized from its name",
        ] {
            #expect(run.errors.contains(message), "\(run)")
        }
        let alone = try {
            try write(copies: #"{"file":"folder","format":"pins"}"#)
            return try sync("--check")
        }()
        #expect(alone.status == 2)
    }

    @Test func reportsForContinuousIntegration() throws {
        try write(set: Self.x1)
        try folder.write(#"{"sha256Keys":{"api.example.com":["sha256/\#(Self.x2)"]}}"#, to: "ssl_config.json")
        try write(copies: #"{"file":"ssl_config.json"},{"file":"Pins.kt"}"#)
        func report(_ format: String) throws -> PinctlRun {
            let run = try sync("--check", "--format", format)
            #expect(run.status == 1)
            #expect(run.errorLines.last?.hasPrefix("pinctl: 2 of 2 copies fail") == true)
            return run
        }
        #expect(try PublicSchema.errors(inJUnit: report("junit").output) == "")
        #expect(try PublicSchema.errors(inSARIF: report("sarif").output) == "")
        let samples = try PublicSchema.samples(inPrometheus: report("prometheus").output)
        #expect(samples.contains("pinctl_check_success [('command', 'sync'), ('name', 'ssl_config.json')] 0"))
        let github = try report("github").lines
        #expect(github.contains { $0.hasPrefix("::error file=ssl_config.json,line=1") && $0.contains(Self.x1) })
        let json = try JSONSerialization.jsonObject(with: Data(report("json").output)) as? [String: Any]
        #expect(json?["schema"] as? String == "pinctl/sync/1")
        let copies = try #require(json?["copies"] as? [[String: Any]])
        #expect(copies.map { $0["status"] as? String } == ["different", "different"])
        let differences = try #require(copies[0]["differences"] as? [[String: Any]])
        #expect(differences.map { $0["code"] as? String } == ["missing-pin", "extra-pin"])
        #expect(differences.map { $0["pin"] as? String } == [Self.x1, Self.x2])
        #expect(copies[0]["error"] is NSNull)
    }

    /// If sync is killed, each file is the old or the new one.
    @Test func killedRunLeavesCompleteFiles() throws {
        let pins = (0..<3000).map { number in
            Data((0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 % 12) &+ $0) }).base64EncodedString()
        }
        try write(copies: #"{"file":"a.json","format":"pins"},{"file":"b.xml","format":"android"}"#)
        try folder.write("<network-security-config/>", to: "b.xml")
        try write(set: Self.x1)
        #expect(try sync("--write").status == 0)
        let old = (try folder.bytes("a.json"), try folder.bytes("b.xml"))
        let set = Array(Set(pins)).sorted().map { "\"\($0)\"" }.joined(separator: ",")
        try folder.write(#"{"version":1,"hosts":{"api.example.com":{"pins":[\#(set)]}}}"#, to: "pins.json")
        #expect(try sync("--write").status == 0)
        let new = (try folder.bytes("a.json"), try folder.bytes("b.xml"))
        var killed = 0
        for delay in stride(from: 1, through: 40, by: 2) {
            try folder.write(old.0, to: "a.json")
            try folder.write(old.1, to: "b.xml")
            let process = Process()
            process.executableURL = URL(filePath: PinctlRun.executable)
            process.arguments = ["sync", "--write", "sync.json"]
            process.currentDirectoryURL = folder.url
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            usleep(UInt32(delay) * 1000)
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            if process.terminationReason == .uncaughtSignal { killed += 1 }
            let found = (try folder.bytes("a.json"), try folder.bytes("b.xml"))
            #expect(found.0 == old.0 || found.0 == new.0)
            #expect(found.1 == old.1 || found.1 == new.1)
        }
        #expect(killed > 0)
    }
}
