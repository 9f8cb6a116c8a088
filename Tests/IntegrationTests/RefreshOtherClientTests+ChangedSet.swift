import TestSupport
import Testing

/// Another process changes the pins of the set during the run.
extension RefreshOtherClientTests {
    private static let gone = #", "goneSince": "2026-01-01""#

    /// Refreshes a set to which another process adds a pin that seems gone, after the run has read it. No pin may be retired by this run.
    /// The next run retires all pins with these names.
    private func refreshWhile(adding name: String, to names: [String]) throws {
        try Nginx.run {
            pki.server($0, "new")
        } _: { server in
            let old =
                try [pin("leaf2", "leaf", #", "notAfter": "2026-01-02""#), pin("root", "root")]
                + names.map { try pin($0, "leaf", Self.gone) }
            try writeSet(old + [pin(name, "leaf", Self.gone)])
            let changed = try folder.text("pins.json")
            try writeSet(old)
            let port = server.port
            let run = try RawPeer.run { connection in
                guard (try? folder.write(changed, to: "pins.json")) != nil else { return }
                connection.forward(to: port) { $0.write($1) }
            } _: { peer in
                try refresh(peer.endpoint)
            }
            for name in names + [name] { try #expect(state(of: name) == "active", "\(run)") }
            #expect(run.text.contains("the set changed during the run"), "\(run)")
            let again = try refresh(server.endpoint)
            for name in names + [name] { try #expect(state(of: name) == "retired", "\(again)") }
        }
    }

    /// The run did not make the checks for a pin that seems gone.
    @Test func aPinThatSeemsGoneOnlyInTheChangedFile() throws { try refreshWhile(adding: "leaf", to: []) }

    /// The other process can have seen the pin after this run asked the host.
    @Test func aNewerPinIsNotRetired() throws { try refreshWhile(adding: "spare2", to: ["leaf"]) }

    /// The key became that of another host after the run has read the set.
    @Test func aBackupThatBecomesActiveForAnotherHost() throws {
        try Nginx.run {
            pki.server($0, "new")
        } _: { server in
            try writeSet([pin("leaf2", "leaf"), pin("root", "root")])
            let old = try folder.text("pins.json")
            let other = #""hosts": { "mail.test": ["\#(try pki.pin("spare2"))"],"#
            let changed = old.replacing("\"hosts\": {", with: other)
            let port = server.port
            let run = try RawPeer.run { connection in
                guard (try? folder.write(changed, to: "pins.json")) != nil else { return }
                connection.forward(to: port) { $0.write($1) }
            } _: { peer in
                try refresh(peer.endpoint, ["--from-key", pki.path("spare2.key")], status: 1)
            }
            #expect("\(run)".contains("cannot be a backup: it is active in the set"), "\(run)")
            try #expect(folder.text("pins.json") == changed)
        }
    }
}
