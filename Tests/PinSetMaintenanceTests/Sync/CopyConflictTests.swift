import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// A copy that accepts other certificates than the set, or that its platform rejects, is never equal, although the set that is read
/// from it is.
@Suite struct CopyConflictTests {
    private static let x1 = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    private static let x2 = "diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI="
    private static let other = "MCTfuNhcFTV1jWjJyAS5+QB/pJyf+cXujCWTAXRQ3DE="
    private static let fingerprint = String(repeating: "29d98ea80d727bb1", count: 4)

    private func set(_ role: String, subdomains: String = "none") throws -> PinSet {
        let pins = [Self.x1, Self.x2].map { "{\"sha256\":\"\($0)\",\"role\":\"\(role)\"}" }.joined(separator: ",")
        return try PinSet(
            json: Array(
                "{\"version\":1,\"hosts\":{\"a.example.com\":{\"subdomains\":\"\(subdomains)\",\"pins\":[\(pins)]}}}"
                    .utf8))
    }

    private func compared(
        _ file: [UInt8], with set: PinSet, as format: PinSetFormat, others: OtherHosts = .removed,
        certificates: [Certificate] = [], key: [UInt8]? = nil
    ) throws -> CopyComparison {
        let inputs = ConversionInputs(
            certificates: certificates, signingKey: key, date: Timestamp(secondsSince1970: 1_790_000_000))
        let copy = try PinSetCopy(
            of: set, as: format, fileName: format.fileName, contents: file, others: others, with: inputs)
        return try copy.compared(with: file) { _ in nil }
    }

    private func expectEqual(_ comparison: CopyComparison) {
        guard case .equal = comparison.outcome, comparison.differences.isEmpty else {
            Issue.record("\(comparison.differences.map(\.message)) \(comparison.outcome)")
            return
        }
    }

    private struct Change: CustomTestStringConvertible {
        let format: PinSetFormat
        let role: String
        let old: String
        let new: String
        let code: CopyDifference.Code
        /// Whether `--write` can change the file.
        let isWritable: Bool
        var subdomains = "none"

        var testDescription: String { "\(format.rawValue): \(new)" }
    }

