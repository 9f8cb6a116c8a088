import Foundation
import InProcessRuns
import TestSupport
import Testing

/// The survival table of `verify --html`: each cell is compared with what `verify` says about chains after the event, which openssl
/// creates with the real change.
@Suite(.blocking) struct SurvivalTests {
    /// Chains after an event. The first word of a name is the key of the leaf, the second one its issuer.
    private static let chains: [(event: Int, names: [String])] = [
        (0, ["kept-i1"]), (1, ["fresh-i1", "spare-i1"]), (2, ["kept-i2", "fresh-i2", "spare-i2"]),
        (3, ["kept-j", "fresh-j", "spare-j", "kept-k", "fresh-k", "spare-k"]),
    ]

    /// The keys of each issuer and its root, by their labels in the sets.
    private static let authorities = ["i1": ["I1", "R1"], "i2": ["I2", "R1"], "j": ["J", "R2"], "k": ["K", "R3"]]

    private static let made = Result<TemporaryFolder, any Error> {
        let folder = try TemporaryFolder("survival")
        try Shell.run(
            #"""
            exec 2>log
            key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out $1.key; }
            ca='basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\nsubjectKeyIdentifier=hash\n'
            # sign NAME KEY SUBJECT ISSUER EXTENSIONS
            sign() {
                printf "$5" >$1.ext
                openssl req -new -key $2.key -subj "/CN=$3" -out $1.csr
                by="-CA $4.pem -CAkey $4.key -CAcreateserial"
                [ $4 != - ] || by="-signkey $2.key"
                openssl x509 -req -in $1.csr $by -sha256 -days 800 -extfile $1.ext -out $1.pem
            }
            for root in r1 r2 r3; do key $root; sign $root $root "Root $root" - "$ca"; done
            for pair in i1:r1 i2:r1 j:r2 k:r3; do key ${pair%:*}; sign ${pair%:*} ${pair%:*} "CA ${pair%:*}" ${pair#*:} "$ca"; done
            for leaf in kept fresh spare; do
                key $leaf
                for issuer in i1 i2 j k; do
                    sign $leaf-$issuer $leaf survival.example.test $issuer \
                        'basicConstraints=critical,CA:FALSE\nextendedKeyUsage=serverAuth\nsubjectAltName=DNS:survival.example.test\n'
                    cat $leaf-$issuer.pem $issuer.pem >$leaf-$issuer.chain.pem
                done
            done
            # The certificate of today has another serial number than its renewal.
            sign now kept survival.example.test i1 \
                'basicConstraints=critical,CA:FALSE\nextendedKeyUsage=serverAuth\nsubjectAltName=DNS:survival.example.test\n'
            cat now.pem i1.pem >now.chain.pem
            cat r1.pem r2.pem r3.pem >roots.pem
            for name in kept spare r1 r2 i1 i2; do
                openssl pkey -in $name.key -pubout -outform DER | openssl dgst -sha256 -binary | base64 >$name.pin
            done
            """#, in: folder.url)
        return folder
    }

    private let folder: TemporaryFolder

    init() throws { folder = try Self.made.get() }

    private struct Cell: Decodable {
        let word: String
        let detail: String
    }

    private struct Row: Decodable {
        let names: [String]
        let cells: [Cell]
    }

    private func set(_ pins: [(String, role: String, state: String, label: String)]) throws -> [UInt8] {
        let pins = try pins.map { pin in
            let value = try folder.text(pin.0 + ".pin").trimmingCharacters(in: .whitespacesAndNewlines)
            return #"{"sha256":"\#(value)","role":"\#(pin.role)","state":"\#(pin.state)","label":"\#(pin.label)"}"#
        }
        return Array(
            #"{"version":1,"hosts":{"survival.example.test":{"pins":[\#(pins.joined(separator: ","))]}}}"#.utf8)
    }

    private func verify(_ set: [UInt8], _ chain: String, _ more: [String]) throws -> PinctlRun {
        try PinctlRun.inProcess(
            [
                "verify", "--pins", "-", "--chain", folder.path(chain + ".chain.pem"), "--anchors",
                folder.path("roots.pem"),
                "--as", "all", "--format", "json",
            ] + more, input: set, folder: folder.url)
    }

    /// The rows of the table in the report.
    private func table(_ set: [UInt8]) throws -> [Row] {
        let page = "report-\(UUID().uuidString).html"
        let run = try verify(set, "now", ["--html", page])
        #expect(run.errors == "" || run.status == 1, "\(run)")
        let script = """
            import sys, json, html5lib
            document = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(sys.stdin.buffer.read().decode())
            table = next(e for e in document.iter("table") if e.get("class") == "survival")
            def text(e): return "" if e == None else "".join(e.itertext()).strip()
            print(json.dumps([
                {"names": text(row.find("th").find("bdi")).split(", "),
                 "cells": [{"word": text(cell.find("span"))[2:], "detail": text(cell.find("small"))} for cell in row.findall("td")]}
                for row in table.iter("tr") if row.find("td") != None]))
            """
        let outcome = try ChildProcess.run(
            [PublicSchema.python, "-c", script], environment: TestEnvironment.base, input: try folder.bytes(page))
        #expect(outcome.errors == "")
        return try JSONDecoder().decode([Row].self, from: Data(outcome.output))
    }

    /// What each platform, and pinctl itself, does with a chain.
    private func verdicts(_ set: [UInt8], _ chain: String) throws -> [String: String] {
        let run = try verify(set, chain, [])
        let document = try #require(JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        let result = try #require((document["results"] as? [[String: Any]])?.first)
        let own = try #require(result["verdict"] as? String)
        try #require(own == "match" || own == "mismatch")
        var verdicts = ["pinctl verify": own == "match" ? "accepts" : "rejects"]
        for platform in try #require(result["platforms"] as? [[String: String]]) {
            let verdict = try #require(platform["verdict"])
            verdicts[try #require(platform["platform"])] = verdict == "refuses-config" ? "rejects" : verdict
        }
        return verdicts
    }

    /// The keys in a chain, by their labels.
    private static func keys(in chain: String) -> [String] {
        let parts = chain.split(separator: "-").map(String.init)
        return [parts[0]] + authorities[parts[1], default: []]
    }

    /// Compares one cell with the verdicts on the chains after its event.
    ///
    /// - Returns: the word of the cell.
    private func check(
        _ cell: Cell, _ name: String, _ verdicts: [String: [String: String]], chains: [String], labels: [String],
        allowsUndecided: Bool
    ) -> String {
        for chain in chains {
            // react-native is two apps, of which one may compare no pin.
            let isPartial = name.hasPrefix("react-native") && cell.word != "not pinned"
            let verdict = verdicts[chain]?[name].map { isPartial && $0 == "not-pinned" ? "accepts" : $0 }
            let expected: String? =
                switch cell.word {
                case "yes": "accepts"
                case "no": "rejects"
                // HPKP ignores a header without a matching pin, and applies it again after another rotation.
                case "not pinned": verdict == "accepts" ? "accepts" : "not-pinned"
                case "if" where cell.detail.hasPrefix("if the server keeps its key: "):
                    chain.hasPrefix("kept")
                        ? "accepts" : labels.contains(where: Self.keys(in: chain).contains) ? nil : "rejects"
                case "if" where cell.detail.hasPrefix("only if the new chain has the key of "):
                    cell.detail.dropFirst("only if the new chain has the key of ".count).components(separatedBy: " or ")
                        .contains(where: Self.keys(in: chain).contains) ? "accepts" : "rejects"
                case "if" where cell.detail.hasPrefix("only if the new chain has the keys of "):
                    Self.verdict(
                        on: chain,
                        ifAll: cell.detail.dropFirst("only if the new chain has the keys of ".count)
                            .components(separatedBy: " and "))
                case "not decidable" where allowsUndecided: nil
                default: "a word that the test does not know: \(cell)"
                }
            if let expected {
                #expect(verdict == expected, "\(name), \(chain): the cell says \(cell)")
            }
        }
        return cell.word
    }

    /// The verdict on a chain if several keys are required together; nil if the chain has some of them.
    private static func verdict(on chain: String, ifAll labels: [String]) -> String? {
        let found = labels.filter(keys(in: chain).contains)
        return found.count == labels.count ? "accepts" : found.isEmpty ? "rejects" : nil
    }

    /// Compares each cell of a table with real chains.
    ///
    /// - Parameter allowsUndecided: whether cells may leave the result open, because a platform does not compare the pins today.
    /// - Returns: the words in the row of pinctl itself.
    private func checkTable(_ set: [UInt8], allowsUndecided: Bool = false) throws -> [String] {
        let rows = try table(set)
        var verdicts: [String: [String: String]] = [:]
        for chain in Self.chains.flatMap(\.names) { verdicts[chain] = try self.verdicts(set, chain) }
        let platforms = Set(verdicts["kept-i1", default: [:]].keys)
        #expect(Set(rows.flatMap(\.names)) == platforms)
        #expect(platforms.count > 10)
        let labels = ["kept", "spare", "I1", "I2", "R1", "R2"].filter {
            String(decoding: set, as: UTF8.self).contains("\"label\":\"\($0)\"")
        }
        var own: [String] = []
        for row in rows {
            #expect(row.cells.count == Self.chains.count)
            for name in row.names {
                let words = zip(row.cells, Self.chains).map {
                    check(
                        $0, name, verdicts, chains: $1.names, labels: labels, allowsUndecided: allowsUndecided)
                }
                if name == "pinctl verify" { own = words }
            }
        }
        return own
    }

    @Test func leafPinWithBackup() throws {
        let set = try set([("kept", "leaf", "active", "kept"), ("spare", "leaf", "backup", "spare")])
        #expect(try checkTable(set) == ["yes", "if", "if", "if"])
    }

    @Test func intermediatePin() throws {
        #expect(try checkTable(try set([("i1", "intermediate", "active", "I1")])) == ["yes", "yes", "no", "no"])
    }

    @Test func intermediatePinWithBackup() throws {
        let set = try set([("i1", "ca", "active", "I1"), ("i2", "ca", "backup", "I2")])
        #expect(try checkTable(set) == ["yes", "yes", "if", "if"])
    }

    @Test func rootPinWithBackup() throws {
        let set = try set([("r1", "root", "active", "R1"), ("r2", "root", "backup", "R2")])
        #expect(try checkTable(set) == ["yes", "yes", "yes", "if"])
    }

    @Test func pinsOfAnyRole() throws {
        let set = try set([("kept", "any", "active", "kept"), ("spare", "any", "backup", "spare")])
        // Apple's list of CAs gets these pins, so Apple rejects the chain of today.
        #expect(try checkTable(set, allowsUndecided: true) == ["yes", "if", "if", "if"])
    }

    @Test func mismatch() throws {
        let set = try set([("spare", "leaf", "active", "spare"), ("r2", "root", "active", "R2")])
        #expect(try checkTable(set, allowsUndecided: true) == ["no", "if", "if", "if"])
    }

    /// Apple compares the leaf with one list and the CAs with another, and requires a match in both.
    @Test func platformThatRequiresTwoKeys() throws {
        let set = try set([
            ("kept", "leaf", "active", "kept"), ("spare", "leaf", "backup", "spare"), ("r1", "root", "active", "R1"),
            ("r2", "root", "backup", "R2"),
        ])
        #expect(try checkTable(set) == ["yes", "yes", "yes", "if"])
        let apple = try #require(try table(set).first { $0.names.contains("apple") })
        #expect(apple.cells.map(\.word) == ["yes", "if", "if", "if"])
        #expect(apple.cells.last?.detail == "only if the new chain has the keys of kept and R2")
    }

    @Test func untrustedChainIsNotDecidable() throws {
        let set = try set([("kept", "leaf", "active", "kept")])
        let page = folder.path("untrusted.html")
        let run = try PinctlRun.inProcess(
            [
                "verify", "--pins", "-", "--chain", folder.path("now.chain.pem"), "--anchors", folder.path("r2.pem"),
                "--as", "okhttp", "--html", page,
            ], input: set, folder: folder.url)
        #expect(run.status == 1)
        let text = try folder.text("untrusted.html")
        let cell = "<td><span class=\"badge neutral\"><span aria-hidden=\"true\">–</span> not decidable</span></td>"
        #expect(text.components(separatedBy: cell).count == 5)
        #expect(text.contains("<small><bdi>the chain is not trusted</bdi></small>"))
    }
}
