import Foundation
import TestSupport
import Testing
import XMLDocuments

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import PropertyLists
@testable import ServerPinFormats

/// Reading a file takes linear time: a file of eight times the size takes about eight times as long.
///
/// The measure is the processor time of the thread, which other processes do not increase. The ratio is about 8 if the work is
/// linear and 64 if it is quadratic. The limit of 30 is far from both.
@Suite(.notWithSanitizer) struct GrowthTests {
    enum Shape: String, CaseIterable, Sendable {
        case elements, depth, text, comments, attributes, entities, instructions, keys, strings, binary
        case appleHosts, applePins, trustkitHosts, trustkitPins, androidHosts, androidPins, androidBoth, androidUnknown
        // These files have parts that are not read, each with a warning that contains a line.
        case androidBadPins, appleBadPins, trustkitBadPins, trustkitConstants, trustkitExpressions, trustkitDictionaries
        case javaScriptBraces, javaScriptObjects, okhttpLoops, okhttpTemplates, okhttpUnknown
        case okhttpFailure, okhttpAliases, okhttpConstants, okhttpReceivers, okhttpChains
    }

    @Test(arguments: Shape.allCases) func isLinear(shape: Shape) {
        let size = 100
        Self.read(shape, Self.file(shape, size))
        let (small, large) = (Self.file(shape, size), Self.file(shape, size * 8))
        let growth = Work.growth(small: { Self.read(shape, small) }, large: { Self.read(shape, large) })
        #expect(growth < 30, "\(small.count) and \(large.count) bytes")
    }

    /// Every input must be valid, because a reader would reject an invalid one quickly.
    private static func read(_ shape: Shape, _ file: [UInt8]) {
        switch shape {
        case .elements, .depth, .text, .comments, .attributes, .entities, .instructions:
            #expect(throws: Never.self) { try XMLDocument(file, maximumDepth: .max) }
        case .keys, .strings, .binary: #expect(throws: Never.self) { try PropertyList(file) }
        case .appleHosts, .applePins: #expect(throws: Never.self) { try AppleFormat.read(file) }
        case .trustkitHosts, .trustkitPins: #expect(throws: Never.self) { try TrustKitFormat.read(file) }
        case .androidHosts, .androidPins, .androidBoth, .androidUnknown, .androidBadPins:
            #expect(throws: Never.self) { try AndroidFormat.read(file) }
        case .appleBadPins: #expect(throws: Never.self) { try AppleFormat.read(file) }
        case .trustkitBadPins, .trustkitConstants, .trustkitExpressions, .trustkitDictionaries:
            #expect(throws: Never.self) { try TrustKitFormat.read(file) }
        case .javaScriptBraces, .javaScriptObjects:
            #expect(throws: Never.self) { try ReactNativeFormat.read(file) }
        case .okhttpLoops, .okhttpTemplates, .okhttpUnknown, .okhttpFailure, .okhttpAliases, .okhttpConstants,
            .okhttpReceivers, .okhttpChains:
            #expect(throws: Never.self) { try OkHttpFormat.read(file) }
        }
    }

    /// The readers of Cronet, Flutter and aiohttp use these calls. The values are small and many, because a copy of all values for each
    /// constant takes little time for few constants.
    @Test(arguments: ["l0", "{a: l0}", "const <String>[l0]"]) func constantsInCallsTakeLinearTime(argument: String) {
        func work(_ count: Int) -> () -> Void {
            let lines = (0..<count).map { "const l\($0)=\"x\";f(\(argument.replacing("l0", with: "l\($0)")));\n" }
            let file = Array(lines.joined().utf8)
            return {
                var reader = SourceReader(file, language: .dart)
                let calls = reader.calls(of: "f")
                #expect(calls.count == count && reader.evaluations.count == count)
            }
        }
        #expect(Work.growth(small: work(1000), large: work(8000)) < Work.maximumGrowth)
    }

