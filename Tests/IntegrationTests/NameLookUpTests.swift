import Foundation
import TestSupport
import Testing

/// getaddrinfo(3) returns the IPv4 addresses of a host if the look-up of its IPv6 addresses fails, and reports no error.
@Suite(.blocking, .enabled(if: FaultInjection.isSupported)) struct NameLookUpTests {
    let pki: RotationPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try RotationPKI()
        folder = try TemporaryFolder("look-ups")
        try pki.chain("second", key: "leaf2", by: "intermediate")
        for name in ["leaf", "spare"] { try pki.key(name) }
        _ = try FaultInjection.lookUpLibrary(in: folder)
    }

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
            try #expect(folder.text("pins.json").contains("\"state\": \"retired\"") != isHidden, "\(run)")
        }
    }

    @Test(.enabled(if: knowsNoAAAA)) func verifyWarnsIfTheResolverHidesIPv6() throws {
        let warning =
            "warning: the resolver option no-aaaa hides the IPv6 addresses of the hosts: they are not verified\n"
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

    /// The option came with glibc 2.36.
    private static let knowsNoAAAA: Bool = {
        let output = try? ChildProcess.output(of: ["getconf", "GNU_LIBC_VERSION"])
        let minor = output.flatMap {
            Int(String(decoding: $0.dropLast(), as: UTF8.self).split(separator: ".").last ?? "")
        }
        return (minor ?? 0) >= 36
    }()

    /// gethostbyname2_r(3) of glibc reports NO_RECOVERY also for an alias (CNAME) of a name without IPv6 addresses.
    @Test func refreshRetiresPinsOfAnAliasWithoutIPv6() throws {
        let run = try refresh(
            EAI_NONAME, NO_RECOVERY,
            [
                "LOOKUP_ALIAS": "1", "LOOKUP_A": Self.answer(type: 1, [Self.ipv4]),
                "LOOKUP_AAAA": Self.answer(type: 28, recordType: 5, ["0161c010"]),
            ])
        #expect(run.status == 0, "\(run)")
        try #expect(folder.text("pins.json").contains("\"state\": \"retired\""), "\(run)")
    }

    /// The answer of a name server to the question for `www.example.test` (RFC 1035, section 4.1), in hexadecimal.
    private static func answer(
        of name: String = RotationPKI.host, flags: String = "8180", count: Int? = nil, type: Int,
        recordType: Int? = nil,
        _ addresses: [String]
    ) -> String {
        let name = name.split(separator: ".").map { label in
            hex(label.utf8.count, 1) + label.utf8.map { hex(Int($0), 1) }.joined()
        }
        let question = name.joined() + "00" + hex(type, 2) + "0001"
        let records = addresses.map { "c00c" + hex(recordType ?? type, 2) + "000100000005" + hex($0.count / 2, 2) + $0 }
        return "0007" + flags + "0001" + hex(count ?? addresses.count, 2) + "00000000" + question + records.joined()
    }

    private static func hex(_ number: Int, _ bytes: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 2 * bytes - text.count) + text
    }

    private static let ipv4 = "7f000001"
    private static let ipv6 = "00000000000000000000000000000001"

    /// glibc leaves out addresses that it cannot read.
    @Test(
        arguments: [
            ("LOOKUP_AAAA", answer(type: 28, [String(ipv6.dropLast(2))]), "IPv6", "malformed"),
            ("LOOKUP_AAAA", answer(type: 28, [""]), "IPv6", "malformed"),
            ("LOOKUP_AAAA", String(answer(type: 28, [ipv6]).dropLast(8)), "IPv6", "malformed"),
            ("LOOKUP_AAAA", answer(count: 1, type: 28, []), "IPv6", "malformed"),
            ("LOOKUP_AAAA", answer(flags: "8380", type: 28, []), "IPv6", "truncated"),
            ("LOOKUP_A", answer(type: 1, [ipv4, "7f0000"]), "IPv4", "malformed"),
            ("LOOKUP_A", answer(flags: "8380", type: 1, [ipv4]), "IPv4", "truncated"),
        ]) func refreshRetiresNoPinAfterAnIncompleteAnswer(
            variable: String, answer: String, family: String, problem: String
        ) throws
    {
        let answers = ["LOOKUP_A": Self.answer(type: 1, [Self.ipv4])].merging([variable: answer]) { $1 }
        let run = try refresh(EAI_NONAME, NO_DATA, answers)
        #expect(run.status == 0, "\(run)")
        let reason =
            family == "IPv4" || problem == "truncated"
            ? "the answer about the \(family) addresses of \(RotationPKI.host) is \(problem)"
            : "the look-up of the IPv6 addresses of \(RotationPKI.host) failed"
        #expect(run.text.contains(reason), "\(run)")
        let set = try folder.text("pins.json")
        #expect(!set.contains("goneSince") && !set.contains("retired"), "\(set)")
    }

    @Test func refreshRetiresPinsAfterACompleteAnswer() throws {
        let answers = ["LOOKUP_A": Self.answer(type: 1, [Self.ipv4]), "LOOKUP_AAAA": Self.answer(type: 28, [])]
        let run = try refresh(EAI_NONAME, NO_DATA, answers)
        #expect(run.status == 0, "\(run)")
        try #expect(folder.text("pins.json").contains("\"state\": \"retired\""), "\(run)")
    }

    /// Codes of res_query(3): no answer or SERVFAIL, and another error. The first look-ups of refresh succeeded. The last answer
    /// contains the complete name, about whose IPv4 addresses refresh asks again.
    @Test(
        arguments: [
            (TRY_AGAIN, [:], secondLookUp), (NO_RECOVERY, [:], secondLookUp),
            (TRY_AGAIN, ["LOOKUP_A": answer(type: 1, [ipv4])], secondLookUp),
            (TRY_AGAIN, ["LOOKUP_AAAA": answer(type: 28, [])], noAnswer),
            (TRY_AGAIN, ["LOOKUP_AAAA": answer(type: 28, [ipv6])], secondLookUp),
        ] as [(Int32, [String: String], String)]) func refreshRetiresNoPinWithoutAnAnswer(
            code: Int32, answers: [String: String], reason: String
        ) throws
    {
        let run = try refresh(EAI_NONAME, NO_DATA, answers.merging(["LOOKUP_CODE": "\(code)"]) { $1 })
        #expect(run.status == 0 && run.text.contains("but \(reason)"), "\(run)")
        let set = try folder.text("pins.json")
        #expect(!set.contains("goneSince") && !set.contains("retired"), "\(set)")
    }

    private static let secondLookUp = "the look-up of the IPv6 addresses of \(RotationPKI.host) failed: "
    private static let noAnswer =
        "the name server gave no answer, or an error, about the IPv4 addresses of \(RotationPKI.host)"

    /// getaddrinfo(3) asks no name server about a name in /etc/hosts, or without the service "dns" in nsswitch.conf(5). If "dns" is before
    /// "files", it asks the name servers first.
    @Test(arguments: [
        ("127.0.0.1 other \(RotationPKI.host) # name", "hosts: files dns", true),
        ("127.0.0.1 other # \(RotationPKI.host)", "hosts: files dns", false),
        ("127.0.0.1 other \(RotationPKI.host)", "hosts: dns [!UNAVAIL=return] files", false),
        ("127.0.0.1 other \(RotationPKI.host)", "hosts: dns files", false),
        ("", "passwd: dns\nhosts: files myhostname # dns", true),
        ("", "hosts: files mdns4_minimal [NOTFOUND=return] dns", false),
    ]) func refreshAsksNoNameServerAboutALocalName(hosts: String, services: String, retires: Bool) throws {
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("etc"), withIntermediateDirectories: true)
        try folder.write(hosts + "\n", to: "etc/hosts")
        try folder.write(services + "\n", to: "etc/nsswitch.conf")
        let run = try refresh(
            EAI_NONAME, NO_DATA,
            [
                "LOOKUP_ETC": folder.url.appendingPathComponent("etc").path, "LOOKUP_CODE": "\(TRY_AGAIN)",
                "LOOKUP_AAAA": Self.answer(type: 28, []),
            ])
        #expect(run.status == 0, "\(run)")
        try #expect(folder.text("pins.json").contains("\"state\": \"retired\"") == retires, "\(run)")
    }

    /// Without "multi on" in host.conf(5), getaddrinfo(3) returns the address of the first line. The old key is in use at the other one.
    @Test func refreshContactsTheAddressesOfAllLinesOfAFile() throws {
        try pki.chain("first", key: "leaf", by: "intermediate")
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("etc"), withIntermediateDirectories: true)
        try folder.write("127.0.0.1 \(RotationPKI.host)\n127.0.0.2\tother \(RotationPKI.host)\n", to: "etc/hosts")
        let run = try refresh(EAI_NONAME, NO_DATA, ["LOOKUP_ETC": folder.url.appendingPathComponent("etc").path]) {
            pki.server($0.replacing("127.0.0.1", with: "127.0.0.2"), "first")
        }
        #expect(run.status == 0, "\(run)")
        let set = try folder.text("pins.json")
        try #expect(!set.contains("goneSince") && !set.contains("retired") && set.contains(pki.pin("leaf2")), "\(set)")
    }

    /// The first line has an IPv4 address, and a look-up of IPv6 addresses alone returns that of the other line.
    @Test(arguments: ["first", "second"]) func refreshContactsTheOtherIPVersionOfAFile(chain: String) throws {
        try pki.chain("first", key: "leaf", by: "intermediate")
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("etc"), withIntermediateDirectories: true)
        try folder.write("127.0.0.1 \(RotationPKI.host)\n::1 \(RotationPKI.host)\n", to: "etc/hosts")
        let run = try refresh(0, NO_DATA, ["LOOKUP_ETC": folder.url.appendingPathComponent("etc").path]) {
            pki.server($0.replacing("127.0.0.1", with: "[::1]"), chain)
        }
        #expect(run.status == 0 && !run.text.contains("was not contacted"), "\(run)")
        try #expect(folder.text("pins.json").contains("\"state\": \"retired\"") == (chain == "second"), "\(run)")
    }

    /// A domain of resolv.conf(5) completes the name: getaddrinfo(3) asks about another name than that of the set.
    @Test(arguments: [
        (answer(of: full, type: 28, []), true), (answer(of: full, type: 28, [String(ipv6.dropLast(2))]), false),
        (answer(of: full, flags: "8380", type: 28, []), false), (nil, false),
    ]) func refreshReadsTheAnswersAboutTheCompleteName(ipv6: String?, retires: Bool) throws {
        let answers = [
            "LOOKUP_FULL": Self.full, "LOOKUP_A": Self.answer(of: Self.full, type: 1, [Self.ipv4]),
            "LOOKUP_AAAA": ipv6 ?? "", "LOOKUP_CODE": "\(TRY_AGAIN)",
        ]
        let run = try refresh(EAI_NONAME, NO_DATA, ipv6 == nil ? answers.filter { $0.key != "LOOKUP_AAAA" } : answers)
        #expect(run.status == 0, "\(run)")
        try #expect(folder.text("pins.json").contains("\"state\": \"retired\"") == retires, "\(run)")
    }

    private static let full = "\(RotationPKI.host).corp.test"

    /// A load balancer can answer each question with other addresses. The old key is in use at the address of the later answer.
    @Test func refreshContactsTheAddressesOfALaterAnswer() throws {
        try pki.chain("first", key: "leaf", by: "intermediate")
        let answers = ["LOOKUP_A": Self.answer(type: 1, ["7f000002"]), "LOOKUP_AAAA": Self.answer(type: 28, [])]
        let run = try refresh(EAI_NONAME, NO_DATA, answers) { endpoint in
            pki.server(endpoint.replacing("127.0.0.1", with: "127.0.0.2"), "first")
        }
        #expect(run.status == 0, "\(run)")
        let set = try folder.text("pins.json")
        #expect(!set.contains("goneSince") && !set.contains("retired"), "\(set)")
        #expect(set.contains(try pki.pin("leaf2")), "\(set)")
        let silent = try refresh(EAI_NONAME, NO_DATA, answers)
        #expect(silent.status == 3 && silent.text.contains("127.0.0.2:443"), "\(silent)")
        try #expect(!folder.text("pins.json").contains("retired"), "\(silent)")
    }

    @Test func initPinsTheChainsOfTheAddressesOfALaterAnswer() throws {
        try pki.chain("first", key: "leaf", by: "intermediate")
        let answers = ["LOOKUP_A": Self.answer(type: 1, ["7f000002"]), "LOOKUP_AAAA": Self.answer(type: 28, [])]
        let run = try serving { port in
            try PinctlRun.spawn(
                ["init", RotationPKI.host, "--policy", "leaf", "--no-backup", "--anchors", pki.path("root.pem")],
                environment: environment(port, EAI_NONAME).merging(answers) { $1 }, folder: folder.url)
        } _: { endpoint in
            pki.server(endpoint.replacing("127.0.0.1", with: "127.0.0.2"), "first")
        }
        #expect(run.status == 0, "\(run)")
        for key in ["leaf", "leaf2"] { try #expect(run.text.contains(pki.pin(key)), "\(run)") }
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

    /// glibc reads an answer over TCP without a time limit (send_vc in resolv/res_send.c), so res_query(3) may never return.
    @Test func aLookUpThatNeverEndsEndsAtTheTimeLimit() throws {
        let run = try refresh(EAI_NONAME, NO_DATA, ["LOOKUP_SILENCE": "1"], limit: ["--timeout", "2"])
        #expect(run.status == 0, "\(run)")
        #expect(run.text.contains("but the name server did not answer within 2 s"), "\(run)")
        let set = try folder.text("pins.json")
        #expect(!set.contains("goneSince") && !set.contains("retired"), "\(set)")
        let first = try serving { port in
            try PinctlRun.spawn(
                ["init", RotationPKI.host, "--no-backup", "--timeout", "2", "--anchors", pki.path("root.pem")],
                environment: environment(port, EAI_NONAME).merging(["LOOKUP_SILENCE": "1"]) { $1 }, folder: folder.url)
        }
        #expect(first.status == 0, "\(first)")
        #expect(
            first.errors.contains("the set may lack pins: the name server did not answer within 2 s"), "\(first)")
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

    // MARK: Support

    private func refresh(
        _ code: Int32, _ reason: Int32 = NO_DATA, _ more: [String: String] = [:], limit: [String] = [],
        pins others: [String]? = nil, servers: (String) -> String = { _ in "" }
    ) throws -> PinctlRun {
        let pins =
            try others ?? [
                #"{ "sha256": "\#(pki.pin("leaf"))", "role": "leaf" }"#,
                #"{ "sha256": "\#(pki.pin("root"))", "role": "root" }"#,
                #"{ "sha256": "\#(pki.pin("spare"))", "role": "leaf", "state": "backup" }"#,
            ]
        try folder.write(
            "{ \"version\": 1, \"hosts\": { \"\(RotationPKI.host)\": { \"pins\": [\(pins.joined(separator: ", "))] } } }\n",
            to: "pins.json")
        return try serving { port in
            try PinctlRun.spawn(
                ["refresh", "--write", "--retain", "0", "--pins", "pins.json", "--anchors", pki.path("root.pem")]
                    + limit,
                environment: environment(port, code, reason).merging(more) { $1 }, folder: folder.url)
        } _: {
            servers($0)
        }
    }

    private func environment(_ port: UInt16, _ code: Int32, _ reason: Int32 = NO_DATA) -> [String: String] {
        [
            "LD_PRELOAD": folder.path("lookup.so"), "LOOKUP_HOST": RotationPKI.host, "LOOKUP_PORT": "\(port)",
            "LOOKUP_IPV6": "\(code)", "LOOKUP_REASON": "\(reason)",
        ]
    }

    /// - Parameter servers: more servers for the endpoint, as configuration of nginx.
    private func serving(
        _ body: (UInt16) throws -> PinctlRun, _ servers: (String) -> String = { _ in "" }
    ) throws -> PinctlRun {
        try Nginx.run {
            pki.server($0, "second") + servers($0)
        } _: {
            try body($0.port)
        }
    }
}
