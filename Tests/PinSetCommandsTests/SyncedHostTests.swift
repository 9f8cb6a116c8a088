import Foundation
import InProcessRuns
import TestSupport
import Testing

/// `pinctl sync` with hosts that the format of a copy leaves out.
@Suite(.blocking) struct SyncedHostTests: SyncSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("sync") }

    /// The printed command adds the missing pin.
    @Test func keepsThePinsOfAHostThatTheFormatLeavesOut() throws {
        let pki = try TestPKI.shared()
        let (root, leaf) = try (pki.pin("root"), pki.pin("leaf"))
        try folder.write(pki.text("leaf.pem"), to: "LEAF.pem")
        func writePin(_ role: String) throws {
            try write(
                hosts: #""a.example":{"pins":[{"sha256":"\#(role == "ca" ? root : leaf)","role":"\#(role)"}]},"#
                    + #""b.example":["\#(SyncTests.x1)"]"#)
        }
        try writePin("leaf")
        try write(copies: #"{"file":"pins.txt","format":"curl"}"#)
        try #expect(sync("--write").status == 0)
        let old = try folder.text("pins.txt")
        try writePin("ca")
        for action in ["--check", "--write"] {
            let run = try sync(action)
            #expect(run.status == 1, "\(run)")
            #expect(run.text.contains("a.example: the set has the host, and the format leaves it out"), "\(run)")
            try #expect(folder.text("pins.txt") == old)
        }
        let run = try sync("--write")
        #expect(run.errors.contains("writing the copy would remove the pins of \"a.example\": no pin is for"), "\(run)")
        let command = try #require(
            run.errorLines.compactMap { $0.split(separator: "pinctl add ").dropFirst().first }.first)
        let words = try #require(command.split(separator: ",").first).split(separator: " ").map(String.init)
        #expect(words == ["--pins", "pins.json", "--from-cert", "LEAF.pem", "--state", "active", "a.example"])
        try #expect(PinctlRun.inProcess(["add"] + words, folder: folder.url).status == 0)
        let fixed = try sync("--write")
        #expect(fixed.status == 0, "\(fixed)")
        try #expect(folder.text("pins.txt").contains(leaf))
        // The other step of the hint.
        try writePin("ca")
        try write(copies: #"{"file":"pins.txt","format":"curl","hosts":["b.example"]}"#)
        try #expect(sync("--write").status == 0)
        try #expect(!folder.text("pins.txt").contains("a.example"))
    }

    @Test func namesTheStepIfNoHostCanBeWritten() throws {
        try write(hosts: #""a.example":{"pins":[{"sha256":"\#(SyncTests.x1)","role":"ca"}]}"#)
        try write(copies: #"{"file":"pins.txt","format":"curl"}"#)
        let step =
            "hint: add the server's own key as an active pin: pinctl add --pins pins.json --from-cert LEAF.pem --state active a.example"
        let run = try sync("--check")
        #expect(run.status == 2 && run.errors.contains(step + "\n"), "\(run)")
        #expect(
            run.errors.contains(
                "\"curl\" supports no host of the set: \"a.example\": no pin is for the server's own key"))
        let converted = try PinctlRun.inProcess(["convert", "--to", "curl", "pins.json"], folder: folder.url)
        #expect(converted.status == 2 && converted.errors.contains(step + "\n"), "\(converted)")
    }

    /// The paths of anchors are relative to the file that contains them.
    @Test func writesThePathsOfAnchorsForTheFolderOfTheCopy() throws {
        try folder.write("", to: "ca.pem")
        try folder.write("", to: "sub/own.pem")
        try write(
            hosts:
                #""a.example":{"anchors":["ca.pem","sub/own.pem","/etc/x.pem"],"pins":["\#(SyncTests.x1)","\#(SyncTests.x2)"]}"#
        )
        try write(copies: #"{"file":"sub/copy.json","format":"pins"},{"file":"copy.json","format":"pins"}"#)
        try #expect(sync("--write").status == 0)
        try #expect(sync("--check").status == 0)
        try #expect(ConvertAnchorTests.anchors(in: folder, "sub/copy.json") == ["../ca.pem", "own.pem", "/etc/x.pem"])
        try #expect(ConvertAnchorTests.anchors(in: folder, "copy.json") == ["ca.pem", "sub/own.pem", "/etc/x.pem"])
        // A file with other paths for the same files is no different set for a person who compares them.
        for (other, status) in [("sub/copy.json", Int32(0)), ("copy.json", 0)] {
            let run = try PinctlRun.inProcess(["diff", "pins.json", other], folder: folder.url)
            #expect(run.status == status && run.text.isEmpty, "\(run)")
        }
    }
}