    private static let changes = [
        Change(
            format: .okhttp, role: "any", old: "\"sha256/C5", new: "\"sha1/KdmOqA1ye7FaDrQdVL229NInz0A=\", \"sha256/C5",
            code: .readingLoss, isWritable: false),
        Change(
            format: .okhttp, role: "any", old: "\"sha256/C5", new: "BuildConfig.PIN, \"sha256/C5",
            code: .readingLoss, isWritable: false),
        Change(
            format: .okhttp, role: "any", old: "\"a.example.com\"", new: "\"*.a.example.com\"", code: .readingLoss,
            isWritable: false, subdomains: "one"),
        Change(
            format: .tlsa, role: "leaf", old: "_443",
            new: "_443._tcp.a.example.com. IN TLSA 3 0 1 \(fingerprint)\n_443",
            code: .readingLoss, isWritable: false),
        Change(
            format: .tlsa, role: "leaf", old: "_443", new: "_25._tcp.a.example.com. IN TLSA 3 1 1 \(fingerprint)\n_443",
            code: .endpoints, isWritable: false),
        Change(
            format: .openconnect, role: "leaf", old: "servercert", new: "servercert=pin-sha256:abcdef\nservercert",
            code: .readingLoss, isWritable: false),
        Change(
            format: .envoy, role: "leaf", old: "verify_certificate_spki",
            new: "verify_certificate_hash: [\"\(fingerprint)\"]\n        verify_certificate_spki", code: .extraPin,
            isWritable: false),
        Change(
            format: .elastic, role: "ca", old: "ssl.ca_sha256",
            new: "ssl.ca_trusted_fingerprint: \(fingerprint)\n  ssl.ca_sha256",
            code: .extraPin, isWritable: false),
        Change(
            format: .hpkp, role: "any", old: "max-age=5184000", new: "max-age=0", code: .readingLoss, isWritable: false),
        Change(
            format: .android, role: "any", old: "<pin digest", new: "<pin digest=\"SHA-256\">abc</pin><pin digest",
            code: .readingLoss, isWritable: true),
        Change(
            format: .android, role: "any", old: "<pin-set",
            new: "<trust-anchors><certificates src=\"user\" overridePins=\"true\"/></trust-anchors><pin-set",
            code: .readingLoss, isWritable: false),
        Change(
            format: .android, role: "any", old: "</domain-config>",
            new: "</domain-config><domain-config><domain>b.a.example.com</domain></domain-config>", code: .readingLoss,
            isWritable: false, subdomains: "all"),
        Change(
            format: .trustkit, role: "any", old: "<array>", new: "<array><string>abc</string>", code: .readingLoss,
            isWritable: true),
        Change(
            format: .reactNative, role: "any", old: "\"\(x1)\"", new: "\"abc\",\"\(x1)\"", code: .readingLoss,
            isWritable: false),
        Change(
            format: .stubby, role: "any", old: "upstream", new: "a:\n\tb: 1\nupstream", code: .readingLoss,
            isWritable: false),
        Change(
            format: .stubby, role: "any", old: "upstream", new: "%A b\n---\nupstream", code: .readingLoss,
            isWritable: false),
        Change(
            format: .kubeadm, role: "ca", old: "apiVersion", new: "a: \"b\napiVersion", code: .unreadable,
            isWritable: false),
        Change(
            format: .expo, role: "leaf", old: "{", new: "{\"a\": 01,", code: .readingLoss, isWritable: false),
        Change(
            format: .expo, role: "leaf", old: "\"ios\": {", new: "\"ios\": {}, \"ios\": {", code: .readingLoss,
            isWritable: false),
        Change(
            format: .nats, role: "leaf", old: "}", new: "", code: .readingLoss, isWritable: false),
        Change(
            format: .nats, role: "leaf", old: "pinned_certs", new: "pinned_certs: []\n  pinned_certs",
            code: .readingLoss,
            isWritable: false),
        Change(
            format: .android, role: "any", old: ">a.example.com<", new: ">a.example.com.<", code: .missingHost,
            isWritable: true),
        Change(
            format: .trustkit, role: "any", old: ">a.example.com<", new: ">A.example.com<", code: .readingLoss,
            isWritable: true),
        Change(
            format: .reactNative, role: "any", old: "\"a.example.com\"", new: "\"a.example.com.\"", code: .readingLoss,
            isWritable: true),
        Change(
            format: .okhttp, role: "any", old: "\"a.example.com\"", new: "\"a.example.com.\"", code: .readingLoss,
            isWritable: false),
        Change(
            format: .okhttp, role: "any", old: "\"a.example.com\"", new: "\"${env}.a.example.com\"", code: .readingLoss,
            isWritable: false),
        Change(
            format: .okhttp, role: "any", old: "\"a.example.com\"", new: "if (DEBUG) DEV else API", code: .readingLoss,
            isWritable: false),
        Change(
            format: .cronet, role: "any", old: "\"a.example.com\"", new: "PREFIX + \"a.example.com\"",
            code: .readingLoss, isWritable: false),
        Change(
            format: .urlsession, role: "any", old: "expires: nil", new: "expires: Date()", code: .readingLoss,
            isWritable: false),
        Change(
            format: .urlsession, role: "any", old: "enforce: true", new: "enforce: !isDebug", code: .readingLoss,
            isWritable: false),
        Change(
            format: .urlsession, role: "any", old: "subdomains: .none", new: "subdomains: mode", code: .readingLoss,
            isWritable: false),
        Change(
            format: .urlsession, role: "any", old: "            pins: [", new: "            pins: extra + [",
            code: .missingHost, isWritable: false),
        Change(
            format: .curl, role: "leaf", old: ";sha256//", new: "; sha256//", code: .missingHost, isWritable: false),
    ]

    /// Envoy reads a file by its name: as JSON without comments, or as YAML. Protocol Buffers accept a comma at the end of a list.
    @Test func readsAFileOfEnvoyByItsName() throws {
        let set = try set("leaf")
        for (end, name, isEqual) in [
            ("", "a.json", true), (",", "a.json", true), ("# c\n", "a.json", false), ("# c\n", "a.yaml", true),
        ] {
            let pins = "\"verify_certificate_spki\": [\"\(Self.x1)\", \"\(Self.x2)\" \(end)]"
            let file = Array("{\"sni\": \"a.example.com\", \(pins)}".utf8)
            let copy = try PinSetCopy(of: set, as: .envoy, fileName: name, contents: file)
            let comparison = try copy.compared(with: file) { _ in nil }
            #expect(comparison.differences.map(\.code) == (isEqual ? [] : [.readingLoss]), "\(name) \(end)")
        }
    }

