import Foundation
import TestSupport
import Testing

/// The companion files of copies: certificates, and the names of Chromium.
@Suite(.blocking) struct SyncCompanionTests: SyncSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("sync") }

    @Test(arguments: [
        #"{"file":"c.json","format":"chromium"},{"file":"c.pins","format":"okhttp","overwrite":true}"#,
        #"{"file":"c.json","format":"chromium"},{"file":"c_pins.json","format":"chromium"}"#,
        #"{"file":"c.json","format":"chromium"},{"file":"./c_pins.json","format":"chromium"}"#,
    ])
    func refusesCompanionFilesThatAreOtherFiles(copies: String) throws {
        try write(set: SyncTests.x1, SyncTests.x2)
        try write(copies: copies)
        let run = try sync("--write")
        #expect(run.status == 2 && run.errors.contains("the companion file"), "\(run)")
        // The other copy is written, and it stays equal.
        #expect(try sync("--write").text.contains("equal "))
    }

    @Test func keepsCompanionFilesThatItDidNotWrite() throws {
        try write(set: SyncTests.x1, SyncTests.x2)
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
        // The set does not pin a retired key.
        let retired = #"{"sha256":"\#(try pki.pin("root"))","state":"retired"}"#
        try write(
            hosts:
                #""api.example.com":{"pins":["\#(try pki.pin("leaf"))","\#(try pki.pin("intermediate"))",\#(retired)]}"#
        )
        #expect(try sync("--check").text.contains("\"\(old)\" contains a certificate that the set does not pin"))
        try write(set: try pki.pin("leaf"), try pki.pin("intermediate"))
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
        try write(set: SyncTests.x1, SyncTests.x2)
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
