import InputPromises
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// The comparison of a copy with its pin set.
@Suite struct PinSetCopyTests: CopySuite {
    static let formats = PinSetFormat.allCases.filter { !$0.traits.writingInputs.contains(.certificates) }

    /// A copy that was written has no difference, for every set and every change of it.
    @Test(arguments: formats) func writtenCopyIsEqual(format: PinSetFormat) throws {
        var generator = SeededGenerator(seed: 2026)
        var rounds = 0
        for _ in 0..<30 {
            var copy = CopyFolder()
            for _ in 0..<4 {
                let set = try GeneratedSets().next(&generator)
                // The format cannot express some of the sets.
                guard (try? set.written(as: format)) != nil else { continue }
                let comparison = try copy.compared(with: set, as: format)
                if case .equal = comparison.outcome { continue }
                // The format leaves out a host whose pins the copy has.
                if case .refused(.hostLeftOut) = comparison.outcome { continue }
                #expect(!comparison.differences.isEmpty)
                try copy.write(comparison)
                expectEqual(try copy.compared(with: set, as: format))
                rounds += 1
                // The format is also recognized from the contents or the name.
                if rounds % 10 == 0, format != .trustkitSwift {
                    expectEqual(try copy.compared(with: set, as: nil, fileName: format.fileName))
                }
            }
        }
        #expect(rounds > 50)
    }