    /// Each program documents what it does with the added text: [formats.md](Docs/formats.md) names the sources.
    @Test(arguments: changes.indices) func isDifferent(index: Int) throws {
        let change = Self.changes[index]
        let set = try set(change.role, subdomains: change.subdomains)
        let written = String(decoding: try set.written(as: change.format).main, as: UTF8.self)
        try expectEqual(compared(Array(written.utf8), with: set, as: change.format))
        var text = written.replacing(change.old, with: change.new, maxReplacements: 1)
        try #require(text != written)
        let comparison = try compared(Array(text.utf8), with: set, as: change.format)
        #expect(comparison.differences.contains { $0.code == change.code }, "\(text)\n\(comparison.differences)")
        guard case .write(let files) = comparison.outcome else {
            #expect(!change.isWritable, "\(text)\n\(comparison.outcome)")
            return
        }
        #expect(change.isWritable)
        text = String(decoding: files.first { $0.name == nil }?.bytes ?? [], as: UTF8.self)
        try expectEqual(compared(Array(text.utf8), with: set, as: change.format))
    }

    /// Without a pinned parent domain, a domain without pins is no exception. With "keep", an exception is a note.
    @Test func exceptionsFromTheSet() throws {
        let set = try set("any", subdomains: "all")
        for (host, isException) in [("b.a.example.com", true), ("b.example.org", false)] {
            let file = String(decoding: try set.written(as: .android).main, as: UTF8.self).replacing(
                "</network-security-config>",
                with: "<domain-config><domain>\(host)</domain></domain-config></network-security-config>")
            let comparison = try compared(Array(file.utf8), with: set, as: .android)
            #expect(comparison.differences.count == (isException ? 1 : 0))
            try expectEqual(compared(Array(file.utf8), with: set, as: .android, others: .kept))
        }
    }

    // MARK: Fingerprints

    private static let fingerprintFormats: [PinSetFormat] = [.openfortivpn, .flutter, .wultra, .aiohttp]

    private func leaves() throws -> [Certificate] {
        let leaves = try Vectors.certificates.map { try Certificate(der: Vectors.bytes($0.file)) }
            .filter { !$0.isCA && $0.notAfter != nil && $0.subject?.commonName?.isEmpty == false }
        var known: Set<Pin> = []
        return leaves.filter { known.insert($0.pin).inserted }
    }

    private func set(_ certificates: Certificate...) throws -> PinSet {
        let pins = certificates.map { "{\"sha256\":\"\($0.pin.base64)\",\"role\":\"leaf\"}" }.joined(separator: ",")
        let name = certificates[0].subject?.commonName ?? ""
        let host = (try? HostName.normalized(name)) ?? "a.example.com"
        return try PinSet(json: Array("{\"version\":1,\"hosts\":{\"\(host)\":{\"pins\":[\(pins)]}}}".utf8))
    }

    /// The certificate of the second fingerprint is not given, and the app accepts it.
    @Test(arguments: fingerprintFormats) func fingerprintOfAnotherCertificate(format: PinSetFormat) throws {
        let leaves = try leaves().filter {
            (try? HostName.normalized($0.subject?.commonName ?? "")) != nil || format != .wultra
        }
        let (one, two) = (try #require(leaves.first), try #require(leaves.dropFirst().first))
        let (set, both) = (try set(one), try set(one, two))
        let known = try set.written(as: format, with: ConversionInputs(certificates: [one])).main
        try expectEqual(compared(known, with: set, as: format, certificates: [one]))
        var file = try both.written(as: format, with: ConversionInputs(certificates: [one, two])).main
        if format == .aiohttp {
            file = known + Array("\naiohttp.Fingerprint(bytes.fromhex(\"\(Hex.encode(two.sha256))\"))\n".utf8)
        }
        let comparison = try compared(file, with: set, as: format, certificates: [one])
        #expect(comparison.differences.map(\.code) == [.extraPin])
        #expect(comparison.differences.first?.message.contains("the fingerprint ") == true)
        guard case .write(let files) = comparison.outcome else {
            #expect(format == .aiohttp)
            return
        }
        #expect(files.first?.bytes == known)
    }

    /// The app must accept each given certificate with a pinned key, for example a renewed one.
    @Test func fingerprintOfARenewedCertificate() throws {
        let certificates = try Vectors.certificates.map { try Certificate(der: Vectors.bytes($0.file)) }
        let groups = Dictionary(grouping: certificates.filter { !$0.isCA }, by: \.pin).values
        let pair = try #require(groups.first { Set($0.map(\.sha256)).count > 1 })
        let set = try set(pair[0])
        let file = try set.written(as: .openfortivpn, with: ConversionInputs(certificates: [pair[0]])).main
        let all = Array(pair)
        let comparison = try compared(file, with: set, as: .openfortivpn, certificates: all)
        #expect(comparison.differences.map(\.code).allSatisfy { $0 == .missingPin } && !comparison.differences.isEmpty)
    }

    // MARK: Signatures

    /// A new P-256 key of OpenSSL, in PEM.
    private static func key() throws -> [UInt8] {
        Array(
            try ChildProcess.output(
                of: ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]))
    }

