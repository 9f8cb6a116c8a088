import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Every reader accepts any bytes or reports an error.
@Suite struct FormatMutationTests {
    static let inputs = ConversionInputs(
        host: "h.example",
        names: Array("First\nsha256/\(OkHttpFormatTests.x1)\nPin2\nsha256/\(OkHttpFormatTests.x2)\n".utf8))

    static let seeds: [(PinSetFormat, String)] = [
        (
            .okhttp,
            """
            const val A = "sha256/\(OkHttpFormatTests.x1)" /* c */
            val p = CertificatePinner.Builder().add("*.e.example", A, *listOf("sha256/" + "\(OkHttpFormatTests.x2)").toTypedArray())
                .add("e.example", \"""sha256/\(OkHttpFormatTests.x1)\""") // label; backup
            """
        ),
        (
            .okhttp,
            """
            Certificate pinning failure!
              Peer certificate chain:
                sha256/\(OkHttpFormatTests.x2): CN=a
              Pinned certificates for h.example:
                sha256/\(OkHttpFormatTests.x1)
            """
        ),
        (
            .hpkp,
            "# h.example\nPublic-Key-Pins: pin-sha256=\"\(OkHttpFormatTests.x1)\"; max-age=5; report-uri=\"a;b\"\r\n x=y"
        ),
        (.curl, "# h.example\nsha256//\(OkHttpFormatTests.x1);sha256//\(OkHttpFormatTests.x2)\n"),
        (
            .tlsa,
            """
            $ORIGIN example.
            _443._tcp.h 60 IN TLSA ( 3 1 1 \(TextFormatTests.x1Hex) ) ; label
             TYPE52 \\# 35 020101\(TextFormatTests.x2Hex)
            """
        ),
        (.chromium, JSONFormatTests.chromium),
        (
            .reactNative,
            #"{"a.example":{"includeSubdomains":true,"publicKeyHashes":["\#(OkHttpFormatTests.x1)"],"expirationDate":"2027-06-01"}}"#
        ),
        (.reactNativeSSLManager, #"{"sha256Keys":{"a.example":["sha256/\#(OkHttpFormatTests.x1)"]}}"#),
        (
            .wultra,
            #"{"fingerprints":[{"name":"a.example","fingerprint":"\#(OkHttpFormatTests.x1)","expires":1,"signature":"AAAA"}]}"#
        ),
    ]

    /// Source code, in which text that the reader does not know is skipped.
    static let sources: [(PinSetFormat, String)] = [
        (
            .cronet,
            "val p = \"\(OkHttpFormatTests.x1)\"\nb.addPublicKeyPins(\"h.example\", setOf(pin(p), // x\n pin(\"\(OkHttpFormatTests.x2)\")), true, Date(1L))"
        ),
        (
            .urlsession,
            "let entries: [String: Entry] = [\"h.example\": Entry(subdomains: .one, expires: nil, enforce: true, pins: [Pin(sha256: \"\(OkHttpFormatTests.x1)\", role: .leaf), // x\n]),\n]"
        ),
        (
            .urlsession,
            "R(url: \"https://h.example/\", pin: [\"\(OkHttpFormatTests.x1)\"]) /* \"\(OkHttpFormatTests.x2)\" */"
        ),
    ]

    static let rounds = TestEnvironment.rounds(1_500)

    static let signs = Array("\"'(){}[]/*;=,.\\$+_\n".utf8)

    @Test(arguments: seeds) func acceptsOrRejectsAnyBytes(format: PinSetFormat, seed: String) {
        var generator = SeededGenerator(seed: 1945)
        var refused = 0
        for _ in 0..<Self.rounds {
            var bytes = Array(seed.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<max(1, bytes.count), using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0 where !bytes.isEmpty: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1 where !bytes.isEmpty: bytes.removeSubrange(place..<min(bytes.count, place + 3))
                case 2:
                    bytes.insert(
                        Self.signs[Int.random(in: 0..<Self.signs.count, using: &generator)], at: min(place, bytes.count)
                    )
                default:
                    bytes =
                        Array(bytes.prefix(place)) + bytes.suffix(Int.random(in: 0...bytes.count, using: &generator))
                }
            }
            _ = try? PinSet.read(bytes, with: Self.inputs)
            do throws(PinSetFormatError) {
                let reading = try PinSet.read(bytes, as: format, with: Self.inputs)
                for other in [PinSetFormat.pins, .okhttp, .tlsa, .cronet, .urlsession] {
                    _ = try? reading.set.written(as: other)
                }
            } catch {
                refused += 1
                #expect(!error.message.isEmpty && !error.message.hasSuffix(".") && error.hint != "")
            }
        }
        // A reader of source code skips text that it does not know, so most changes are accepted.
        #expect(refused > Self.rounds / 40)
    }

