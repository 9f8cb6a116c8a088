import TestSupport
import Testing

extension RefreshOtherClientTests {
    /// Makes the root "other", which signs "root" too, and the chain "crossed", which contains that certificate.
    private func makeCrossSignedChain() throws {
        try pki.root("other")
        try pki.authority("root", by: "other", as: "cross")
        try pki.chain("crossed", key: "leaf2", by: "intermediate", "cross")
    }

    /// Writes a set without another backup.
    private func writeOnly(_ pins: [String]) throws {
        try folder.write(
            #"{"version":1,"hosts":{"\#(RotationPKI.host)":{"pins":[\#(pins.joined(separator: ","))]}}}"#,
            to: "pins.json")
    }

    /// A client with only the other root builds another path than pinctl, also if pinctl does not trust this root.
    @Test(arguments: [true, false]) func aPinInAnotherValidPath(isTrusted: Bool) throws {
        try makeCrossSignedChain()
        try Nginx.run {
            pki.server($0, "crossed")
        } _: { server in
            let pins = [("intermediate", "intermediate"), ("other", "root")]
            try writeSet(pins.map { try pin($0, $1) })
            let run = try refresh(server.endpoint, isTrusted ? ["--anchors", pki.path("other.pem")] : [])
            try #expect(state(of: "other") == "active", "\(run)")
            let reason =
                "contains a certificate of \"Test root\" that \"Test other\" issued, which is in no path that is valid here"
            #expect(run.text.contains(reason) != isTrusted, "\(run)")
            #expect(run.text.contains("Test other: as root") == isTrusted, "\(run)")
            try #expect(folder.text("pins.json").contains(pki.pin("root")), "\(run)")
        }
    }

