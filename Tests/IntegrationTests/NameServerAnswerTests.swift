import Foundation
import TestSupport
import Testing

/// The answers of name servers from which getaddrinfo(3) makes its result, and without which a result can be incomplete.
@Suite(.blocking, .enabled(if: FaultInjection.isSupported)) struct NameServerAnswerTests: NameLookUpSuite {
    let pki: RotationPKI
    let folder: TemporaryFolder

    init() throws { (pki, folder) = try Self.prepared() }

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

    /// BADVERS (16) has the code 0 in the header, and 1 in the pseudo-record OPT (RFC 6891, section 6.1.3).
    @Test(arguments: [("00", true), ("01", false)]) func refreshRetiresNoPinAfterAnErrorOfEDNS(
        code: String, retires: Bool
    ) throws {
        let answer = Self.answer(type: 28, [])
        // The header counts one additional record.
        let extended = "\(answer.prefix(20))0001\(answer.dropFirst(24))00002904d0\(code)0000000000"
        let answers = ["LOOKUP_A": Self.answer(type: 1, [Self.ipv4]), "LOOKUP_AAAA": extended]
        let run = try refresh(EAI_NONAME, NO_DATA, answers)
        #expect(run.status == 0, "\(run)")
        try #expect(folder.text("pins.json").contains("\"state\": \"retired\"") == retires, "\(run)")
    }

    /// A question (the bit QR is 0), a response to an operation other than a query, here STATUS, and a referral show no addresses.
    @Test(arguments: [
        ("8180", true), ("8400", true), ("0180", false), ("9180", false), ("8000", false), ("8100", false),
    ])
    func refreshRetiresNoPinAfterAMessageThatAnswersNoQuery(flags: String, retires: Bool) throws {
        let answers = [
            "LOOKUP_A": Self.answer(type: 1, [Self.ipv4]), "LOOKUP_AAAA": Self.answer(flags: flags, type: 28, []),
        ]
        let run = try refresh(EAI_NONAME, NO_DATA, answers)
        #expect(run.status == 0, "\(run)")
        try #expect(folder.text("pins.json").contains("\"state\": \"retired\"") == retires, "\(run)")
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

    /// After SERVFAIL (TRY_AGAIN), glibc continues with the next domain (`__res_context_search` in resolv/res_query.c), and reports no
    /// error. LOCALDOMAIN is another form of `search` of resolv.conf(5).
    @Test(arguments: [
        ("3", TRY_AGAIN, "\(RotationPKI.host).first.test", false),
        ("3", HOST_NOT_FOUND, "\(RotationPKI.host).first.test", true),
        ("3", TRY_AGAIN, "\(RotationPKI.host).later.test", true), ("3", TRY_AGAIN, RotationPKI.host, true),
        ("2", TRY_AGAIN, RotationPKI.host, false),
    ]) func refreshRetiresNoPinIfAnEarlierDomainFails(
        dots: String, code: Int32, earlier: String, retires: Bool
    ) throws {
        let run = try refresh(
            EAI_NONAME, NO_DATA,
            [
                "LOCALDOMAIN": "first.test corp.test later.test", "RES_OPTIONS": "ndots:\(dots)",
                "LOOKUP_FULL": Self.full, "LOOKUP_EARLIER": earlier, "LOOKUP_EARLIER_CODE": "\(code)",
                "LOOKUP_A": Self.answer(of: Self.full, type: 1, [Self.ipv4]),
                "LOOKUP_AAAA": Self.answer(of: Self.full, type: 28, []),
            ])
        #expect(run.status == 0, "\(run)")
        let reason = "but the name server gave no answer, or an error, about the IPv4 addresses of \(earlier)\n"
        #expect(run.text.contains(reason) != retires, "\(run)")
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
}