    @Test(arguments: sources) func readsOrRejectsAnyChangeOfSource(format: PinSetFormat, seed: String) {
        var generator = SeededGenerator(seed: 1969)
        var read = 0
        for _ in 0..<Self.rounds {
            var bytes = Array(seed.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                if Bool.random(using: &generator) {
                    bytes[place] = Self.signs[Int.random(in: 0..<Self.signs.count, using: &generator)]
                } else {
                    bytes.removeSubrange(place..<min(bytes.count, place + 3))
                }
            }
            _ = try? PinSet.read(bytes, with: Self.inputs)
            guard let reading = try? PinSet.read(bytes, as: format, with: Self.inputs) else { continue }
            read += 1
            // A pin is never made up.
            let known = [OkHttpFormatTests.x1, OkHttpFormatTests.x2].joined()
            for entry in reading.set.entries {
                for key in entry.pins where !known.contains(key.pin.base64) {
                    #expect(String(decoding: bytes, as: UTF8.self).contains(key.pin.base64.prefix(42)))
                }
            }
        }
        #expect(read > Self.rounds / 40)
    }

    /// Eight times the input takes about eight times the work; a reader with quadratic work would take 64 times as much.
    @Test(
        .notWithSanitizer,
        arguments: [
            (PinSetFormat.okhttp, "add(", 50_000), (.okhttp, "add(\"a\",*b,", 20_000), (.okhttp, "a=b+", 50_000),
            (.okhttp, "/* ", 100_000), (.okhttp, "\"\"\"", 100_001), (.okhttp, "((", 50_000), (.okhttp, "*", 200_000),
            (.okhttp, "a.", 100_000), (.okhttp, "a=a+a;", 50_000), (.okhttp, "x=listOf(x,x,\"\");", 20_000),
            (.okhttp, "CertificatePinner.Builder().add(\"a.example\",\"sha256/AA\"", 5_000),
            (.hpkp, "public-key-pins: pin-sha256=\n ", 20_000), (.hpkp, "Public-Key-Pins:\" pin-", 50_000),
            (.tlsa, "(", 200_000), (.tlsa, "a TLSA 3 1 1 00 ;\n", 30_000), (.curl, "sha256//;", 50_000),
            (.curl, "/pinnedpubkey ", 20_000), (.curl, "pinnedpubkey", 20_000), (.curl, "curl pinnedpubkey ; ", 20_000),
            (.curl, "# a\n", 100_000), (.chromium, "// \"\n", 100_000), (.chromium, "{\"a\":", 50_000),
            (.trustkit, "kTSKPinnedDomains: [", 50_000), (.trustkit, "kTSKPinnedDomains: [\"a\": b,", 30_000),
            (.trustkit, "a = [a, b]; ", 50_000), (.trustkit, "a = [\n", 100_000), (.trustkit, "/* ", 100_000),
            (.cronet, "addPublicKeyPins(", 50_000), (.cronet, "addPublicKeyPins(\"a\", p, true, d); p.add(x);", 10_000),
            (.cronet, "/* ", 100_000), (.cronet, "addPublicKeyPins(\"a\", setOf(", 20_000),
            (.urlsession, "[\"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\", ", 10_000),
            (.urlsession, "{ \"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\" ", 10_000),
            (.urlsession, "entries: [String: Entry] = [", 20_000), (.urlsession, "/* ", 100_000),
            (.reactNative, "const a = {b: ", 50_000), (.reactNative, "publicKeyHashes: [", 50_000),
            (.reactNative, "export {a(b){", 50_000), (.reactNative, "export `${a}` + ", 50_000),
            (.reactNativeSSLManager, "const sha256Keys = {a: ['", 50_000),
            (.reactNativeSSLManager, "require({[a]:", 50_000),
            (.okhttp, "for (a in b) ", 50_000), (.okhttp, "a.forEach { ", 50_000), (.okhttp, "a = b ? ", 50_000),
            (.okhttp, "a = if (b) ", 50_000), (.okhttp, "\"$a${b}\" + ", 50_000),
        ] as [(PinSetFormat, String, Int)])
    func readsLongInputWithLinearWork(format: PinSetFormat, piece: String, count: Int) {
        func read(_ count: Int) {
            let bytes = Array(String(repeating: piece, count: count).utf8)
            _ = try? PinSet.read(bytes, as: format, with: Self.inputs)
            _ = try? PinSetFormat.recognized(in: bytes)
        }
        let growth = Work.growth(small: { read(count / 32) }, large: { read(count / 4) })
        #expect(growth < 24)
    }
}