    /// Damaged files of every format, some with markers.
    @Test(arguments: formats) func damagedFilesAreUpdatedOrRefused(format: PinSetFormat) throws {
        var generator = SeededGenerator(seed: 71)
        let words = ["// pinctl:begin\n", "// pinctl:end\n", "\n", "\"", "{", "}", "<!-- pinctl:begin -->", "# a\n"]
        for _ in 0..<TestEnvironment.rounds(75) {
            guard let file = try? GeneratedSets().next(&generator).written(as: format).main else { continue }
            let marked = Array("// a\n// pinctl:begin\n".utf8) + file + Array("\n// pinctl:end\n// b\n".utf8)
            for original in [file, marked] {
                let bytes = generator.damaged(original, words: words)
                let violation = SyncPromise.violation(in: bytes, as: format.rawValue)
                #expect(violation == nil, "\(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    @Test(arguments: [PinSetFormat.apple, .android, .trustkit]) func keepsOtherHosts(format: PinSetFormat)
        throws
    {
        var generator = SeededGenerator(seed: 14)
        var kept = 0
        for _ in 0..<60 {
            let old = try GeneratedSets.plain(format).next(&generator)
            let new = try GeneratedSets().next(&generator)
            guard (try? new.written(as: format)) != nil else { continue }
            var copy = CopyFolder(main: try old.written(as: format).main)
            let comparison = try copy.compared(with: new, as: format, others: .kept)
            #expect(!comparison.differences.contains { $0.kind == .extraHost })
            kept += comparison.notes.count { $0.reason == .otherHost(.kept) }
            guard case .write = comparison.outcome else { continue }
            try copy.write(comparison)
            expectEqual(try copy.compared(with: new, as: format, others: .kept))
        }
        #expect(kept > 50)
        let error = #expect(throws: PinSetCopyError.self) {
            try CopyFolder().compared(with: GeneratedSets().next(&generator), as: .hpkp, others: .kept)
        }
        #expect(error?.message.contains("is not supported for") == true)
    }

    /// The codes and messages of the differences between `set` and `copy`.
    private func differences(_ set: String, _ copy: String) throws -> [String] {
        let comparison = try CopyFolder(main: Array("{\"version\":1,\"hosts\":{\(copy)}}".utf8))
            .compared(with: self.set(set), as: .pins)
        return comparison.differences.map { "\($0.code.rawValue) \($0.host ?? "-"): \($0.message)" }
    }

    @Test func reportsEachDifference() throws {
        let plain = #""a.example":["\#(Self.x1)"]"#
        #expect(try differences(plain, #""A.example.":[{"sha256":"\#(Self.x1)"}]"#) == [])
        #expect(
            try differences(plain + #","b.example":["\#(Self.x1)"]"#, plain) == [
                "missing-host b.example: the host is missing"
            ])
        #expect(
            try differences(plain, plain + #","b.example":["\#(Self.x1)"]"#) == [
                "extra-host b.example: the host is not in the set"
            ])
        // A pin without a label has the name of its authority.
        #expect(
            try differences(#""a.example":["\#(Self.x1)","\#(Self.x2)"]"#, plain) == [
                "missing-pin a.example: the pin \(Self.x2) (ISRG Root X2) is missing"
            ])
        #expect(
            try differences(plain, #""a.example":["\#(Self.x1)",{"sha256":"\#(Self.x2)","label":"old"}]"#) == [
                #"extra-pin a.example: the pin \#(Self.x2) ("old") is not in the set"#
            ])
        func pins(_ pin: String, _ members: String = "") -> String {
            #""a.example":{\#(members)"pins":[{"sha256":"\#(Self.x1)"\#(pin)}]}"#
        }
        #expect(
            try differences(pins(#","role":"ca""#), pins(#","role":"leaf""#)) == [
                #"role a.example: the pin \#(Self.x1) (ISRG Root X1) has the role "leaf", expected "ca""#
            ])
        #expect(
            try differences(
                pins("").replacing("]", with: #","\#(Self.x2)"]"#),
                pins(#","state":"retired""#).replacing("]", with: #","\#(Self.x2)"]"#)
            ) == ["state a.example: the pin \(Self.x1) (ISRG Root X1) is retired, expected active"])
        #expect(
            try differences(pins(#","label":"new","state":"backup""#), pins(#","label":"old""#)) == [
                #"note a.example: the pin \#(Self.x1) has the comment "old", expected "new; backup""#
            ])
        #expect(
            try differences(pins("", #""subdomains":"all","#), pins("")) == [
                #"subdomains a.example: "subdomains" is "none", expected "all""#
            ])
        #expect(
            try differences(pins("", #""expires":"2027-06-01","#), pins("")) == [
                #"expires a.example: "expires" is absent, expected 2027-06-01"#
            ])
        #expect(
            try differences(pins("", #""enforce":false,"#), pins("")) == [
                "enforce a.example: a mismatch is a failure, expected only a report"
            ])
        #expect(
            try differences(pins("", #""endpoints":["a.example:8443"],"#), pins("")) == [
                #"endpoints a.example: "endpoints" is "", expected "a.example:8443""#
            ])
        #expect(
            try differences(pins("", #""anchors":["a.pem"],"#), pins("")) == [
                #"anchors a.example: "anchors" is "", expected "a.pem""#
            ])
    }

    /// A program whose copy loses the pins of a host no longer checks it.
    ///
    /// - Parameter role: the role of the backup.
    @Test(arguments: ["ca", "leaf"]) func removesNoPinsOfAHostThatTheFormatLeavesOut(role: String) throws {
        func set(_ active: String, _ backup: String) throws -> PinSet {
            let pins =
                "{\"sha256\":\"\(Self.x1)\",\"role\":\"\(active)\"},"
                + "{\"sha256\":\"\(Self.x2)\",\"role\":\"\(backup)\",\"state\":\"backup\"}"
            return try self.set("\"a.example\":{\"pins\":[\(pins)]},\"b.example\":[\"\(Self.x3)\"]")
        }
        let old = try set("leaf", "leaf").written(as: .curl).main
        for overwrites in [false, true] {
            let comparison = try CopyFolder(main: old).compared(
                with: set("ca", role), as: .curl, overwrites: overwrites)
            #expect(
                comparison.differences.map { "\($0.code) \($0.host ?? ""): \($0.message)" } == [
                    "extraHost a.example: the set has the host, and the format leaves it out"
                ])
            guard case .refused(.hostLeftOut("a.example", let warning?)) = comparison.outcome else {
                Issue.record("\(comparison.outcome)")
                return
            }
            #expect(warning.missingRole == .leaf)
        }
        // A host that the set does not have any more goes, and a new copy needs no refusal.
        for (main, hosts) in [(old, ["b.example"]), (nil, [])] {
            var copy = CopyFolder(main: main)
            let set = try set("ca", role).subset(hosts).set
            try copy.write(copy.compared(with: #require(set), as: .curl))
            #expect(!String(decoding: copy.main ?? [], as: UTF8.self).contains(Self.x1))
        }
    }

    @Test(arguments: [(PinSetFormat.nats, PinSet.AllowedRole.leaf), (.kubeadm, .ca)])
    func namesThePinThatTheFormatNeeds(format: PinSetFormat, role: PinSet.AllowedRole) throws {
        func set(_ role: String) throws -> PinSet {
            try self.set("\"a.example\":{\"pins\":[{\"sha256\":\"\(Self.x1)\",\"role\":\"\(role)\"}]}")
        }
        let file = CopyFolder(main: try set(role.rawValue).written(as: format).main)
        let other = try set(role == .leaf ? "ca" : "leaf")
        let error = #expect(throws: PinSetCopyError.self) { try file.compared(with: other, as: format) }
        #expect(error?.warning?.missingRole == role)
        #expect(error?.message.contains("\"a.example\": no pin is for ") == true)
        #expect(error?.hint?.hasPrefix("add the pin of ") == true)
    }

    /// The platform never pins an address, so nothing is lost.
    @Test func removesAddressesFromFormatsWithoutAddresses() throws {
        let pins = "[\"\(Self.x1)\",\"\(Self.x2)\"]"
        let set = try set("\"10.0.0.1\":\(pins),\"a.example\":\(pins)")
        let entry = "{\"includeSubdomains\":false,\"publicKeyHashes\":\(pins)}"
        var copy = CopyFolder(main: Array("{\"10.0.0.1\":\(entry),\"a.example\":\(entry)}".utf8))
        try copy.write(copy.compared(with: set, as: .reactNative, overwrites: true))
        #expect(!String(decoding: copy.main ?? [], as: UTF8.self).contains("10.0.0.1"))
    }

    /// TrustKit for Android stops the app if it enforces one pin (TrustKit-Android 1.1.5, DomainPinningPolicy.java).
    @Test func explainsWhyTrustKitOnlyReports() throws {
        let xml = """
            <network-security-config><domain-config><domain>a.example.com</domain>
            <pin-set><pin digest="SHA-256">\(Self.x1)</pin><pin digest="SHA-256">\(Self.x2)</pin></pin-set>
            <trustkit-config enforcePinning="true"/></domain-config></network-security-config>
            """
        let set = try set(#""a.example.com":["\#(Self.x1)"]"#)
        let comparison = try CopyFolder(main: Array(xml.utf8)).compared(with: set, as: .android)
        #expect(
            comparison.differences.first { $0.code == .enforce }?.message
                == "the copy enforces the pins, and the set has too few pins for that")
        #expect(comparison.notes.contains { $0.message.contains("for which the host needs two pins") })
        let reported = try self.set(#""a.example.com":{"enforce":false,"pins":["\#(Self.x1)","\#(Self.x2)"]}"#)
        let other = try CopyFolder(main: Array(xml.utf8)).compared(with: reported, as: .android)
        #expect(other.differences.map(\.message) == ["a mismatch is a failure, expected only a report"])
    }

    @Test func ignoresSettingsThatFormatCannotExpress() throws {
        let set = try set(
            #""a.example":{"subdomains":"one","expires":"2027-06-01T12:00:00Z","anchors":["a.pem"],"pins":[{"sha256":"\#(Self.x1)","role":"ca"}]}"#
        )
        let xml = """
            <network-security-config><domain-config><domain includeSubdomains="true">a.example</domain>
            <pin-set expiration="2027-06-02"><pin digest="SHA-256">\(Self.x1)</pin></pin-set></domain-config>
            </network-security-config>
            """
        let comparison = try CopyFolder(main: Array(xml.utf8)).compared(with: set, as: nil)
        expectEqual(comparison)
        #expect(comparison.notes.count == 4)
        // A copy that expires a day earlier is different.
        let sooner = xml.replacing("06-02", with: "06-01")
        let other = try CopyFolder(main: Array(sooner.utf8)).compared(with: set, as: nil)
        #expect(
            other.differences.map(\.message) == [#""expires" is 2027-06-01, expected 2027-06-02"#])
    }

    /// sync updates the records that it wrote for an endpoint, and leaves those of other services to their owners.
    @Test func updatesRecordsOfItsEndpoints() throws {
        func set(_ pin: String) throws -> PinSet {
            try self.set(#""a.example":{"endpoints":["smtp://a.example"],"pins":["\#(pin)"]}"#)
        }
        var copy = CopyFolder(main: try set(Self.x2).written(as: .tlsa).main)
        try copy.write(copy.compared(with: set(Self.x1), as: .tlsa))
        expectEqual(try copy.compared(with: set(Self.x1), as: .tlsa))
        #expect(String(decoding: copy.main ?? [], as: UTF8.self).hasPrefix("_25._tcp.a.example. IN TLSA "))
        let other = try self.set(#""a.example":["\#(Self.x1)"]"#)
        let comparison = try copy.compared(with: other, as: .tlsa)
        #expect(comparison.differences.map(\.code) == [.endpoints])
        if case .write = comparison.outcome { Issue.record("written") }
    }

    @Test func recognizesFormatByContentsOrName() throws {
        let set = try set(#""a.example":["\#(Self.x1)","\#(Self.x2)"]"#)
        func format(_ name: String, _ contents: String? = nil) throws(PinSetCopyError) -> PinSetFormat {
            try PinSetCopy(of: set, as: nil, fileName: name, contents: contents.map { Array($0.utf8) }).format
        }
        #expect(try format("network_security_config.xml") == .android)
        #expect(try format("Pins.kt") == .okhttp)
        #expect(try format("Pins.kt", "class Empty\n") == .okhttp)
        #expect(try format("any.xml", "<network-security-config/>") == .android)
        #expect(try format("App.swift", "let k = [kTSKPinnedDomains: [:]]") == .trustkitSwift)
        // An `Info.plist` can have Apple's pins or TrustKit's.
        #expect(throws: PinSetCopyError.self) { try format("Info.plist") }
        #expect(throws: PinSetCopyError.self) { try format("notes.txt", "hello") }
    }
}
