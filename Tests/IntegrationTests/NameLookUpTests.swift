import Foundation
import TestSupport
import Testing

/// getaddrinfo(3) returns the IPv4 addresses of a host if the look-up of its IPv6 addresses fails, and reports no error.
@Suite(.blocking, .enabled(if: FaultInjection.isSupported)) struct NameLookUpTests: NameLookUpSuite {
    let pki: RotationPKI
    let folder: TemporaryFolder

    init() throws { (pki, folder) = try Self.prepared() }

    /// Error codes of glibc (netdb.h) and their texts.
    static let failures: [(code: Int32, text: String)] = [
        (EAI_AGAIN, "temporary failure in name resolution"), (EAI_FAIL, "non-recoverable failure in name resolution"),
    ]

    @Test(arguments: failures) func refreshRetiresNoPinAfterAFailedLookUp(code: Int32, text: String) throws {
        let run = try refresh(code)
        #expect(run.status == 0, "\(run)")
        #expect(
            run.text.contains("but the look-up of the IPv6 addresses of \(RotationPKI.host) failed: \(text)"), "\(run)")
        let set = try folder.text("pins.json")
        #expect(!set.contains("goneSince") && !set.contains("retired"), "\(set)")
        #expect(set.contains(try pki.pin("leaf2")), "\(set)")
    }

    /// A server at an address that is not known can use the backups.
    @Test func aBackupIsNotComparedWithUnknownAddresses() throws {
        try pki.key("spare2")
        let reason = "the look-up of the IPv6 addresses of \(RotationPKI.host) failed"
        for (code, option, reason) in [
            (EAI_AGAIN, [], reason), (EAI_NONAME, ["-4"], "-4 leaves out the IPv6 addresses"), (EAI_NONAME, [], nil),
        ] as [(Int32, [String], String?)] {
            let run = try refresh(code, limit: option + ["--from-key", pki.path("spare2.key")])
            #expect(run.status == 0, "\(run)")
            let warning = "a chain that is not known can contain the new backup"
            #expect(run.text.contains(warning) == (reason != nil), "\(run)")
            #expect(run.text.contains("not in the chain, as expected") == (reason == nil), "\(run)")
            guard let reason else { continue }
            // The backup of the set, and the new one.
            #expect(run.text.contains("not seen, but \(reason)"), "\(run)")
        }
    }

    /// glibc reports EAI_NONAME also for FORMERR and for an answer that it cannot parse (NO_RECOVERY of gethostbyname2_r).
    @Test(
        arguments: [
            (NO_RECOVERY, "non-recoverable failure in name resolution"),
            (TRY_AGAIN, "temporary failure in name resolution"),
        ] as [(Int32, String)]) func refreshRetiresNoPinAfterAnUnusableAnswer(reason: Int32, text: String) throws
    {
        let run = try refresh(EAI_NONAME, reason)
        #expect(run.status == 0, "\(run)")
        #expect(
            run.text.contains("but the look-up of the IPv6 addresses of \(RotationPKI.host) failed: \(text)"), "\(run)")
        let set = try folder.text("pins.json")
        #expect(!set.contains("goneSince") && !set.contains("retired"), "\(set)")
    }

    /// EAI_NONAME, and EAI_ADDRFAMILY (-9) of glibc: the host has no IPv6 address. Some name servers report that with NXDOMAIN
    /// (RFC 4074, section 4.2), which is HOST_NOT_FOUND.
    @Test(arguments: [(EAI_NONAME, NO_DATA), (-9, NO_DATA), (EAI_NONAME, HOST_NOT_FOUND)] as [(Int32, Int32)])
    func refreshRetiresPinsOfAHostWithoutIPv6(code: Int32, reason: Int32) throws {
        let run = try refresh(code, reason)
        #expect(run.status == 0, "\(run)")
        try #expect(folder.text("pins.json").contains("\"state\": \"retired\""), "\(run)")
    }

    /// The option no-aaaa of resolv.conf(5), of which RES_OPTIONS is the other form: glibc asks for no IPv6 address.
    @Test(.enabled(if: knowsNoAAAA)) func refreshRetiresNoPinIfTheResolverHidesIPv6() throws {
        for (options, isHidden) in [("no-aaaa", true), ("edns0", false)] {
            let run = try refresh(EAI_NONAME, NO_DATA, ["RES_OPTIONS": options])
            #expect(run.status == 0, "\(run)")
            let reason = "but the resolver option no-aaaa hides the IPv6 addresses of \(RotationPKI.host)"
            #expect(run.text.contains(reason) == isHidden, "\(run)")
            let warning = "warning: the resolver option no-aaaa hides the IPv6 addresses of the hosts"
            #expect(run.errors.contains(warning) == isHidden, "\(run)")
            try #expect(folder.text("pins.json").contains("\"state\": \"retired\"") != isHidden, "\(run)")
        }
    }

    @Test(.enabled(if: knowsNoAAAA)) func verifyWarnsIfTheResolverHidesIPv6() throws {
        let warning =
            "warning: the resolver option no-aaaa hides the IPv6 addresses of the hosts: pinctl does not contact them\n"
        for (options, environment, isWarned) in [
            ([], ["RES_OPTIONS": "no-aaaa"], true), ([], ["RES_OPTIONS": "edns0"], false),
            (["-4"], ["RES_OPTIONS": "no-aaaa"], false), (["--first-address"], ["RES_OPTIONS": "no-aaaa"], false),
        ] {
            try folder.write(
                #"{ "version": 1, "hosts": { "\#(RotationPKI.host)": ["\#(pki.pin("root"))"] } }"#, to: "pins.json")
            let run = try serving { port in
                try PinctlRun.spawn(
                    ["verify", "--pins", "pins.json", "--anchors", pki.path("root.pem")] + options,
                    environment: self.environment(port, EAI_NONAME).merging(environment) { $1 }, folder: folder.url)
            }
            #expect(run.status == 0 && run.errors.contains(warning) == isWarned, "\(run)")
        }
    }

    @Test(.enabled(if: knowsNoAAAA)) func initWarnsIfTheResolverHidesIPv6() throws {
        let run = try serving { port in
            try PinctlRun.spawn(
                ["init", RotationPKI.host, "--no-backup", "--anchors", pki.path("root.pem"), "-o", "new.json"],
                environment: environment(port, EAI_NONAME).merging(["RES_OPTIONS": "no-aaaa"]) { $1 },
                folder: folder.url)
        }
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.contains("the set may lack pins: the resolver option no-aaaa hides"), "\(run)")
        #expect(run.errors.contains("hint: run init without this setting\n"), "\(run)")
    }

    /// SOCKS 4 has no addresses of IPv6, so name resolution is complete, and another run finds the same.
    @Test(.enabled(if: Dante.path != nil)) func aProxyWithoutIPv6IsNoFailedLookUp() throws {
        let hint = "use a proxy that can connect to IPv6 addresses, such as a SOCKS 5 proxy"
        try Nginx.run {
            pki.server($0, "second")
        } _: { server in
            try Dante.run { proxy in
                let connection = [
                    "\(RotationPKI.host):\(server.port)", "--proxy", "socks4://\(proxy.endpoint)", "--anchors",
                    pki.path("root.pem"),
                ]
                let run = try PinctlRun.spawn(
                    ["init", "--no-backup", "-o", "new.json"] + connection, environment: environment(server.port, 0),
                    folder: folder.url)
                #expect(run.status == 0, "\(run)")
                let reason = "\(RotationPKI.host) has an IPv6 address, to which a SOCKS 4 proxy cannot connect"
                #expect(run.errors.contains("the set may lack pins: \(reason)\n"), "\(run)")
                #expect(run.errors.contains("hint: \(hint)\n"), "\(run)")
                let endpoint = #""endpoints": ["\#(RotationPKI.host):\#(server.port)"]"#
                let pins = try ["leaf", "root"].map { try #"{ "sha256": "\#(pki.pin($0))", "role": "\#($0)" }"# }
                try folder.write(
                    #"{ "version": 1, "hosts": { "\#(RotationPKI.host)": { \#(endpoint), "pins": [\#(pins.joined(separator: ", "))] } } }"#,
                    to: "pins.json")
                let refresh = try PinctlRun.spawn(
                    ["refresh", "--pins", "pins.json", "--format", "github"] + connection.dropFirst(),
                    environment: environment(server.port, 0), folder: folder.url)
                #expect(refresh.text.contains("but \(reason)"), "\(refresh)")
                #expect(refresh.text.contains(hint), "\(refresh)")
            }
        }
    }

    /// "SOCKS: A protocol for TCP proxy across firewalls" has 4 bytes for the address of the server; RFC 1928, section 5, has 16, too.
    @Test(.enabled(if: Dante.path != nil)) func verifyWarnsIfAProxyHasNoIPv6() throws {
        let warning =
            "warning: a SOCKS 4 proxy cannot connect to the IPv6 addresses of the hosts: pinctl does not contact them\n"
        try folder.write(
            #"{ "version": 1, "hosts": { "\#(RotationPKI.host)": ["\#(pki.pin("root"))"] } }"#, to: "pins.json")
        try Nginx.run {
            pki.server($0, "second")
        } _: { server in
            try folder.write("\(RotationPKI.host):\(server.port)\n", to: "hosts.txt")
            try Dante.run { proxy in
                for (scheme, options, isWarned) in [
                    ("socks4", [], true), ("socks4", ["-4"], false), ("socks4", ["--first-address"], false),
                    ("socks5", [], false),
                ] as [(String, [String], Bool)] {
                    for host in [["\(RotationPKI.host):\(server.port)"], ["--from", "hosts.txt"]] {
                        let run = try PinctlRun.spawn(
                            [
                                "verify", "--pins", "pins.json", "--proxy", "\(scheme)://\(proxy.endpoint)",
                                "--anchors",
                                pki.path("root.pem"),
                            ] + options + host, environment: environment(server.port, 0), folder: folder.url)
                        #expect(scheme == "socks5" || run.status == 0, "\(run)")
                        #expect(run.errors.contains(warning) == isWarned, "\(scheme) \(options) \(host): \(run)")
                    }
                }
            }
        }
    }

    /// No pin is gone: the root stays in use, and the key of the server was a backup.
    @Test(.enabled(if: knowsNoAAAA)) func refreshActivatesNoBackupIfAddressesMayBeHidden() throws {
        let pins = [
            #"{ "sha256": "\#(try pki.pin("root"))", "role": "root" }"#,
            #"{ "sha256": "\#(try pki.pin("leaf2"))", "role": "leaf", "state": "backup" }"#,
            #"{ "sha256": "\#(try pki.pin("spare"))", "role": "leaf", "state": "backup" }"#,
        ]
        let cut = ["LOOKUP_A": Self.answer(flags: "8380", type: 1, [Self.ipv4])]
        for (variables, isHidden) in [
            (["RES_OPTIONS": "no-aaaa"], true), (cut, true), (["RES_OPTIONS": "edns0"], false),
        ] {
            let run = try refresh(EAI_NONAME, NO_DATA, variables, pins: pins)
            #expect(run.status == 0, "\(run)")
            let states = try folder.text("pins.json").components(separatedBy: "\"backup\"").count - 1
            #expect(states == (isHidden ? 2 : 1), "\(variables) \(run)")
        }
    }

    @Test func initWarnsAboutAFailedLookUp() throws {
        let arguments = ["init", RotationPKI.host, "--no-backup", "--anchors", pki.path("root.pem"), "-o"]
        for (code, name) in [(EAI_NONAME, "complete.json"), (EAI_AGAIN, "partial.json")] {
            let run = try serving { port in
                try PinctlRun.spawn(
                    arguments + [name], environment: environment(port, code), folder: folder.url)
            }
            #expect(run.status == 0, "\(run)")
            let warning = "the set may lack pins: the look-up of the IPv6 addresses of \(RotationPKI.host) failed"
            #expect(run.errors.contains(warning) == (code == EAI_AGAIN), "\(run)")
        }
        try #expect(folder.text("partial.json") == folder.text("complete.json"))
    }
}
