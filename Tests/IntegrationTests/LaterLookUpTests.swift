import Foundation
import TestSupport
import Testing

/// The first look-up of a host finds addresses of one IP version, a later one finds an address of the other version, and the next answer
/// has another address instead. Every address that a look-up of the run found is an address of the host.
@Suite(.blocking, .enabled(if: FaultInjection.isSupported)) struct LaterLookUpTests: NameLookUpSuite {
    let pki: RotationPKI
    let folder: TemporaryFolder

    init() throws {
        (pki, folder) = try Self.prepared()
        try pki.chain("first", key: "leaf", by: "intermediate")
        try pki.root("foreign")
        try pki.chain("foreign", key: "foreign-leaf", by: "foreign")
    }

    /// The IPv4-mapped address ::ffff:127.0.0.2, as the only IPv6 address of the last answers.
    private static let mapped = answer(type: 28, ["00000000000000000000ffff7f000002"])
    private static let answers = ["LOOKUP_A": answer(type: 1, [ipv4]), "LOOKUP_AAAA": mapped]

    /// - Parameter chain: the chain of the server at ::1; nil if there is no server.
    private func servers(_ chain: String?) -> (String) -> String {
        { endpoint in
            pki.server(endpoint.replacing("127.0.0.1", with: "127.0.0.2"), "second")
                + (chain.map { pki.server(endpoint.replacing("127.0.0.1", with: "[::1]"), $0) } ?? "")
        }
    }

    /// The server at ::1 has the pinned key, a valid chain without a pin, no answer, or the new key.
    @Test(arguments: [("first", 0), ("foreign", 1), (nil, 3), ("second", 0)] as [(String?, Int32)])
    func refreshContactsTheAddressesOfTheSecondLookUp(chain: String?, status: Int32) throws {
        let run = try refresh(
            0, NO_DATA, Self.answers, limit: ["--anchors", pki.path("foreign.pem")], servers: servers(chain))
        #expect(run.status == status, "\(run)")
        #expect(run.errors.contains("mismatch") == (chain == "foreign"), "\(run)")
        let set = try folder.text("pins.json")
        for word in ["retired", "goneSince"] { #expect(set.contains(word) == (chain == "second"), "\(set)") }
    }

    /// Without an address of one family, getaddrinfo(3) of this family alone continues with the next domain of resolv.conf(5)
    /// (`__res_context_search` in resolv/res_query.c of glibc). The address there, ::1 or 127.0.0.2, is that of another host.
    @Test(arguments: [false, true]) func refreshContactsNoHostOfAnotherDomain(isIPv6: Bool) throws {
        let addresses = isIPv6 ? ([], [Self.ipv6]) : ([Self.ipv4], [])
        let answers = [
            "LOCALDOMAIN": "corp.test", "RES_OPTIONS": "ndots:1", "LOOKUP_FIRST": isIPv6 ? "::1" : "127.0.0.1",
            "LOOKUP_A": Self.answer(type: 1, addresses.0), "LOOKUP_AAAA": Self.answer(type: 28, addresses.1),
            "LOOKUP_LATER": Self.answer(of: "\(RotationPKI.host).corp.test", type: 1, ["7f000002"]),
        ]
        let (own, other) = isIPv6 ? ("[::1]", "127.0.0.2") : ("127.0.0.2", "[::1]")
        let run = try refresh(0, NO_DATA, answers, limit: ["--anchors", pki.path("foreign.pem")]) { endpoint in
            pki.server(endpoint.replacing("127.0.0.1", with: own), isIPv6 ? "second" : "foreign")
                + pki.server(endpoint.replacing("127.0.0.1", with: other), "foreign")
        }
        #expect(run.status == 0 && !run.errors.contains("mismatch"), "\(run)")
        try #expect(folder.text("pins.json").contains("\"state\": \"retired\""), "\(run)")
    }

    @Test(arguments: [("foreign", 2), (nil, 2), ("second", 1)] as [(String?, Int)])
    func refreshActivatesABackupOnlyIfTheseAddressesAnswer(chain: String?, backups: Int) throws {
        let pins = [
            #"{ "sha256": "\#(try pki.pin("root"))", "role": "root" }"#,
            #"{ "sha256": "\#(try pki.pin("leaf2"))", "role": "leaf", "state": "backup" }"#,
            #"{ "sha256": "\#(try pki.pin("spare"))", "role": "leaf", "state": "backup" }"#,
        ]
        let run = try refresh(
            0, NO_DATA, Self.answers, limit: ["--anchors", pki.path("foreign.pem")], pins: pins,
            servers: servers(chain))
        let found = try folder.text("pins.json").components(separatedBy: "\"backup\"").count - 1
        #expect(found == backups, "\(run)")
    }

    /// The first look-up returns an IPv6 address, and the key in use is at the IPv4 address of the second one.
    @Test func refreshContactsTheIPv4AddressesOfTheSecondLookUp() throws {
        let pins = [
            #"{ "sha256": "\#(try pki.pin("leaf2"))", "role": "leaf" }"#,
            #"{ "sha256": "\#(try pki.pin("root"))", "role": "root" }"#,
            #"{ "sha256": "\#(try pki.pin("spare"))", "role": "leaf", "state": "backup" }"#,
        ]
        let answers = [
            "LOOKUP_FIRST": "::1", "LOOKUP_A": Self.answer(type: 1, ["7f000002"]),
            "LOOKUP_AAAA": Self.answer(type: 28, [Self.ipv6]),
        ]
        let run = try refresh(0, NO_DATA, answers, pins: pins) { endpoint in
            ["127.0.0.2", "[::1]"].map { pki.server(endpoint.replacing("127.0.0.1", with: $0), "first") }.joined()
        }
        #expect(run.status == 0, "\(run)")
        let set = try folder.text("pins.json")
        try #expect(set.contains(pki.pin("leaf")), "\(set)")
        #expect(!set.contains("retired") && !set.contains("goneSince"), "\(set)")
    }

    /// The look-up that returns an IPv6 address: getaddrinfo(3), gethostbyname2_r(3), or the question to the name server, also if
    /// the question about IPv4 addresses fails.
    private static let lookUps: [(code: Int32, variables: [String: String], address: String, failure: String?)] = [
        (0, ["LOOKUP_A": answer(type: 1, [ipv4]), "LOOKUP_AAAA": answer(type: 28, [])], "[::1]", nil),
        (
            EAI_NONAME,
            ["LOOKUP_SECOND": "::1", "LOOKUP_A": answer(type: 1, [ipv4]), "LOOKUP_AAAA": answer(type: 28, [])],
            "[::1]", nil
        ),
        (
            EAI_NONAME, ["LOOKUP_A": answer(type: 1, [ipv4]), "LOOKUP_AAAA": answer(type: 28, [ipv6])], "[::1]", nil
        ),
        (
            0, ["LOOKUP_CODE": "\(TRY_AGAIN)", "LOOKUP_AAAA": mapped], "127.0.0.2",
            "the set may lack pins: the name server gave no answer, or an error, about the IPv4 addresses"
        ),
    ]

    @Test(arguments: lookUps.indices) func initPinsTheChainsOfALaterLookUp(index: Int) throws {
        let (code, variables, address, failure) = Self.lookUps[index]
        for (chain, anchors, status) in [("first", [], 0), ("foreign", ["foreign.pem"], 0), ("foreign", [], 1)] {
            let arguments =
                ["init", RotationPKI.host, "--policy", "leaf", "--no-backup"]
                + (["root.pem"] + anchors).flatMap { ["--anchors", pki.path($0)] }
            let run = try serving { port in
                try PinctlRun.spawn(
                    arguments, environment: environment(port, code).merging(variables) { $1 }, folder: folder.url)
            } _: { endpoint in
                let chains = ["[::1]": "second"].merging([address: chain]) { $1 }
                return chains.map { pki.server(endpoint.replacing("127.0.0.1", with: $0), $1) }.joined()
            }
            let warning = status == 0 ? failure : nil
            #expect(run.status == Int32(status), "\(run)")
            #expect(run.errors.contains(warning ?? "the set may lack pins") == (warning != nil), "\(run)")
            let keys = status == 0 ? ["leaf2", chain == "first" ? "leaf" : "foreign-leaf"] : []
            for key in ["leaf", "leaf2", "foreign-leaf"] {
                try #expect(run.text.contains(pki.pin(key)) == keys.contains(key), "\(run)")
            }
        }
    }

    /// The answer of the name server has more addresses than a run contacts, and the first look-up returned one of them.
    @Test func initWritesNothingIfALaterLookUpHasTooManyAddresses() throws {
        let addresses = (1...257).map { "7f00" + Self.hex($0, 2) }
        let variables = ["LOOKUP_A": Self.answer(type: 1, addresses), "LOOKUP_AAAA": Self.answer(type: 28, [])]
        let run = try serving { port in
            try PinctlRun.spawn(
                [
                    "init", RotationPKI.host, "--policy", "leaf", "--no-backup", "--anchors", pki.path("root.pem"),
                    "-o", "new.json",
                ], environment: environment(port, 0).merging(variables) { $1 }, folder: folder.url)
        } _: { endpoint in
            pki.server(endpoint, "second") + pki.server(endpoint.replacing("127.0.0.1", with: "[::1]"), "second")
        }
        #expect(run.status == 3 && run.text.isEmpty, "\(run)")
        #expect(run.errors.contains("\(RotationPKI.host) has more than 256 addresses"), "\(run)")
        #expect(run.errors.contains("nothing was written"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("new.json")))
    }
}
