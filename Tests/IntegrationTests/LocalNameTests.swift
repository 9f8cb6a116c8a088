import Foundation
import TestSupport
import Testing

/// Hosts in /etc/hosts, and the services of nsswitch.conf(5).
@Suite(.blocking, .enabled(if: FaultInjection.isSupported)) struct LocalNameTests: NameLookUpSuite {
    let pki: RotationPKI
    let folder: TemporaryFolder

    init() throws { (pki, folder) = try Self.prepared() }

    /// getaddrinfo(3) asks no name server about a name in /etc/hosts, or without the service "dns" in nsswitch.conf(5). If "dns" is before
    /// "files", it asks the name servers first.
    @Test(arguments: [
        ("127.0.0.1 other \(RotationPKI.host) # name", "hosts: files dns", true),
        ("127.0.0.1 other # \(RotationPKI.host)", "hosts: files dns", false),
        ("127.0.0.1 other \(RotationPKI.host)", "hosts: dns [!UNAVAIL=return] files", false),
        ("127.0.0.1 other \(RotationPKI.host)", "hosts: dns files", false),
        ("", "passwd: dns\nhosts: files myhostname # dns", true),
        ("", "hosts: files mdns4_minimal [NOTFOUND=return] dns", false),
        ("", "hosts: files [NOTFOUND=continue]dns", false), ("", "hosts\u{B}:\u{C}files", true),
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
    /// glibc accepts every character of isspace(3) between the words.
    @Test(arguments: ["\t", "\u{B}", "\u{C}", "\r"])
    func refreshContactsTheAddressesOfAllLinesOfAFile(space: String) throws {
        try pki.chain("first", key: "leaf", by: "intermediate")
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("etc"), withIntermediateDirectories: true)
        try folder.write(
            "127.0.0.1 \(RotationPKI.host)\n127.0.0.2\(space)other\(space)\(RotationPKI.host)\n", to: "etc/hosts")
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

    /// getaddrinfo(3) asks the name servers about an IP version that the file does not have, and leaves out an address that it cannot read.
    @Test(arguments: [false, true])
    func refreshReadsTheAnswerAboutTheIPVersionThatTheFileLacks(isMalformed: Bool) throws {
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("etc"), withIntermediateDirectories: true)
        try folder.write("127.0.0.1 \(RotationPKI.host)\n", to: "etc/hosts")
        let variables = [
            "LOOKUP_ETC": folder.url.appendingPathComponent("etc").path,
            "LOOKUP_AAAA": Self.answer(type: 28, [Self.ipv6] + (isMalformed ? ["00"] : [])),
        ]
        let run = try refresh(0, NO_DATA, variables) { pki.server($0.replacing("127.0.0.1", with: "[::1]"), "second") }
        #expect(run.status == 0, "\(run)")
        #expect(run.text.contains("malformed") == isMalformed, "\(run)")
        try #expect(folder.text("pins.json").contains("\"state\": \"retired\"") != isMalformed, "\(run)")
    }

    /// The file has the name as it is. A search of the IPv6 addresses hides an error at a domain behind the answer that the last complete
    /// name does not exist. The old key may be in use at an address that only the domain has.
    @Test(arguments: [
        (TRY_AGAIN, "first", false), (NO_RECOVERY, "first", false), (TRY_AGAIN, "second", false),
        (HOST_NOT_FOUND, "first", true), (NO_DATA, "second", true), (TRY_AGAIN, "seventh", false),
    ]) func refreshRetiresNoPinIfADomainFails(code: Int32, domain: String, retires: Bool) throws {
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("etc"), withIntermediateDirectories: true)
        try folder.write("127.0.0.1 \(RotationPKI.host)\n", to: "etc/hosts")
        let name = "\(RotationPKI.host).\(domain).test"
        let run = try refresh(
            EAI_NONAME, NO_DATA,
            [
                "LOOKUP_ETC": folder.url.appendingPathComponent("etc").path, "LOOKUP_EARLIER": name,
                "LOOKUP_EARLIER_CODE": "\(code)",
                "LOCALDOMAIN": "first.test second.test c.test d.test e.test f.test seventh.test",
                "RES_OPTIONS": "ndots:3",
            ])
        #expect(run.status == 0, "\(run)")
        try #expect(folder.text("pins.json").contains("\"state\": \"retired\"") == retires, "\(run)")
    }
}
