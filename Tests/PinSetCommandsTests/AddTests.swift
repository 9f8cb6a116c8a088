import Foundation
import InProcessRuns
import TestSupport
import Testing

/// `pinctl add` and `pinctl retire`: pins and hosts of a pin set.
@Suite(.blocking) struct AddTests {
    private let pki: TestPKI
    private let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("add")
        let pin = try pki.pin("root")
        try folder.write(
            """
            { "version": 1,
              "hosts": {
                "api.example.com": { "pins": [ { "sha256": "\(pin)", "role": "root" } ] },
                "www.example.com": { "pins": [ { "sha256": "\(pin)", "role": "root" } ] } } }

            """, to: "pins.json")
    }

    private func run(_ arguments: String..., status: Int32 = 0) throws -> PinctlRun {
        try run(arguments, status: status)
    }

    private func run(_ arguments: [String], status: Int32 = 0) throws -> PinctlRun {
        let run = try PinctlRun.inProcess(arguments + ["--pins", "pins.json"], folder: folder.url)
        #expect(run.status == status, "\(run)")
        return run
    }

    private struct Pin: Equatable {
        var sha256: String
        var role: String?
        var state: String?
        var label: String?
        var notAfter: String?
    }

    private func entry(_ host: String) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(folder.bytes("pins.json"))) as? [String: Any]
        let hosts = try #require(object?["hosts"] as? [String: Any])
        return try #require(hosts[host] as? [String: Any])
    }

    private func pins(_ host: String) throws -> [Pin] {
        try #require(entry(host)["pins"] as? [[String: String]]).map {
            Pin(
                sha256: $0["sha256"] ?? "", role: $0["role"], state: $0["state"], label: $0["label"],
                notAfter: $0["notAfter"])
        }
    }

    /// The hint is a command that creates the set, with what the command line already says.
    @Test func aSetThatDoesNotExist() throws {
        func errors(_ arguments: String...) throws -> String {
            let run = try PinctlRun.inProcess(["add", "--pins", "my new.json"] + arguments, folder: folder.url)
            #expect(run.status == 2, "\(run)")
            return run.errors
        }
        let certificate = try errors("--from-cert", pki.path("root.pem"), "api.example.com")
        #expect(
            certificate == """
                pinctl: error: there is no pin set "my new.json": add changes an existing one
                pinctl: hint: create it: pinctl init --from-csr FILE --output 'my new.json' api.example.com (pinctl keygen creates the request of a backup key)

                """)
        let key = try errors(
            "--from-key", pki.path("leaf-www.key"), "--expires", "2199-01-01", "api.example.com", "2001:db8::1")
        #expect(
            key.hasSuffix(
                "init --from-key \(pki.path("leaf-www.key")) --expires 2199-01-01 --output 'my new.json' api.example.com '[2001:db8::1]'\n"
            ), "\(key)")
    }

    /// A pin in base64 contains characters of paths and targets, which are not the error.
    @Test(arguments: [
        "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=", "sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=",
    ])
    func aPinInPlaceOfAHost(pin: String) throws {
        for command in ["add", "retire"] {
            let errors = try run(command, "api.example.com", pin, status: 2).errors
            #expect(
                errors.contains("\"\(pin)\": it is a pin, but a host is expected\npinctl: hint: use --pin PIN\n"),
                "\(errors)")
        }
        let errors = try PinctlRun.inProcess(["fetch", pin], folder: folder.url).errors
        #expect(errors.contains("use pinctl hash PIN to find the CA of a pin"), "\(errors)")
    }

    /// The role, the label and the end of validity come from the certificate.
    @Test(arguments: [
        ("other-root", "root", "Unrelated Test Root"),
        ("intermediate-rsa", "intermediate", "Example Test RSA Intermediate"),
        ("leaf-www", "leaf", "www.example.test"),
    ])
    func addsACertificate(name: String, role: String, label: String) throws {
        let run = try run("add", "--from-cert", pki.path("\(name).pem"), "api.example.com")
        #expect(
            run.errors.contains("api.example.com: added the pin \"\(label)\" \(try pki.pin(name)) (\(role), backup)\n"))
        #expect(
            try pins("api.example.com").dropFirst() == [
                Pin(sha256: pki.pin(name), role: role, state: "backup", label: label, notAfter: "2049-12-31")
            ])
        #expect(try pins("www.example.com").count == 1)
        // The second run changes nothing, and the file keeps its bytes.
        let before = try folder.bytes("pins.json")
        let again = try self.run("add", "--from-cert", pki.path("\(name).pem"), "api.example.com")
        #expect(again.errors == "pinctl: \"pins.json\" is unchanged: it already has this\n")
        #expect(try folder.bytes("pins.json") == before)
    }

    /// DST Root CA X3 expired on 2021-09-30.
    @Test(arguments: ["root", "leaf"]) func warnsAboutAnExpiredCA(role: String) throws {
        let pin = "Vjs8r4z+80wjNcr1YKepWQboSIRi63WsWXhIMN+eWys="
        let run = try run("add", "--pin", pin, "--role", role, "api.example.com")
        #expect(run.errors.contains("DST Root CA X3\" expired on 2021-09-30") == (role == "root"), "\(run)")
    }

    /// With "goneSince", the next refresh could retire the pin that a person adds.
    @Test(
        arguments: [("active", ["--state", "active"]), ("active", []), ("backup", []), ("retired", [])]
            as [(String, [String])])
    func addsAPinThatIsMarkedAsGone(state: String, options: [String]) throws {
        let keys = try #""sha256": "\#(pki.pin("leaf"))", "role": "leaf", "state": "\#(state)""#
        let root = try #"{ "sha256": "\#(pki.pin("root"))", "role": "root" }"#
        try folder.write(
            #"{ "version": 1, "hosts": { "api.example.com": { "pins": [ \#(root), { \#(keys), "goneSince": "2020-01-01" } ] } } }"#,
            to: "pins.json")
        let arguments = try [
            "add", "--pin", pki.pin("leaf"), "--role", "leaf", "api.example.com", "--pins", "pins.json",
        ]
        let run = try PinctlRun.inProcess(arguments + options, folder: folder.url)
        #expect(run.status == 0 && run.errors.contains("removed \"goneSince\" of this pin"), "\(run)")
        try #expect(!folder.text("pins.json").contains("goneSince"))
        let again = try PinctlRun.inProcess(arguments + options, folder: folder.url)
        #expect(again.errors == "pinctl: \"pins.json\" is unchanged: it already has this\n")
    }

    /// The host is added once, and the file has it.
    @Test(arguments: [["b.test", "b.test"], ["b.test", "B.TEST."]], ["{}", #"{"a.test":[]}"#])
    func aNewHostThatIsNamedTwice(hosts: [String], before: String) throws {
        let text = before.replacing("[]", with: "[\"\(try pki.pin("root"))\"]")
        try folder.write(#"{"version":1,"hosts":\#(text)}"#, to: "pins.json")
        let run = try PinctlRun.inProcess(
            ["add", "--pins", "pins.json", "--pin", pki.pin("leaf")] + hosts, folder: folder.url)
        #expect(run.status == 0 && run.errors.contains("1 change in"), "\(run)")
        try #expect(pins("b.test").map(\.sha256) == [pki.pin("leaf")])
    }

    @Test func addsKeysRequestsAndPins() throws {
        try Shell.run(
            "openssl req -new -key \(pki.path("leaf.key")) -subj /CN=x -out spare.csr", in: folder.url)
        _ = try run(
            "add", "--from-key", pki.path("leaf-www.key"), "--from-csr", "spare.csr", "api.example.com",
            "www.example.com")
        for host in ["api.example.com", "www.example.com"] {
            let added = try pins(host).dropFirst()
            #expect(added.map(\.sha256) == (try pki.pins("leaf-www", "leaf")))
            #expect(added.allSatisfy { $0.role == "leaf" && $0.state == "backup" })
        }
        // ISRG Root X1, as Let's Encrypt publishes it (Tests/Vectors/known-pins.tsv).
        let isrg = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
        _ = try run("add", "--pin", "sha256/\(isrg)", "--state", "active", "api.example.com")
        #expect(
            try pins("api.example.com").last
                == Pin(sha256: isrg, role: "root", state: nil, label: "ISRG Root X1", notAfter: "2035-06-04"))
        _ = try run("add", "--pin", pki.pin("other-leaf"), "--role", "leaf", "--label", "theirs", "api.example.com")
        #expect(
            try pins("api.example.com").last
                == Pin(sha256: pki.pin("other-leaf"), role: "leaf", state: "backup", label: "theirs", notAfter: nil))
    }

    @Test func addsABackupAuthority() throws {
        _ = try run("add", "--backup-authority", "isrg root x2", "api.example.com")
        // https://letsencrypt.org/certificates/
        #expect(
            try pins("api.example.com").last
                == Pin(
                    sha256: "diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI=", role: "root", state: "backup",
                    label: "ISRG Root X2", notAfter: "2040-09-17"))
        _ = try run("add", "--backup-authority", pki.path("other-root.pem"), "www.example.com")
        #expect(try pins("www.example.com").last?.sha256 == pki.pin("other-root"))
        let unknown = try run("add", "--backup-authority", "GTS Root", "api.example.com", status: 2)
        #expect(unknown.errors.contains("neither a certificate file nor the name of a public CA"), "\(unknown)")
        #expect(unknown.errors.contains("\"GTS Root R1\""), "\(unknown)")
        let leaf = try run("add", "--backup-authority", pki.path("leaf.pem"), "api.example.com", status: 2)
        #expect(leaf.errors.contains("is not a CA certificate"), "\(leaf)")
    }

    /// A CA whose certificates have expired issues none. The dates are those of https://letsencrypt.org/certificates/.
    @Test func anExpiredAuthorityIsNoBackup() throws {
        let list = try run("add", "--backup-authority", "Let's Encrypt", "api.example.com", status: 2)
        #expect(list.errors.contains("\"Let's Encrypt R12\"") && !list.errors.contains("X3"), "\(list)")
        #expect(!list.errors.contains("\"Let's Encrypt E1\"") && !list.errors.contains(" more"), "\(list)")
        for name in ["Let's Encrypt Authority X3", "Let's Encrypt E1"] {
            let expired = try run("add", "--backup-authority", name, "api.example.com", status: 2)
            #expect(expired.errors.contains("\"\(name)\" is no backup"), "\(expired)")
        }
        let typed = try run("add", "--backup-authority", "GTS Root R44", "api.example.com", status: 2)
        #expect(typed.errors.contains("use this name: \"GTS Root R4\""), "\(typed)")
        // An expired CA can still be retired.
        _ = try run("add", "--pin", "YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg=", "api.example.com")
        _ = try run("retire", "--backup-authority", "Let's Encrypt Authority X3", "api.example.com")
    }

    /// A backup of another CA is written for Apple's systems, and a backup key is not.
    @Test func aBackupAuthorityReachesApple() throws {
        _ = try run("add", "--backup-authority", "ISRG Root X2", "api.example.com")
        _ = try run("add", "--from-key", pki.path("leaf-www.key"), "www.example.com")
        let apple = try PinctlRun.inProcess(["convert", "--to", "apple", "pins.json"], folder: folder.url)
        #expect(apple.status == 0)
        #expect(apple.text.contains("diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI="))
        #expect(try !apple.text.contains(pki.pin("leaf-www")))
        #expect(
            apple.errors.contains("with pinctl add --pins pins.json --backup-authority CA www.example.com"), "\(apple)")
    }

    /// With no active pin, the entry would only have a backup, whose key no server uses.
    @Test func refusesToMakeTheOnlyActivePinABackup() throws {
        let pin = try pki.pin("root")
        let before = try folder.text("pins.json")
        let run = try run(
            "add", "--pin", pin, "--role", "root", "--state", "backup", "api.example.com", status: 2)
        #expect(run.errors.contains("\"api.example.com\" would have no active pin left"))
        #expect(try folder.text("pins.json") == before)
    }

    /// A server uses the key of an active pin.
    @Test(arguments: [[], ["--state", "backup"], ["--role", "ca"]]) func refusesAnActiveKeyAsABackup(options: [String])
        throws
    {
        let before = try folder.text("pins.json")
        let run = try run(["add", "--pin", try pki.pin("root")] + options + ["api.example.com"], status: 2)
        #expect(run.errors.contains("cannot be a backup: it is active in the set, with the role \"root\""), "\(run)")
        try #expect(folder.text("pins.json") == before)
        _ = try self.run("add", "--pin", try pki.pin("root"), "--state", "active", "api.example.com")
    }

    /// The certificate of a backup CA was renewed with the same key.
    @Test(arguments: ["2020-01-01", "2099-01-01"]) func notesTheNewEndOfACertificate(known: String) throws {
        _ = try self.run("add", "--backup-authority", pki.path("other-root.pem"), "api.example.com")
        let text = try folder.text("pins.json")
        let end = try ChildProcess.output(
            of: ["openssl", "x509", "-in", pki.path("other-root.pem"), "-noout", "-enddate", "-dateopt", "iso_8601"])
        let date = try #require(String(decoding: end, as: UTF8.self).split(separator: "=").last).prefix(10)
        try #require(text.contains("\"\(date)\""))
        try folder.write(text.replacing("\"\(date)\"", with: "\"\(known)\""), to: "pins.json")
        _ = try self.run("add", "--backup-authority", pki.path("other-root.pem"), "api.example.com")
        let written = try pins("api.example.com").last?.notAfter
        #expect(written == (known < date ? String(date) : known))
    }

    @Test func namesTheEntryThatNoLongerApplies() throws {
        _ = try self.run("add", "--subdomains", "all", "www.example.com")
        let run = try run("add", "--pin", try pki.pin("other-root"), "a.www.example.com")
        #expect(run.errors.contains("; the pins of \"www.example.com\" no longer apply to it"), "\(run)")
    }

    @Test func addsAHostAndProperties() throws {
        let first = try run(
            "add", "--from-cert", pki.path("root.pem"), "--subdomains", "one", "--expires", "2199-06-01",
            "New.Example.com.")
        #expect(first.errors.contains("new.example.com: added the host with the pin"), "\(first)")
        let new = try entry("new.example.com")
        #expect(new["subdomains"] as? String == "one" && new["expires"] as? String == "2199-06-01")
        #expect(try pins("new.example.com").map(\.state) == [nil])
        _ = try run("add", "--expires", "2199-07-01", "--subdomains", "all", "api.example.com")
        let old = try entry("api.example.com")
        #expect(old["subdomains"] as? String == "all" && old["expires"] as? String == "2199-07-01")
        _ = try run("add", "--subdomains", "none", "api.example.com")
        #expect(try entry("api.example.com")["subdomains"] == nil)
    }

    @Test func retiresAndReinstates() throws {
        _ = try run(
            "add", "--from-cert", pki.path("other-root.pem"), "--state", "active", "api.example.com", "www.example.com")
        let retired = try run("retire", "--from-cert", pki.path("root.pem"), "api.example.com")
        #expect(
            retired.errors.contains("api.example.com: retired the pin \(try pki.pin("root")) (root, active)\n"),
            "\(retired)")
        #expect(try pins("api.example.com").map(\.state) == ["retired", nil])
        #expect(try pins("www.example.com").map(\.state) == [nil, nil])
        // If no host is given, pinctl retires the pin at every host that has it.
        _ = try run("retire", "--pin", pki.pin("root"))
        #expect(try pins("www.example.com").map(\.state) == ["retired", nil])
        _ = try run("add", "--pin", pki.pin("root"), "--role", "root", "www.example.com")
        #expect(try pins("www.example.com").map(\.state) == ["backup", nil])
    }

    /// A refresh reactivates a pin that it has retired, but not one that a person retires.
    @Test func retiresAPinThatARefreshHasRetired() throws {
        let root = try pki.pin("root")
        try folder.write(
            """
            {"version": 1, "hosts": {"api.example.com": {"pins": [
              "\(try pki.pin("leaf"))",
              {"sha256": "\(root)", "role": "root", "state": "retired", "goneSince": "2026-01-02"}
            ]}}}
            """, to: "pins.json")
        let run = try run("retire", "--pin", root)
        #expect(run.errors.contains("removed \"goneSince\" of the pin \(root) (root, retired)"), "\(run)")
        try #expect(!folder.text("pins.json").contains("goneSince"))
        try #expect(folder.text("pins.json").contains(#""state": "retired""#))
    }

    @Test func refusals() throws {
        let before = try folder.bytes("pins.json")
        let last = try run("retire", "--from-cert", pki.path("root.pem"), status: 2)
        #expect(last.errors.contains("\"api.example.com\" would have no active pin left"), "\(last)")
        let unknown = try run("retire", "--pin", pki.pin("leaf"), status: 2)
        #expect(unknown.errors.contains("no host of the set has the pin"), "\(unknown)")
        let host = try run("retire", "--pin", pki.pin("root"), "api.example.org", status: 2)
        #expect(host.errors.contains("has no host \"api.example.org\""), "\(host)")
        // The entry of another host covers this one.
        try folder.write(
            folder.text("pins.json").replacing("{ \"pins\"", with: "{ \"subdomains\": \"all\", \"pins\""),
            to: "wide.json")
        let covered = try PinctlRun.inProcess(
            ["retire", "--pins", "wide.json", "--pin", pki.pin("root"), "a.api.example.com"], folder: folder.url)
        #expect(covered.errors.contains("hint: use the host of its entry: api.example.com\n"), "\(covered)")
        #expect(try run("add", "api.example.com", status: 2).errors.contains("nothing to add"))
        #expect(try run("retire", "api.example.com", status: 2).errors.contains("no pin to retire"))
        let new = try run("add", "--expires", "2199-01-01", "new.example.com", status: 2)
        #expect(new.errors.contains("a new host needs a pin"), "\(new)")
        let label = try run("add", "--expires", "2199-01-01", "--label", "x", "api.example.com", status: 2)
        #expect(label.errors.contains("\"--label\" needs a pin"), "\(label)")
        let past = try run("add", "--expires", "2020-01-01", "api.example.com", status: 2)
        #expect(past.errors.contains("has passed"), "\(past)")
        let address = try run("add", "--pin", pki.pin("root"), "--subdomains", "all", "192.0.2.1", status: 2)
        #expect(address.errors.contains("192.0.2.1 has no subdomains"), "\(address)")
        let bundle = try run("add", "--from-cert", pki.path("leaf.chain.pem"), "api.example.com", status: 2)
        #expect(bundle.errors.contains("contains 2 certificates"), "\(bundle)")
        #expect(try run("add", "--pin", "sha1/abc", "api.example.com", status: 2).errors.contains("sha1"))
        #expect(try run("add", "--pin", pki.pin("root"), "api.example.com:443", status: 2).errors.contains("port"))
        #expect(try folder.bytes("pins.json") == before)
        try folder.write("sha256//\(pki.pin("root"))\n", to: "curl.txt")
        let other = try PinctlRun.inProcess(
            ["add", "--pins", "curl.txt", "--pin", pki.pin("leaf"), "api.example.com"], folder: folder.url)
        #expect(other.status == 2 && other.errors.contains("a pins.json is expected"), "\(other)")
    }
}
