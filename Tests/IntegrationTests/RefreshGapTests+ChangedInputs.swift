import Foundation
import TestSupport
import Testing

/// Inputs that change during the run.
extension RefreshGapTests {
    /// The members of the entry before its pins, when refresh reads the set and when it writes.
    struct Edit: CustomTestStringConvertible, Sendable {
        let before: String
        let after: String
        /// The members that the message names; nil if refresh writes.
        let changed: String?
        var testDescription: String { "\(before) -> \(after)" }
    }

    static let edits = [
        Edit(before: "", after: #""endpoints": ["api.example.test:9443"], "#, changed: #""endpoints""#),
        Edit(before: #""endpoints": ["api.example.test:9443"], "#, after: "", changed: #""endpoints""#),
        Edit(
            before: #""endpoints": ["api.example.test:9443"], "#, after: #""endpoints": ["api.example.test"], "#,
            changed: #""endpoints""#),
        Edit(before: "", after: #""subdomains": "all", "#, changed: #""subdomains""#),
        Edit(
            before: "", after: #""expires": "2049-01-01", "enforce": false, "#, changed: #""expires" and "enforce""#),
        Edit(before: "", after: #""a later key": [1], "#, changed: #""a later key""#),
        // Only the layout.
        Edit(
            before: #""endpoints": ["api.example.test:9443", "api.example.test"], "#,
            after: "\n\"endpoints\" : [ \"api.example.test:9443\",\n \"api.example.test\" ] , ", changed: nil),
    ]

    /// The chain came from the endpoints that the entry had before the run.
    @Test(arguments: edits) func anEntryThatChangesDuringTheRun(edit: Edit) throws {
        try serving { server in
            try writeSet(edit.before)
            let before = try folder.text("pins.json")
            let changed = before.replacing("{ \(edit.before)\"pins\"", with: "{ \(edit.after)\"pins\"")
            #expect(changed != before)
            let run = try refresh(
                server, during: { try $0.write(changed, to: "pins.json") }, ["--anchors", pki.path("root.pem")])
            guard let keys = edit.changed else {
                #expect(run.status == 0, "\(run)")
                return try #expect(folder.text("pins.json").contains("\"state\": \"retired\""), "\(run)")
            }
            #expect(run.status == 3, "\(run)")
            #expect(run.errors.contains("the \(keys) of \"\(RotationPKI.host)\" in it changed"), "\(run.errors)")
            try #expect(folder.text("pins.json") == changed)
        }
    }

    /// The run has nothing to write, and its result is about the entry of the start.
    @Test(arguments: [(#""endpoints": ["api.example.test:9443"], "#, 3), ("", 1)] as [(String, Int32)])
    func anEntryThatChangesDuringARunWithoutEdits(members: String, status: Int32) throws {
        try serving { server in
            func set(_ members: String, _ state: String) throws -> String {
                let pin = #"{ "sha256": "\#(try pki.pin("leaf2"))", "role": "leaf", "state": "\#(state)" }"#
                let spare = #"{ "sha256": "\#(try pki.pin("spare"))", "role": "leaf", "state": "backup" }"#
                return #"{"version":1,"hosts":{"\#(RotationPKI.host)":{ \#(members)"pins":[\#(pin),\#(spare)]}}}"#
                    + "\n"
            }
            try folder.write(set("", "active"), to: "pins.json")
            // Without other members, the only active pin is retired.
            let changed = try set(members, members.isEmpty ? "retired" : "active")
            let run = try refresh(
                server, during: { try $0.write(changed, to: "pins.json") }, ["--anchors", pki.path("root.pem")])
            #expect(run.status == status, "\(run)")
            #expect(run.errors.contains("the \"endpoints\" of") == (status == 3), "\(run)")
            #expect(!run.errors.contains("up to date"), "\(run)")
            try #expect(folder.text("pins.json") == changed)
        }
    }

    /// Another program gives the host its own entry, so the chain belongs to that entry.
    @Test func anEntryForTheHostDuringTheRun() throws {
        try serving { server in
            try writeSet(#""subdomains": "all", "#, host: "example.test")
            let own = "\"\(RotationPKI.host)\": [\"\(try pki.pin("leaf"))\"]"
            let changed = try folder.text("pins.json").replacing("\"hosts\": {", with: "\"hosts\": { \(own),")
            let run = try refresh(
                server, during: { try $0.write(changed, to: "pins.json") }, ["--anchors", pki.path("root.pem")])
            #expect(run.status == 3, "\(run)")
            #expect(run.errors.contains("the entry for \"\(RotationPKI.host)\" in it changed"), "\(run.errors)")
            try #expect(folder.text("pins.json") == changed)
        }
    }

    @Test func anEntryThatIsRemovedDuringTheRun() throws {
        try serving { server in
            try writeSet("")
            let changed = "{ \"version\": 1, \"hosts\": { \"other.test\": [\"\(try pki.pin("leaf"))\"] } }\n"
            let run = try refresh(
                server, during: { try $0.write(changed, to: "pins.json") }, ["--anchors", pki.path("root.pem")])
            #expect(run.status == 3, "\(run)")
            #expect(run.errors.contains("\(RotationPKI.host) was not refreshed: it was removed from"), "\(run)")
            try #expect(folder.text("pins.json") == changed)
        }
    }

    /// At the start of the run no pin is gone and no backup is in use, so refresh searches no other chains.
    @Test func aBackupThatAppearsDuringTheRun() throws {
        try serving { server in
            func pin(_ name: String, _ members: String) throws -> String {
                #"{ "sha256": "\#(try pki.pin(name))", "role": \#(members) }"#
            }
            func set(_ state: String) throws -> String {
                let pins = try [
                    pin("root", "\"root\""), pin("leaf2", "\"leaf\", \"state\": \"\(state)\""),
                    pin("spare", "\"leaf\", \"state\": \"backup\""),
                ]
                let entry = "\"\(RotationPKI.host)\": { \"pins\": [\n\(pins.joined(separator: ",\n"))\n] }"
                return "{ \"version\": 1, \"hosts\": { \(entry) } }\n"
            }
            try folder.write(set("active"), to: "pins.json")
            let changed = try set("backup")
            let anchors = ["--anchors", pki.path("root.pem")]
            let run = try refresh(server, during: { try $0.write(changed, to: "pins.json") }, anchors)
            #expect(run.status == 0, "\(run)")
            try #expect(folder.text("pins.json") == changed, "\(run)")
            // The next run makes the checks.
            let next = try refresh(server, during: { _ in }, anchors)
            #expect(next.status == 0, "\(next)")
            try #expect(folder.text("pins.json").components(separatedBy: "\"backup\"").count == 2, "\(next)")
        }
    }

    /// The chain was validated with the anchors that the set had before the run.
    @Test func anchorsThatChangeDuringTheRun() throws {
        try pki.root("other")
        try serving { server in
            try writeSet(#""anchors": ["\#(pki.path("root.pem"))"], "#)
            let changed = try folder.text("pins.json").replacing("root.pem", with: "other.pem")
            let run = try refresh(server, during: { try $0.write(changed, to: "pins.json") })
            #expect(run.status == 3, "\(run)")
            #expect(run.errors.contains("the \"anchors\" of \"\(RotationPKI.host)\" in it changed"), "\(run.errors)")
            try #expect(folder.text("pins.json") == changed)
        }
    }

    enum AnchorEdit: String, CaseIterable, Sendable { case contents, link, removal }

    /// The list of anchors stays, but its file has other contents.
    @Test(arguments: AnchorEdit.allCases) func anchorFilesThatChangeDuringTheRun(edit: AnchorEdit) throws {
        try pki.root("other")
        let (root, other) = (pki.path("root.pem"), pki.path("other.pem"))
        try serving { server in
            for isOfSet in [true, false] {
                let path = folder.path("ca.pem")
                try? FileManager.default.removeItem(atPath: path)
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: root)
                try writeSet(#""anchors": ["ca.pem"], "#)
                let before = try folder.text("pins.json")
                let run = try refresh(
                    server,
                    during: { folder in
                        try? FileManager.default.removeItem(atPath: path)
                        switch edit {
                        case .contents: try folder.write(String(contentsOfFile: other, encoding: .utf8), to: "ca.pem")
                        case .link: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
                        case .removal: break
                        }
                    }, isOfSet ? [] : ["--anchors", root])
                // With --anchors, the run does not use the files of the set.
                #expect(run.status == (isOfSet ? 3 : 0), "\(run)")
                try #expect((folder.text("pins.json") == before) == isOfSet, "\(run)")
                let reason =
                    edit == .removal
                    ? "the anchors of \"\(RotationPKI.host)\""
                    : "the files of the \"anchors\" of \"\(RotationPKI.host)\" changed"
                #expect(run.errors.contains(reason) == isOfSet, "\(run.errors)")
            }
        }
    }
}
