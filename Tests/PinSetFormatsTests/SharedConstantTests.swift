import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Constants that many hosts of a source file use.
struct SharedConstantTests {
    enum Source: CaseIterable, Sendable {
        case trustkit, reactNative, reactNativeSSLManager, cronet, okhttp, expo

        var format: PinSetFormat {
            switch self {
            case .trustkit: .trustkit
            case .reactNative: .reactNative
            case .reactNativeSSLManager: .reactNativeSSLManager
            case .cronet: .cronet
            case .okhttp: .okhttp
            case .expo: .expo
            }
        }
    }

    private static func list(_ pins: Int, _ before: String = "\"", _ after: String = "\"") -> String {
        (0..<pins).map { before + Pin(subjectPublicKeyInfo: Array("\($0)".utf8)).base64 + after }
            .joined(separator: ", ")
    }

    /// Source code with one list of pins, which each host uses by its name.
    private static func file(_ source: Source, hosts: Int, pins: Int) -> [UInt8] {
        func many(_ separator: String, _ host: (String) -> String) -> String {
            (0..<hosts).map { host("h\($0).example") }.joined(separator: separator)
        }
        let text =
            switch source {
            case .trustkit:
                "let l = [\(list(pins))]\nlet c = [kTSKPinnedDomains: ["
                    + many(",\n") { "\"\($0)\": [kTSKPublicKeyHashes: l]" } + "]]\n"
            case .reactNative:
                "const l = [\(list(pins))];\ninitializeSslPinning({"
                    + many(",\n") { "\"\($0)\": {includeSubdomains: true, publicKeyHashes: l}" } + "});\n"
            case .reactNativeSSLManager:
                "const l = [\(list(pins, "\"sha256/"))];\nawait setSSLConfig({sha256Keys: {"
                    + many(",\n") { "\"\($0)\": l" } + "}});\n"
            case .cronet:
                "val l = setOf(\(list(pins)))\nval b = CronetEngine.Builder(c)"
                    + many("\n") { ".addPublicKeyPins(\"\($0)\", l, true, d)" }
            case .okhttp:
                "val l = arrayOf(\(list(pins, "\"sha256/")))\nval p = CertificatePinner.Builder()"
                    + many("\n") { ".add(\"\($0)\", *l)" } + ".build()\n"
            case .expo:
                "const l = [\(list(pins, "{'SPKI-SHA256-BASE64': '", "'}"))];\nexport default {NSPinnedDomains: {"
                    + many(",\n") { "\"\($0)\": {NSPinnedCAIdentities: l}" } + "}};\n"
            }
        return Array(text.utf8)
    }

    private static func read(_ source: Source, hosts: Int, pins: Int) throws -> PinSetReading {
        try PinSet.read(file(source, hosts: hosts, pins: pins), as: source.format, with: ConversionInputs())
    }

    @Test(arguments: Source.allCases, [(60, 20), (60, 100), (200, 20), (31, 700), (1000, 20)])
    func everyHostHasThePins(source: Source, size: (hosts: Int, pins: Int)) throws {
        let reading = try Self.read(source, hosts: size.hosts, pins: size.pins)
        #expect(reading.set.entries.count == size.hosts)
        #expect(reading.set.entries.allSatisfy { $0.pins.count == size.pins })
        let reasons = reading.warnings.map(\.reason).filter {
            switch $0 {
            case .valueNotLiteral, .unknownPin, .hostWithoutPins, .notRead: true
            default: false
            }
        }
        // The expiration date `d` of Cronet is no literal.
        #expect(reasons.count == (source == .cronet ? size.hosts : 0))
    }

    /// The error names the limit, and no host is left out with a warning.
    @Test(arguments: Source.allCases) func tooManyPinsAreAnError(source: Source) throws {
        #expect(try Self.read(source, hosts: 100, pins: 1000).set.entries.count == 100)
        let error = #expect(throws: PinSetFormatError.self) { try Self.read(source, hosts: 110, pins: 1000) }
        #expect(error?.message.contains("more than 100000 pins") == true)
    }

    /// Far beyond the limit, reading needs no memory or time for each use of each pin.
    @Test(.notWithSanitizer, arguments: Source.allCases) func manyUsesAreAnError(source: Source) throws {
        let time = Work.nanoseconds {
            #expect(throws: PinSetFormatError.self) { try Self.read(source, hosts: 10_000, pins: 10_000) }
        }
        #expect(time < 30_000_000_000)
    }

    /// Each use of a constant takes time for its text, as a pin or as the name of a host.
    @Test(arguments: Source.allCases.filter { $0 != .okhttp }) func longTextsAreAnError(source: Source) throws {
        let word = source == .trustkit ? "let" : source == .cronet ? "val" : "const"
        let text = "\(word) s = \"\(String(repeating: "x", count: 4000))\"\n"
        let (before, after) = source == .expo ? ("{'SPKI-SHA256-BASE64': s, x: '", "'}") : ("s, \"", "\"")
        func message(hosts: Int) -> String? {
            let file = String(decoding: Self.file(source, hosts: hosts, pins: 100), as: UTF8.self)
            let pins = Self.list(100, before, after)
            let old = source == .expo ? Self.list(100, "{'SPKI-SHA256-BASE64': '", "'}") : Self.list(100)
            let prefixed = Self.list(100, "\"sha256/")
            let bytes = Array((text + file.replacing(old, with: pins).replacing(prefixed, with: pins)).utf8)
            do {
                _ = try PinSet.read(bytes, as: source.format, with: ConversionInputs())
                return nil
            } catch {
                return error.message
            }
        }
        #expect(message(hosts: 2)?.contains("very long texts") != true)
        #expect(message(hosts: 60)?.contains("very long texts") == true)
    }

    @Test func longNamesOfHostsAreAnError() throws {
        func read(_ count: Int) throws {
            let sets = (0..<count).map { _ in "kTSKPinnedDomains: [s: [kTSKPublicKeyHashes: l]]" }
            let name = String(repeating: "x", count: 20_000)
            let text = "let l = [\(Self.list(2))]\nlet s = \"\(name)\"\nlet c = [\(sets.joined(separator: ", "))]\n"
            _ = try TrustKitFormat.read(Array(text.utf8))
        }
        let error = #expect(throws: PinSetFormatError.self) { try read(1000) }
        #expect(error?.message.contains("very long texts") == true)
        #expect(throws: Never.self) { try read(10) }
    }

    /// Each constant has the one before it twice, so the last one would have 2 to the power of 60 values.
    @Test(arguments: Source.allCases) func constantsOfConstantsEnd(source: Source) throws {
        let (open, close) =
            switch source {
            case .cronet: ("setOf(", ")")
            case .okhttp: ("arrayOf(*", ")")
            default: ("[", "]")
            }
        let word = source == .trustkit ? "let" : source == .cronet || source == .okhttp ? "val" : "const"
        var chain = "\(word) a0 = \(source == .okhttp ? "arrayOf(" : open)\"x\"\(close)\n"
        for index in 1..<60 {
            let spread = source == .okhttp ? "*" : ""
            chain += "\(word) a\(index) = \(open)a\(index - 1), \(spread)a\(index - 1)\(close)\n"
        }
        let text = String(decoding: Self.file(source, hosts: 3, pins: 2), as: UTF8.self)
        let use = source == .okhttp ? "*l)" : source == .cronet ? ", l," : ": l"
        let replaced = use.replacing("l", with: "a59")
        let bytes = Array((chain + text.replacing(use, with: replaced)).utf8)
        let time = Work.nanoseconds {
            _ = try? PinSet.read(bytes, as: source.format, with: ConversionInputs())
        }
        #expect(time < 10_000_000_000)
    }

    /// A constant inside a constant is read at any depth up to the maximum, also after it was too deep for another use.
    @Test func aConstantThatIsTooDeepForOneUseIsReadForAnother() throws {
        let text = """
            let l = [\(Self.list(2))]
            let host = [kTSKPublicKeyHashes: l]
            let deep = [[[[[[[[[[[[[[host]]]]]]]]]]]]]]
            let c = [kTSKPinnedDomains: ["a.example": deep, "b.example": host]]
            let d = [kTSKPinnedDomains: ["c.example": host]]
            """
        let reading = try TrustKitFormat.read(Array(text.utf8))
        #expect(reading.set.entries.map(\.host) == ["b.example", "c.example"])
        #expect(reading.set.entries.allSatisfy { $0.pins.count == 2 })
    }
}