    @Test func signaturesOfWultra() throws {
        let leaf = try #require(leaves().first { (try? HostName.normalized($0.subject?.commonName ?? "")) != nil })
        let set = try set(leaf)
        let (key, otherKey) = (try Vectors.bytes("private-p256-pkcs8.pem"), try Self.key())
        func written(_ key: [UInt8]?, _ previous: [UInt8]? = nil) throws -> [UInt8] {
            var inputs = ConversionInputs(certificates: [leaf], signingKey: key)
            inputs.previous = previous
            return try set.written(as: .wultra, with: inputs).main
        }
        let signed = try written(key)
        try expectEqual(compared(signed, with: set, as: .wultra, certificates: [leaf], key: key))
        for file in [try written(nil), try written(otherKey)] {
            let comparison = try compared(file, with: set, as: .wultra, certificates: [leaf], key: key)
            #expect(comparison.differences.map(\.code) == [.signature])
            guard case .write(let files) = comparison.outcome, let bytes = files.first?.bytes else {
                Issue.record("not written")
                continue
            }
            try expectEqual(compared(bytes, with: set, as: .wultra, certificates: [leaf], key: key))
        }
        // A signature stays if its fingerprint stays, also without the key. One by another key does not.
        #expect(try written(nil, signed) == signed)
        #expect(try written(key, signed) == signed)
        #expect(try written(key, written(otherKey)) != written(otherKey))
    }

    // MARK: Markers

    private func kotlin(_ before: String, _ after: String, inside: String? = nil) throws -> [UInt8] {
        let text = String(decoding: try set("any").written(as: .okhttp).main, as: UTF8.self)
        return Array("// a\n\(before)// pinctl:begin\n\(inside ?? text)// pinctl:end\n\(after)".utf8)
    }

    /// OkHttp uses every pinner of the program.
    @Test func pinsOutsideTheMarkers() throws {
        let set = try set("any")
        try expectEqual(compared(kotlin("", ""), with: set, as: .okhttp))
        func code(_ host: String, _ pin: String) -> String {
            "val b = CertificatePinner.Builder().add(\"\(host)\", \"\(pin)\").build()\n"
        }
        for (host, pin, codes) in [
            ("a.example.com", "sha256/\(Self.other)", [CopyDifference.Code.extraPin]),
            ("a.example.com", "sha1/KdmOqA1ye7FaDrQdVL229NInz0A=", [.readingLoss]),
            ("**.example.com", "sha256/\(Self.other)", [.extraPin]), ("b.example.com", "sha256/\(Self.other)", []),
            ("a.example.com", "sha256/\(Self.x1)", []),
        ] {
            let comparison = try compared(kotlin("", code(host, pin)), with: set, as: .okhttp)
            #expect(Set(comparison.differences.map(\.code)) == Set(codes), "\(host) \(comparison.differences)")
            if case .write = comparison.outcome { Issue.record("written") }
        }
    }

    /// Markers in a comment, where the text between them is not a part of the program, or where sync would replace the end of it.
    @Test(arguments: [
        ("/*\n", "*/\n"), ("/*\n * pinctl:begin\n */\n", "/*\n * pinctl:end\n */\n"),
    ])
    func markersInComments(before: String, after: String) throws {
        let set = try set("any")
        let text = String(decoding: try set.written(as: .okhttp).main, as: UTF8.self)
        let file = before.contains("pinctl") ? Array((before + text + after).utf8) : try kotlin(before, after)
        let comparison = try? compared(file, with: set, as: .okhttp)
        guard let comparison else { return }
        #expect(comparison.differences.map(\.code) == [.unreadable])
        guard case .refused = comparison.outcome else {
            Issue.record("written")
            return
        }
    }
}
