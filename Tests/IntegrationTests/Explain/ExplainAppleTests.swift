import Foundation
import TestSupport
import Testing

/// `explain` with the `Info.plist` of an app. Apple's systems compare the leaf list with the leaf and the CA list with the certificates
/// above it, and both lists must match if both are present (Security-61901, trust/trustd/SecPolicyServer.c).
@Suite(.blocking) struct ExplainAppleTests: ExplainSuite {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("explain")
    }

    struct Case: Sendable {
        var leaves: [String] = []
        var authorities: [String] = []
        let verdict: String
        /// The list that does not match.
        var list: String?
    }

    private func list(_ key: String, _ names: [String]) throws -> String {
        guard !names.isEmpty else { return "" }
        let pins = try names.map { "<dict><key>SPKI-SHA256-BASE64</key><string>\(try pki.pin($0))</string></dict>" }
        return "<key>\(key)</key><array>\(pins.joined())</array>"
    }

    private func writeInfo(_ lists: String) throws {
        let domains = "<key>NSPinnedDomains</key><dict><key>localhost</key><dict>\(lists)</dict></dict>"
        try folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict>\(domains)</dict></dict></plist>
            """, to: "Info.plist")
    }

    @Test(
        arguments: [
            Case(leaves: ["intermediate"], verdict: "wrong-set", list: "NSPinnedLeafIdentities"),
            Case(authorities: ["leaf"], verdict: "wrong-set", list: "NSPinnedCAIdentities"),
            // With another pin in the list, the key can have changed.
            Case(leaves: ["intermediate", "other-leaf"], verdict: "rotation", list: "NSPinnedLeafIdentities"),
            Case(
                leaves: ["other-leaf"], authorities: ["intermediate"], verdict: "rotation",
                list: "NSPinnedLeafIdentities"),
            Case(leaves: ["leaf"], authorities: ["other-root"], verdict: "rotation", list: "NSPinnedCAIdentities"),
            Case(leaves: ["leaf"], authorities: ["intermediate"], verdict: "undecided"),
        ], ["Code=-999 \"cancelled\"", "Code=-1202 \"The certificate for this server is invalid.\""])
    func theListsOfAnApp(example: Case, code: String) throws {
        try writeInfo(
            list("NSPinnedLeafIdentities", example.leaves) + list("NSPinnedCAIdentities", example.authorities))
        let log =
            "Error Domain=NSURLErrorDomain \(code) UserInfo={NSErrorFailingURLStringKey=https://localhost/}\n"
        try OpenSSLServer.run { server in
            let failure = try explain(
                log, ["--pins", folder.path("Info.plist"), "--connect-to", "127.0.0.1:\(server.port)"],
                status: example.verdict == "undecided" ? 3 : 0)
            #expect(failure.conclusion.verdict == example.verdict, "\(failure)")
            let start = "Apple's systems reject the host's chain, which is trusted here: "
            #expect(failure.conclusion.sentence.contains(start) == (example.list != nil), "\(failure)")
            guard let list = example.list else { return }
            #expect(failure.conclusion.sentence.contains("\(start)\(list) of localhost must match "), "\(failure)")
            #expect(failure.conclusion.command.hasPrefix("pinctl verify --pins "), "\(failure)")
        }
    }

    /// An app with an empty list can never connect.
    @Test func aListWithoutPins() throws {
        try writeInfo(
            "<key>NSPinnedLeafIdentities</key><array></array>" + list("NSPinnedCAIdentities", ["intermediate"]))
        let log = "Error Domain=NSURLErrorDomain Code=-999 UserInfo={NSErrorFailingURLStringKey=https://localhost/}\n"
        try OpenSSLServer.run { server in
            let failure = try explain(
                log, ["--pins", folder.path("Info.plist"), "--connect-to", "127.0.0.1:\(server.port)"])
            #expect(failure.conclusion.verdict == "wrong-set", "\(failure)")
            #expect(failure.conclusion.sentence.contains("has no usable pin"), "\(failure)")
        }
    }
}