    /// A host moves to the root of a backup only when no client needs the active one.
    @Test(arguments: ["root", "ca", "any"]) func aBackupBesideAPinInAnotherPath(role: String) throws {
        try makeCrossSignedChain()
        try Nginx.run {
            pki.server($0, "crossed")
        } _: { server in
            try writeSet([pin("other", role), pin("root", role, #", "state": "backup""#)])
            let run = try refresh(server.endpoint, ["--anchors", pki.path("other.pem")])
            try #expect(state(of: "root") == "backup", "\(run)")
            #expect(run.text.contains("Test other: as root"), "\(run)")
            #expect(!run.text.contains("no known key replaces it"), "\(run)")
        }
    }

    /// The active root is in the chain for clients without TLS 1.3.
    @Test(arguments: ["root", "intermediate"]) func aBackupBesideAPinOfOtherClients(second: String) throws {
        try pki.root("other")
        try pki.authority("intermediate-other", by: "other")
        try serving(oldKey: "leaf-prime256v1", issuer: "intermediate-other", .version) { server in
            let more = second == "intermediate" ? [try pin("intermediate", "intermediate")] : []
            try writeSet([pin("other", "root"), pin("root", "root", #", "state": "backup""#)] + more)
            let run = try refresh(server, ["--anchors", pki.path("other.pem")])
            try #expect(state(of: "root") == "backup" && state(of: "other") == "active", "\(run)")
            let check = try refresh(server, ["--anchors", pki.path("other.pem")])
            try #expect(state(of: "root") == "backup", "\(check)")
        }
    }

    /// Clients that trust the other root use its key now, so it is no new backup.
    @Test func aNewBackupInAPathOfOtherClients() throws {
        try makeCrossSignedChain()
        try Nginx.run {
            pki.server($0, "crossed")
        } _: { server in
            try writeOnly([pin("root", "root")])
            let run = try refresh(server.endpoint, ["--backup-authority", pki.path("other.pem")], status: 3)
            #expect(run.text.contains("it can be the key of a CA that issued a certificate"), "\(run)")
            let new = try PinctlRun.spawn(
                [
                    "init", "\(server.endpoint)=\(RotationPKI.host)", "--anchors", pki.path("root.pem"),
                    "--backup-authority", pki.path("other.pem"),
                ], folder: folder.url)
            #expect(new.status == 3 && new.output.isEmpty, "\(new)")
            try pki.root("third")
            let third = try refresh(server.endpoint, ["--backup-authority", pki.path("third.pem")])
            #expect(third.text.contains("Test third: added"), "\(third)")
        }
    }

    /// The other root is two certificates above the path. The label of an existing backup says nothing about its name.
    @Test(arguments: ["", #", "label": "Test other""#, #", "label": "our spare""#])
    func aBackupTwoCertificatesAbove(label: String) throws {
        try pki.root("other")
        try pki.root("middle")
        try pki.authority("middle", by: "other", as: "middle-other")
        try pki.authority("root", by: "middle", as: "root-middle")
        try pki.chain("crossed", key: "leaf2", by: "intermediate", "root-middle", "middle-other")
        try Nginx.run {
            pki.server($0, "crossed")
        } _: { server in
            try writeOnly([pin("root", "root")])
            let refused = try refresh(server.endpoint, ["--backup-authority", pki.path("other.pem")], status: 3)
            #expect(refused.text.contains("it can be the key of a CA that issued a certificate"), "\(refused)")
            let backup = #", "state": "backup"\#(label)"#
            try writeOnly([pin("root", "root"), pin("other", "root", backup)])
            let run = try refresh(server.endpoint)
            #expect(run.text.contains("can be the key of a CA that issued a certificate in"), "\(run)")
            #expect(!run.text.contains("not in the chain, as expected"), "\(run)")
        }
    }

    /// The trust anchor is not self-signed, so clients that trust its issuer build a longer path.
    @Test func aPinAboveTheTrustAnchor() throws {
        try Nginx.run {
            pki.server($0, "new")
        } _: { server in
            let gone = #", "goneSince": "2026-01-01""#
            let pins = try [pin("intermediate", "intermediate"), pin("root", "root", gone)]
            let anchor = pki.path("intermediate.pem")
            let set =
                #"{"version":1,"hosts":{"\#(RotationPKI.host)":{"anchors":["\#(anchor)"],"pins":[\#(pins.joined(separator: ","))]}}}"#
            try folder.write(set, to: "pins.json")
            let run = try PinctlRun.spawn(
                [
                    "refresh", "--write", "--assume-complete", "--pins", "pins.json",
                    "\(server.endpoint)=\(RotationPKI.host)",
                ], folder: folder.url)
            try #expect(state(of: "root") == "active", "\(run)")
            #expect(
                run.text.contains("contains a certificate of \"Test intermediate\" that \"Test root\" issued"), "\(run)"
            )
        }
    }

    /// The only backup is the root of another path, so clients with other trust anchors use it. No pin is gone.
    @Test(arguments: [true, false]) func aBackupInAnotherValidPath(isTrusted: Bool) throws {
        try makeCrossSignedChain()
        try Nginx.run {
            pki.server($0, "crossed")
        } _: { server in
            let pins = try [pin("root", "root"), pin("other", "root", #", "state": "backup""#)]
            try writeOnly(pins)
            let anchors = isTrusted ? ["--anchors", pki.path("other.pem")] : []
            let run = try refresh(server.endpoint, anchors, status: isTrusted ? 1 : 0)
            #expect(run.text.contains("is in the chain, and there is no other backup") == isTrusted, "\(run)")
            #expect(run.text.contains("clients with another path can use it") != isTrusted, "\(run)")
            #expect(run.text.contains("can be the key of a CA that issued a certificate in") != isTrusted, "\(run)")
        }
    }

    /// An active pin that is not in use is not called a backup.
    @Test(arguments: [("active", "the other pinned CA"), ("backup", "the backup CA")])
    func namesWhatSurvivesARotation(state: String, words: String) throws {
        try pki.root("other")
        try Nginx.run {
            pki.server($0, "new")
        } _: { server in
            let pins = try [pin("root", "root"), pin("other", "root", #", "state": "\#(state)""#)]
            try writeOnly(pins)
            let run = try refresh(server.endpoint)
            #expect(run.text.contains("only if the server uses \(words)"), "\(run)")
        }
    }

    /// CAs that all sign each other have more paths than the search tries.
    @Test func tooManyValidPaths() throws {
        let names = (1...6).map { "mesh\($0)" }
        for name in names { try pki.root(name) }
        var files: [String] = []
        for name in names {
            for issuer in names where issuer != name {
                try pki.authority(name, by: issuer, as: "\(name)-\(issuer)")
                files.append("\(name)-\(issuer)")
            }
        }
        try pki.chain("meshed", key: "leaf2", by: "mesh1")
        let chain = try (["meshed.leaf"] + files).map { try pki.folder.text("\($0).pem") }.joined()
        try pki.folder.write(chain, to: "meshed.chain.pem")
        try Nginx.run {
            pki.server($0, "meshed")
        } _: { server in
            try writeSet([pin("leaf", "leaf"), pin("mesh1", "any")])
            let anchors = names.flatMap { ["--anchors", pki.path("\($0).pem")] }
            let run = try refresh(server.endpoint, anchors)
            try #expect(state(of: "leaf") == "active", "\(run)")
            #expect(run.text.contains("may have more valid paths than refresh searches"), "\(run)")
            // A path that was not searched can contain a backup.
            try pki.root("unused")
            try writeOnly([pin("mesh1", "any"), pin("unused", "root", #", "state": "backup""#)])
            let known = try refresh(server.endpoint, anchors)
            let warning = "the backup \(try pki.pin("unused")) can be in one of the host's valid paths"
            #expect(known.text.contains(warning), "\(known)")
            let backup = ["--from-key", pki.path("spare2.key")]
            let refused = try refresh(server.endpoint, anchors + backup, status: 3)
            #expect(refused.text.contains("can be in one of the host's valid paths"), "\(refused)")
            let first = try PinctlRun.spawn(["init", server.localhost] + anchors + backup)
            #expect(first.status == 3 && first.errors.contains("than init searches"), "\(first)")
        }
    }

    /// The root of another path is in use by clients with other trust anchors.
    @Test(arguments: [["--from-key", "other.key"], ["--backup-authority", "other.pem"]])
    func refusesABackupInAnotherValidPath(option: [String]) throws {
        try makeCrossSignedChain()
        let backup = [option[0], pki.path(option[1])]
        try Nginx.run {
            pki.server($0, "crossed")
        } _: { server in
            try writeSet([pin("root", "root")])
            let anchors = ["--anchors", pki.path("other.pem")]
            let run = try refresh(server.endpoint, anchors + backup, status: 1)
            #expect(run.text.contains("cannot be a backup: it is in a chain of a host"), "\(run)")
            let first = try PinctlRun.spawn(
                ["init", server.localhost, "--anchors", pki.path("root.pem")] + anchors + backup)
            #expect(first.status == 1, "\(first)")
            #expect(first.errors.contains("cannot be a backup: its key is in a chain of the host"), "\(first)")
            // Without the other root, only its name is known. The key of a leaf is not that of a CA.
            let isAuthority = option[0] == "--backup-authority"
            let spare = try refresh(server.endpoint, backup, status: isAuthority ? 3 : 0)
            try #expect(folder.text("pins.json").contains(pki.pin("other")) != isAuthority, "\(spare)")
        }
    }
}