    /// All domains of an element have its pins, so a file can have many more pins than bytes.
    @Test func refusesTooManyPinsOfDomains() throws {
        let pins = (0..<400).map { "<pin digest='SHA-256'>\(Self.pin($0))</pin>" }.joined()
        func file(_ domains: Range<Int>, nested: Bool) -> [UInt8] {
            let names = domains.map { "<domain>h\($0).example</domain>" }
            let inner = nested ? names.map { "<domain-config>\($0)</domain-config>" } : names
            return Array(
                "<network-security-config><domain-config><domain>h.example</domain>\(nested ? "" : inner.joined())<pin-set>\(pins)</pin-set>\(nested ? inner.joined() : "")</domain-config></network-security-config>"
                    .utf8)
        }
        for nested in [false, true] {
            #expect(try AndroidFormat.read(file(0..<250, nested: nested)).set.entries.count == 251)
            let error = #expect(throws: PinSetFormatError.self) {
                try AndroidFormat.read(file(0..<251, nested: nested))
            }
            #expect(error?.reason == .android(.tooManyPins))
        }
    }

    private static func pin(_ number: Int) -> String { Pin(subjectPublicKeyInfo: Array("\(number)".utf8)).base64 }

    /// A file with `count` elements of the kind that the shape names.
    private static func file(_ shape: Shape, _ count: Int) -> [UInt8] {
        func many(_ part: (Int) -> String) -> String { (0..<count).map(part).joined() }
        func list(_ value: String) -> String { "<plist>\(value)</plist>" }
        func apple(_ hosts: String) -> String {
            list(
                "<dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>\(hosts)</dict></dict></dict>"
            )
        }
        func applePin(_ number: Int) -> String {
            "<dict><key>SPKI-SHA256-BASE64</key><string>\(pin(number))</string></dict>"
        }
        func trustkit(_ hosts: String) -> String {
            list(
                "<dict><key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict>\(hosts)</dict></dict></dict>")
        }
        func android(_ domains: String, _ pins: String, _ others: String = "") -> String {
            "<network-security-config><domain-config>\(domains)<pin-set>\(pins)</pin-set>\(others)"
                + "</domain-config></network-security-config>"
        }
        func androidPin(_ number: Int) -> String { "<pin digest='SHA-256'>\(pin(number))</pin>" }
        func domain(_ number: Int) -> String { "<domain>h\(number).example</domain>" }
        let text =
            switch shape {
            case .elements: "<a>" + many { "<b>\($0)</b>\n" } + "</a>"
            // Nesting deep enough to measure, but far below the limit of a thread's stack.
            case .depth:
                "<r>" + many { _ in String(repeating: "<a>", count: 50) + String(repeating: "</a>", count: 50) }
                    + "</r>"
            case .text: "<a>" + many { _ in "é]\r\n" } + "</a>"
            case .comments: "<a>" + many { _ in "<!-- - -->" } + "</a>"
            case .attributes: "<a" + many { " a\($0)='\($0)'" } + "/>"
            case .entities: "<a>" + many { _ in "&amp;&#x20;" } + "</a>"
            case .instructions: many { _ in "<?p ?>" } + "<a/>"
            case .keys: list("<dict>" + many { "<key>\($0)</key><true/>" } + "</dict>")
            case .strings: list("<array>" + many { "<!-- \($0) --><string>\($0)</string>" } + "</array>")
            case .binary: ""
            case .appleHosts:
                apple(
                    many { number in
                        "<key>h\(number).example</key><dict><key>NSPinnedCAIdentities</key><array>\(applePin(number))</array>"
                            + "</dict>"
                    })
            case .applePins:
                apple(
                    "<key>h.example</key><dict><key>NSPinnedCAIdentities</key><array>" + many(applePin)
                        + "</array></dict>")
            case .trustkitHosts:
                trustkit(
                    many { number in
                        "<key>h\(number).example</key><dict><key>TSKPublicKeyHashes</key><array>"
                            + "<string>\(pin(number))</string></array></dict>"
                    })
            case .trustkitPins:
                trustkit(
                    "<key>h.example</key><dict><key>TSKPublicKeyHashes</key><array>"
                        + many { "<string>\(pin($0))</string>" } + "</array></dict>")
            case .androidHosts: android(many(domain), androidPin(0))
            case .androidPins: android(domain(0), many(androidPin))
            case .androidBoth: android((0..<100).map(domain).joined(), many(androidPin))
            case .androidUnknown: android(many(domain), androidPin(0), many { "<other\($0 % 3)/><more\($0)/>" })
            case .androidBadPins: android(domain(0), many { "<pin digest='SHA-256'>\($0)</pin>\n" })
            case .appleBadPins:
                apple(
                    "<key>h.example</key><dict><key>NSPinnedCAIdentities</key><array>"
                        + many { "<dict><key>SPKI-SHA256-BASE64</key>\n<string>\($0)</string></dict>" }
                        + "</array></dict>")
            case .trustkitBadPins:
                trustkit(
                    "<key>h.example</key><dict><key>TSKPublicKeyHashes</key><array>"
                        + many { "<string>\($0)</string>\n" } + "</array></dict>")
            case .trustkitConstants:
                "let p = [\"\(pin(0))\"]\nkTSKPinnedDomains: ["
                    + many { "\"h\($0).example\": [kTSKPublicKeyHashes: p],\n" } + "]"
            case .trustkitExpressions:
                "kTSKPinnedDomains: [" + many { "\"h\($0).example\": [kTSKPublicKeyHashes: [f(\($0)), x]],\n" } + "]"
            case .trustkitDictionaries:
                many { "kTSKPinnedDomains: [\"h\($0).example\": [kTSKPublicKeyHashes: [\"\(pin($0))\"]]]\n" }
            case .javaScriptBraces:
                "const o = { 'h.example': { publicKeyHashes: ['\(pin(0))', '\(pin(1))'] } };\n"
                    + many { _ in "function f() { if (a) { b(\"x\"); " } + many { _ in "} }\n" }
            case .javaScriptObjects:
                many { "const o\($0) = { 'h\($0).example': { publicKeyHashes: ['\(pin($0))', x] } };\n" }
            case .okhttpLoops:
                "val p = listOf(\"sha256/\(pin(0))\")\n"
                    + many {
                        // A file can have at most 200 loops.
                        let pinning = "CertificatePinner.Builder().add(\"h\($0).example\", "
                        return $0 % 4 == 0 ? "for (q in p) { \(pinning)q) }\n" : "\(pinning)\"sha256/\(pin($0))\")\n"
                    }
            case .okhttpTemplates:
                "val p = \"\(pin(0))\"\n"
                    + many { "CertificatePinner.Builder().add(\"h\($0).example\", \"sha256/$p\")\n" }
            case .okhttpUnknown:
                "CertificatePinner.Builder().add(\"h.example\", \"sha256/\(pin(0))\")\n"
                    + many { "CertificatePinner.Builder().add(h\($0), if (a) \"sha256/\(pin($0))\" else c)\n" }
            case .okhttpFailure:
                "Certificate pinning failure!\n  Peer certificate chain:\n"
                    + many { "    sha256/\(pin($0)): CN=\($0)\n" }
                    + "  Pinned certificates for h.example:\n" + many { "    sha256/\(pin($0))\n" }
            case .okhttpAliases:
                "val p0 = \"sha256/\(pin(0))\"\n" + many { "val p\($0 + 1) = p\($0)\n" }
                    + "CertificatePinner.Builder().add(\"h.example\", p\(count))\n"
            case .okhttpConstants:
                many { "val p\($0) = \"sha256/\(pin($0))\"\n" }
                    + many { "CertificatePinner.Builder().add(\"h\($0).example\", p\($0))\n" }
            case .okhttpReceivers:
                "val b = CertificatePinner.Builder()\n"
                    + many {
                        "fun f\($0)(a: Pins, b\($0): Pins) = a.apply { if (x) { "
                            + "a.add(\"h\($0).example\", \"sha256/\(pin($0))\"); b.add(\"h.example\", \"sha256/\(pin($0))\")\n"
                    } + many { _ in "} }\n" }
            case .okhttpChains:
                "CertificatePinner.Builder().add(\"h.example\", \"sha256/\(pin(0))\")\nPins()"
                    + many { ".add(\"h\($0).example\", \"sha256/\(pin($0))\")" } + "\nPins()"
                    + many { _ in ".let { it" } + many { _ in ".add(\"a.example\", \"sha256/\(pin(0))\") }" }
            }
        guard shape == .binary else { return Array(text.utf8) }
        let value = PropertyListValue.array((0..<count).map { .string("\($0)") })
        return BinaryPropertyListWriter.bytes(of: value)
    }
}
