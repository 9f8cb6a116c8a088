import Foundation
import TestSupport
import Testing

/// `pinctl sync` from the command line: files, exit statuses, and the written files in other programs.
@Suite(.blocking) struct SyncTests {
    static let x1 = ConvertTests.x1
    static let x2 = ConvertTests.x2

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("sync") }

    private func write(set pins: String...) throws {
        let list = pins.map { "\"\($0)\"" }.joined(separator: ",")
        try folder.write(
            #"{"version":1,"hosts":{"api.example.com":{"subdomains":"all","pins":[\#(list)]}}}"#, to: "pins.json")
    }

    private func write(copies: String) throws {
        try folder.write(#"{"version":1,"set":"pins.json","copies":[\#(copies)]}"#, to: "sync.json")
    }

    private func sync(_ words: String...) throws -> PinctlRun {
        try PinctlRun.inProcess(["sync"] + words + ["sync.json"], folder: folder.url)
    }

    private func python(_ script: String, _ words: String...) throws -> String {
        let output = try ChildProcess.output(of: ["python3", "-c", script] + words, folder: folder.url)
        return String(decoding: output, as: UTF8.self)
    }

    /// The set is recognized by any spelling of its path and through symbolic links.
    @Test(arguments: ["./pins.json", "sub/../pins.json", "link.json"])
    func neverWritesTheSetItself(name: String) throws {
        try write(set: Self.x1, Self.x2)
        try FileManager.default.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder.path("link.json"), withDestinationPath: "pins.json")
        try write(copies: "{\"file\":\"\(name)\",\"format\":\"pins\"}")
        let before = try folder.text("pins.json")
        let run = try sync("--write")
        #expect(run.status == 2 && run.errors.contains("is the set itself"), "\(run)")
        try #expect(folder.text("pins.json") == before)
        try write(copies: #"{"file":"sub/../sync.json","format":"okhttp","overwrite":true}"#)
        let manifest = try sync("--write")
        #expect(manifest.status == 2 && manifest.errors.contains("is the manifest itself"), "\(manifest)")
        try write(copies: #"{"file":"Pins.kt"},{"file":"sub/../Pins.kt","format":"okhttp"}"#)
        let twice = try sync("--write")
        #expect(twice.status == 2 && twice.errors.contains("is the same file as"), "\(twice)")
        try write(copies: #"{"file":"a.plist","format":"apple"},{"file":"./a.plist","format":"trustkit"}"#)
        try #expect(!sync("--check").errors.contains("is the same file as"))
    }

    /// Only formats that change nothing but their own pins can be in one file.
    @Test(arguments: [
        #"{"file":"a.txt","format":"okhttp","overwrite":true},{"file":"a.txt","format":"hpkp","overwrite":true}"#,
        #"{"file":"a.json","format":"pins"},{"file":"./a.json","format":"react-native"}"#,
        #"{"file":"a.plist","format":"apple"},{"file":"a.plist","format":"trustkit","overwrite":true}"#,
        #"{"file":"a.plist"},{"file":"a.plist","format":"trustkit"}"#,
    ])
    func refusesTwoFormatsInOneFile(copies: String) throws {
        try write(set: Self.x1, Self.x2)
        try write(copies: copies)
        for action in ["--check", "--write"] {
            let run = try sync(action)
            #expect(run.status == 2 && run.errors.contains("is the same file as"), "\(run)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("a.txt")))
    }

    /// A copy never replaces a key, a certificate or a list of names that sync reads, also through links.
    @Test(arguments: [
        #"{"file":"k.pem","format":"wultra","certificates":["c.pem"],"sign":"k.pem","overwrite":true}"#,
        #"{"file":"link.pem","format":"okhttp","overwrite":true},{"file":"w.json","format":"wultra","certificates":["c.pem"],"sign":"k.pem"}"#,
        #"{"file":"c.pem","format":"certificates-pem","certificates":["c.pem"]}"#,
        #"{"file":"in/c.pem","format":"certificates-pem","certificates":["in"]}"#,
        #"{"file":"in/new.pem","format":"certificates-pem","certificates":["in/"]}"#,
    ])
    func refusesCopiesThatAreInputs(copies: String) throws {
        try write(set: Self.x1, Self.x2)
        try write(copies: copies)
        try folder.write("key\n", to: "k.pem")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link.pem"), withDestinationPath: "k.pem")
        try folder.write("certificate\n", to: "c.pem")
        try folder.write("certificate\n", to: "in/c.pem")
        for action in ["--check", "--write"] {
            let run = try sync(action)
            #expect(run.status == 2 && run.errors.contains("is also an input"), "\(run)")
        }
        try #expect(folder.text("k.pem") == "key\n")
        try #expect(folder.text("c.pem") == "certificate\n")
        try #expect(folder.text("in/c.pem") == "certificate\n")
    }

    @Test(arguments: [
        #"{"file":"c.json","format":"chromium"},{"file":"c.pins","format":"okhttp","overwrite":true}"#,
        #"{"file":"c.json","format":"chromium"},{"file":"c_pins.json","format":"chromium"}"#,
        #"{"file":"c.json","format":"chromium"},{"file":"./c_pins.json","format":"chromium"}"#,
    ])
    func refusesCompanionFilesThatAreOtherFiles(copies: String) throws {
        try write(set: Self.x1, Self.x2)
        try write(copies: copies)
        let run = try sync("--write")
        #expect(run.status == 2 && run.errors.contains("the companion file"), "\(run)")
        // The other copy is written, and it stays equal.
        #expect(try sync("--write").text.contains("equal "))
    }

    @Test func keepsCompanionFilesThatItDidNotWrite() throws {
        try write(set: Self.x1, Self.x2)
        try write(copies: #"{"file":"c.json","format":"chromium"}"#)
        try folder.write("my notes\n", to: "c.pins")
        let run = try sync("--write")
        #expect(run.status == 1 && run.errors.contains("companion file"), "\(run)")
        try #expect(folder.text("c.pins") == "my notes\n")
        #expect(!FileManager.default.fileExists(atPath: folder.path("c.json")))
        try folder.write("", to: "c.pins")
        #expect(try sync("--write").status == 0)
        #expect(try sync("--check").status == 0)
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

    @Test func writesCertificatesNextToTheSource() throws {
        let pki = try TestSupport.TestPKI.shared()
        try write(set: try pki.pin("leaf"))
        let certificates = #""certificates":["\#(pki.path("leaf.pem"))"]"#
        try write(
            copies: #"{"file":"Pins/Servers.swift","format":"alamofire",\#(certificates)},"#
                + #"{"file":"prints.json","format":"wultra",\#(certificates)}"#)
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "Pins"), withIntermediateDirectories: true)
        #expect(try sync("--write").status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("Pins")).sorted()
        #expect(names.count == 2 && names[1].hasSuffix(".der"))
        #expect(try folder.bytes("Pins/\(names[1])") == pki.bytes("leaf.der"))
        #expect(try sync("--check").status == 0)
        try folder.write("old", to: "Pins/\(names[1])")
        let check = try sync("--check")
        #expect(check.status == 1)
        #expect(check.text.contains("the companion file \"\(names[1])\" differs from the file generated from the set"))
        // Another file can have the name of a companion file.
        let refused = try sync("--write")
        #expect(refused.status == 1 && refused.errors.contains("may contain more than pins"), "\(refused)")
        #expect(try folder.text("Pins/\(names[1])") == "old")
        try FileManager.default.removeItem(atPath: folder.path("Pins/\(names[1])"))
        #expect(try sync("--write").status == 0)
        #expect(try folder.bytes("Pins/\(names[1])") == pki.bytes("leaf.der"))
        // Without the certificates, sync cannot compare the copy.
        try write(copies: #"{"file":"prints.json","format":"wultra"}"#)
        let without = try sync("--check")
        #expect(without.status == 2)
        #expect(without.errors.contains("hint: add \"certificates\" to the copy in the manifest"))
    }

    /// After the first run, the folder of the certificates contains the companion files.
    @Test func certificatesCanBeInTheFolderOfTheSource() throws {
        let pki = try TestSupport.TestPKI.shared()
        try write(set: try pki.pin("leaf"))
        try write(copies: #"{"file":"Pins/Servers.swift","format":"alamofire","certificates":["Pins"]}"#)
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "Pins"), withIntermediateDirectories: true)
        try folder.write(pki.bytes("leaf.pem"), to: "Pins/leaf.pem")
        for _ in 0..<2 {
            let write = try sync("--write")
            #expect(write.status == 0, "\(write)")
            #expect(try sync("--check").status == 0)
        }
    }

    /// AFNetworking reads each .cer file of the app, so a certificate that sync wrote earlier must go with its pin.
    @Test func reportsCertificatesOfPinsThatTheSetDropped() throws {
        let pki = try TestSupport.TestPKI.shared()
        let certificates =
            #""certificates":["\#(pki.path("leaf.pem"))","\#(pki.path("root.pem"))","\#(pki.path("intermediate.pem"))"]"#
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path("Certs")).sorted()
        }
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "Certs"), withIntermediateDirectories: true)
        try write(copies: "{\"file\":\"Certs/pinned.cer\",\"format\":\"certificates\",\(certificates)}")
        try write(set: try pki.pin("leaf"), try pki.pin("root"))
        #expect(try sync("--write").status == 0)
        let old = try #require(names().first { $0.hasPrefix("pinned-") })
        // Files that sync did not write stay.
        try folder.write(pki.bytes("root.der"), to: "Certs/mine.cer")
        try folder.write("key", to: "Certs/pinned-0123456789abcdef.cer")
        try write(set: try pki.pin("leaf"), try pki.pin("intermediate"))
        // No file is removed, because another manifest can have written it.
        let first = try sync("--write")
        #expect(first.status == 1 && first.errors.contains("hint: remove \"Certs/\(old)\""), "\(first)")
        #expect(try names().contains(old) && names().count == 5)
        let check = try sync("--check")
        #expect(check.status == 1 && check.text.contains("\"\(old)\" contains a certificate that the set does not pin"))
        // Another copy in the folder can need the file.
        try write(
            copies: "{\"file\":\"Certs/pinned.cer\",\"format\":\"certificates\",\(certificates)},"
                + "{\"file\":\"Pins.kt\"}")
        #expect(try sync("--write").status == 1)
        try FileManager.default.removeItem(atPath: folder.path("Certs/\(old)"))
        #expect(try sync("--check").status == 0)
    }

    /// Two copies in one folder, each of which needs its own companion files.
    @Test func keepsCertificatesOfOtherCopiesInTheFolder() throws {
        let pki = try TestSupport.TestPKI.shared()
        let certificates = #""certificates":["\#(pki.path("leaf.pem"))","\#(pki.path("root.pem"))"]"#
        let pins = #"["\#(try pki.pin("leaf"))","\#(try pki.pin("root"))"]"#
        try folder.write(
            #"{"version":1,"hosts":{"a.example.com":["\#(try pki.pin("leaf"))"],"b.example.com":\#(pins)}}"#,
            to: "pins.json")
        try write(
            copies: #"{"file":"a.cer","format":"certificates","hosts":["a.example.com"],\#(certificates)},"#
                + #"{"file":"b.cer","format":"certificates","hosts":["b.example.com"],\#(certificates)}"#)
        for _ in 0..<2 { #expect(try sync("--write").status == 0) }
        #expect(try sync("--check").status == 0)
    }

    /// A run that was killed before it wrote the copy itself leaves companion files.
    @Test(arguments: ["", #","overwrite":true"#]) func createsACopyBesideItsCompanionFiles(more: String) throws {
        let pki = try TestSupport.TestPKI.shared()
        let certificates = #""certificates":["\#(pki.path("leaf.pem"))","\#(pki.path("root.pem"))"]\#(more)"#
        try write(set: try pki.pin("leaf"), try pki.pin("root"))
        for (name, format) in [("Servers.swift", "alamofire"), ("pinned.cer", "certificates"), ("c.json", "chromium")] {
            try write(copies: "{\"file\":\"\(name)\",\"format\":\"\(format)\",\(certificates)}")
            #expect(try sync("--write").status == 0)
            try FileManager.default.removeItem(atPath: folder.path(name))
            let run = try sync("--write")
            #expect(run.status == 0, "\(run)")
            #expect(FileManager.default.fileExists(atPath: folder.path(name)))
            #expect(try sync("--check").status == 0)
        }
    }

    @Test func companionFileThatCannotBeRead() throws {
        try write(set: Self.x1, Self.x2)
        try write(copies: #"{"file":"t.json","format":"chromium"}"#)
        try FileManager.default.createDirectory(atPath: folder.path("t.pins"), withIntermediateDirectories: true)
        for action in ["--check", "--write"] {
            let run = try sync(action)
            #expect(run.status == 2 && run.errors.contains("\"t.pins\" is a folder"), "\(run)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("t.json")))
    }

    /// The name of such a companion file does not depend on the name of the copy.
    @Test func hintForACompanionFileOfTwoCopies() throws {
        let pki = try TestSupport.TestPKI.shared()
        try write(set: try pki.pin("leaf"))
        try write(
            copies: #"{"file":"P.swift","format":"alamofire","certificates":["\#(pki.path("leaf.pem"))"]},"#
                + #"{"file":"Q.swift","format":"alamofire","certificates":["\#(pki.path("leaf.pem"))"]}"#)
        #expect(try sync("--write").status == 0)
        let name = try #require(
            FileManager.default.contentsOfDirectory(atPath: folder.url.path).first { $0.hasSuffix(".der") })
        try write(
            copies: #"{"file":"P.swift","format":"alamofire","certificates":["\#(pki.path("leaf.pem"))"]},"#
                + #"{"file":"\#(name)","format":"pins","overwrite":true}"#)
        let run = try sync("--check")
        #expect(run.status != 0 && run.errors.contains("use another folder for the copy"), "\(run)")
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

    /// Two folders that do not exist are not one.
    @Test func copiesInMissingFoldersAreSeparate() throws {
        try write(set: Self.x1, Self.x2)
        try write(copies: #"{"file":"a/Pins.kt"},{"file":"b/Pins.kt"},{"file":"Pins.kt"}"#)
        let run = try sync("--write")
        #expect(run.status == 2 && run.errors.contains(#"there is no folder "a""#), "\(run)")
        #expect(run.errors.contains(#"there is no folder "b""#) && !run.errors.contains("same file"), "\(run)")
        try #expect(folder.text("Pins.kt").contains(Self.x1))
    }

    /// A named pipe without a writer never ends. The manifest names it, and no person at a shell.
    @Test func aSetThatIsAPipeIsAnError() throws {
        try #require(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
        try folder.write(#"{"version":1,"set":"pipe","copies":[{"file":"c.kt"}]}"#, to: "sync.json")
        let run = try sync("--check")
        #expect(run.status == 2 && run.errors.contains("it is not a regular file"), "\(run)")
    }

    /// A system call would use the path up to this character.
    @Test(arguments: [
        #"{"version":1,"set":"pins.json\u0000","copies":[{"file":"Pins.kt"}]}"#,
        #"{"version":1,"set":"pins.json","copies":[{"file":"Pins.kt\u0000.txt","format":"okhttp"}]}"#,
        #"{"version":1,"set":"pins.json","copies":[{"file":"Pins.kt","certificates":["a\u0000"]}]}"#,
    ]) func pathsWithNULAreErrors(manifest: String) throws {
        try write(set: Self.x1, Self.x2)
        try folder.write(manifest, to: "sync.json")
        let run = try sync("--write")
        #expect(run.status == 2 && run.errors.contains("contains the character NUL"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("Pins.kt")))
    }

    /// Only files with certificates can be obsolete companion files.
    @Test func otherThingsWithTheNameOfACertificateFile() throws {
        let pki = try TestPKI.shared()
        try write(set: pki.pin("root"))
        try write(
            copies: #"{"file":"certs/a.cer","format":"certificates","certificates":["\#(pki.path("root.pem"))"]}"#)
        try FileManager.default.createDirectory(
            atPath: folder.path("certs/pinned-x.cer"), withIntermediateDirectories: true)
        let run = try sync("--write")
        #expect(run.status == 0, "\(run)")
        try #expect(sync("--check").status == 0)
    }

    /// If the files of another copy are not known, none of them is called obsolete.
    @Test func companionFilesOfACopyThatCannotBeRead() throws {
        let pki = try TestPKI.shared()
        let (root, leaf, intermediate) = try (pki.pin("root"), pki.pin("leaf"), pki.pin("intermediate"))
        try folder.write(
            #"{"version":1,"hosts":{"a.example":["\#(root)"],"b.example":["\#(leaf)","\#(intermediate)"]}}"#,
            to: "pins.json")
        for name in ["root", "leaf", "intermediate"] { try folder.write(pki.text("\(name).pem"), to: "\(name).pem") }
        let format = #""format":"certificates""#
        try write(
            copies: #"{"file":"a.cer",\#(format),"hosts":["a.example"],"certificates":["root.pem"]},"#
                + #"{"file":"b.cer",\#(format),"hosts":["b.example"],"certificates":["leaf.pem","intermediate.pem"]}"#)
        let written = try sync("--write")
        try #expect(folder.names().contains { $0.hasPrefix("pinned-") }, "\(written)")
        try FileManager.default.removeItem(atPath: folder.path("leaf.pem"))
        let run = try sync("--check")
        #expect(run.status == 2 && !run.text.contains("that the set does not pin"), "\(run)")
    }
}
