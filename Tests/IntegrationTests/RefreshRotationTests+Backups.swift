import Testing

/// Backups that come into use.
extension RefreshRotationTests {
    /// The host has moved to the CA of the backup. Some platforms reject a host that has only backups.
    @Test(arguments: ["root", "ca", "any"]) func backupOfAnAuthorityBecomesActive(role: String) throws {
        let dates = #", "added": "2026-01-01", "goneSince": "2026-02-01""#
        try write(key("old", "root", dates), key("root", role, #", "state": "backup""#))
        try serving("first") { server in
            // Without another backup, the last active pin stays.
            let alone = try report(server, "--write", "--retain", "0", status: 1)
            #expect(alone.statuses == ["gone", "backup-in-use"], "\(alone)")
            #expect(alone.codes.contains("backup-in-use"), "\(alone)")
            try #expect(states() == ["old": "active", "root": "backup"])
            try report(server, "--write", "--from-key", pki.path("spare.key"), status: 0)
            try #expect(states() == ["old": "retired", "root": "active", "spare": "backup"])
            try report(server, "--check", status: 0)
        }
    }

    /// A backup of a CA does not become active beside an active pin that is in use: it can be in the chain of another CA that signed it.
    @Test func backupOfAnAuthorityStays() throws {
        try write(key("intermediate", "intermediate"), key("root", "root", #", "state": "backup""#), backup("spare"))
        try serving("first") { server in
            try #expect(report(server, "--write", status: 0).statuses == ["served", "backup-in-use", "backup"])
        }
    }

    /// The intended rotation: the backup key comes into use, and a new backup key is added at the same time.
    @Test func backupBecomesActive() throws {
        try write(key("leaf", "leaf"), backup("spare"))
        try pki.chain("second", key: "spare", by: "intermediate")
        try serving("second") { server in
            let alone = try report(server, "--write", status: 1)
            #expect(alone.statuses == ["gone", "backup-in-use"])
            #expect(alone.codes.contains("backup-in-use"))
            try #expect(states() == ["leaf": "active", "spare": "backup"])
            try pki.key("spare2")
            let result = try report(server, "--write", "--from-key", pki.path("spare2.key"), status: 0)
            #expect(result.statuses == ["gone", "promoted"])
            try #expect(states() == ["leaf": "active", "spare": "active", "spare2": "backup"])
        }
        try retire("leaf", served: "second")
    }
}
