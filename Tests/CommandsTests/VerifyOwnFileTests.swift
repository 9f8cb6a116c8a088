import Foundation
import InProcessRuns
import TestSupport
import Testing

/// `pinctl verify` without `--as` judges a file in a platform's own format by this platform.
@Suite(.blocking) struct VerifyOwnFileTests {
    private let pki: TestPKI
    private let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("verify-own-file")
    }

    private func verify(_ file: String, _ more: [String] = []) throws -> PinctlRun {
        try PinctlRun.inProcess(
            ["verify", "--pins", file, "--chain", pki.path("leaf.chain.pem"), "--anchors", pki.path("root.pem")] + more
                + ["localhost"], folder: folder.url)
    }

    private func write(expo lists: String) throws {
        try folder.write(
            "{\"expo\":{\"ios\":{\"infoPlist\":{\"NSAppTransportSecurity\":{\"NSPinnedDomains\":{\"localhost\":{\(lists)}}}}}}}",
            to: "app.json")
    }

    private func list(_ name: String, _ pins: String...) -> String {
        "\"\(name)\":[" + pins.map { "{\"SPKI-SHA256-BASE64\":\"\($0)\"}" }.joined(separator: ",") + "]"
    }

    /// App Transport Security requires a match in each list that is present (the vectors of `apple`).
    @Test func anExpoFileIsJudgedAsItsInfoPlist() throws {
        defer { folder.remove() }
        let authorities = try list("NSPinnedCAIdentities", pki.pin("intermediate"))
        try write(expo: authorities)
        let accepted = try verify("app.json")
        #expect(accepted.status == 0 && accepted.text.contains("\n  apple  accepts "), "\(accepted)")
        try write(expo: "\(authorities),\(list("NSPinnedLeafIdentities", pki.pin("other-root")))")
        let other = try verify("app.json")
        #expect(other.status == 1 && other.text.contains("\n  apple  rejects "), "\(other)")
        #expect(other.text.hasPrefix("localhost  match "), "\(other)")
        // A list without pins matches nothing, and a pin set cannot express it.
        try write(expo: "\(authorities),\(list("NSPinnedLeafIdentities"))")
        for options in [[], ["--as", "apple"]] {
            let empty = try verify("app.json", options)
            #expect(empty.status == 1 && empty.text.contains("\n  apple  rejects "), "\(empty)")
        }
        let none = try verify("app.json", ["--as", "none"])
        #expect(!none.text.contains("apple"), "\(none)")
    }

    /// Without all values, the lists of the app are unknown.
    @Test func anExpoFileWithExpressionsIsNotJudged() throws {
        defer { folder.remove() }
        let pin = try pki.pin("intermediate")
        try folder.write(
            """
            export default { expo: { ios: { infoPlist: { NSAppTransportSecurity: { NSPinnedDomains: { localhost: {
              NSPinnedCAIdentities: [{ 'SPKI-SHA256-BASE64': '\(pin)' }, { 'SPKI-SHA256-BASE64': process.env.PIN }]
            } } } } } } }

            """, to: "app.config.js")
        let run = try verify("app.config.js")
        #expect(run.status == 0 && !run.text.contains("apple"), "\(run)")
    }

    /// These formats contain the pins of keys. The set has the keys of the leaf and of its CA, so each platform finds one.
    @Test(arguments: ["cronet", "kubeadm", "openconnect", "envoy", "stubby", "elastic", "nats"])
    func aFileThatASetExpresses(format: String) throws {
        defer { folder.remove() }
        try folder.write(
            """
            {"version":1,"hosts":{"localhost":{"pins":[{"sha256":"\(pki.pin("leaf"))","role":"leaf"},
            {"sha256":"\(pki.pin("intermediate"))","role":"intermediate"}]}}}
            """, to: "pins.json")
        let convert = ["convert", "pins.json", "--to", format, "--output", "file"]
        let written = try PinctlRun.inProcess(convert, folder: folder.url)
        #expect(written.status == 0, "\(written)")
        let run = try verify("file")
        #expect(run.status == 0 && run.text.contains("\n  \(format)  accepts "), "\(run)")
    }

    /// The set has the key of a certificate, whose renewal the platform would reject.
    @Test(arguments: ["flutter", "aiohttp", "openfortivpn"]) func aFileOfFingerprintsIsNotJudged(format: String) throws
    {
        defer { folder.remove() }
        try folder.write("{\"version\":1,\"hosts\":{\"localhost\":[\"\(pki.pin("leaf"))\"]}}", to: "pins.json")
        let certificates = ["--certificates", pki.path("leaf.pem")]
        let written = try PinctlRun.inProcess(
            ["convert", "pins.json", "--to", format, "--output", "file"] + certificates, folder: folder.url)
        #expect(written.status == 0, "\(written)")
        let run = try verify("file", certificates)
        #expect(run.status == 0 && run.text.hasPrefix("localhost  match "), "\(run)")
        #expect(!run.text.contains("\n  \(format)  "), "\(run)")
    }
}
