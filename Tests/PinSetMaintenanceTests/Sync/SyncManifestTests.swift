import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

@Suite struct SyncManifestTests {
    private func read(_ text: String) throws(SyncManifestError) -> SyncManifest {
        try SyncManifest(json: Array(text.utf8))
    }

    @Test func readsEveryKey() throws {
        let manifest = try read(
            """
            { "version": 1, "set": "a/pins.json", "copies": [
              { "file": "x.xml" },
              { "file": "y", "format": "alamofire", "hosts": ["a.example"], "certificates": ["certs"], "sign": "k.pem",
                "others": "keep", "overwrite": true, "hots": 1 } ], "comment": "" }
            """)
        #expect(manifest.set == "a/pins.json")
        #expect(manifest.copies.map(\.file) == ["x.xml", "y"])
        #expect(manifest.copies.map(\.format) == [nil, .alamofire])
        #expect(manifest.copies.map(\.hosts) == [[], ["a.example"]])
        #expect(manifest.copies.map(\.others) == [.removed, .kept])
        #expect(manifest.copies.map(\.overwrites) == [false, true])
        #expect(manifest.copies.map(\.certificates) == [[], ["certs"]])
        #expect(manifest.copies.map(\.signingKey) == [nil, "k.pem"])
        #expect(manifest.unknownKeys.map(\.key) == ["comment", "hots"])
        #expect(manifest.unknownKeys.map(\.position.line) == [4, 4])
    }

    @Test(arguments: [
        ("", 1, 1, "expected a value, found the end of the text"),
        ("[]", 1, 1, "the manifest is an array, expected an object"),
        (#"{"set":"a","copies":[]}"#, 1, 1, #"the manifest has no "version""#),
        (#"{"version":2}"#, 1, 12, "the version of the manifest is 2, expected 1"),
        // A number of this length can be a key, of which only the start is shown.
        (
            "{\"version\":\(String(repeating: "2", count: 99))}", 1, 12,
            "the version of the manifest is 2222…, expected 1"
        ),
        (#"{"version":"1"}"#, 1, 12, #""version" is a string, expected the number 1"#),
        (#"{"version":1,"copies":[]}"#, 1, 1, #"the manifest has no "set""#),
        (#"{"version":1,"set":"","copies":[]}"#, 1, 20, #""set" is empty"#),
        (#"{"version":1,"set":"a"}"#, 1, 1, #"the manifest has no "copies""#),
        (#"{"version":1,"set":"a","copies":{}}"#, 1, 33, #""copies" is an object, expected an array"#),
        (#"{"version":1,"set":"a","copies":[]}"#, 1, 33, "\"copies\" is empty, expected at least one copy"),
        (#"{"version":1,"set":"a","copies":[{"file":"b","hosts":[]}]}"#, 1, 54, #""hosts" is empty"#),
        (#"{"version":1,"set":"a","copies":["b"]}"#, 1, 34, "a copy is a string, expected an object"),
        ("{\"version\":1,\"set\":\"a\",\"copies\":[\n{}]}", 2, 1, #"a copy has no "file""#),
        (
            #"{"version":1,"set":"a","copies":[{"file":"b","format":"ios"}]}"#, 1, 55,
            #""format" is "ios", which is unknown"#
        ),
        (
            #"{"version":1,"set":"a","copies":[{"file":"b","hosts":"c"}]}"#, 1, 54,
            #""hosts" is a string, expected an array"#
        ),
        (
            #"{"version":1,"set":"a","copies":[{"file":"b","overwrite":1}]}"#, 1, 58,
            #""overwrite" is a number, expected true or false"#
        ),
        (
            "{\"version\":1,\"set\":\"a\",\"copies\":[{\"file\":\"b\"},\n{\"file\":\"b\"}]}", 2, 1,
            #"the file "b" is listed twice: first on line 1"#
        ),
    ])
    func reportsErrorsWithPositions(text: String, line: Int, column: Int, message: String) {
        do throws(SyncManifestError) {
            _ = try read(text)
            Issue.record("accepted")
        } catch {
            #expect(error.message == message)
            #expect(error.position == SourcePosition(line: line, column: column))
        }
    }

    /// An `Info.plist` can have Apple's pins and TrustKit's.
    @Test func allowsTwoFormatsInOneFile() throws {
        let manifest = try read(
            #"{"version":1,"set":"a","copies":[{"file":"b","format":"apple"},{"file":"b","format":"trustkit"}]}"#)
        #expect(manifest.copies.count == 2)
    }

    @Test(.notWithSanitizer) func manyCopiesTakeLinearTime() throws {
        func manifest(_ count: Int) -> String {
            let copies = (0..<count).map { #"{"file":"a/folder/of/the/repository/\#($0).kt","format":"okhttp"}"# }
            return #"{"version":1,"set":"a","copies":[\#(copies.joined(separator: ","))]}"#
        }
        let (few, many) = (manifest(100), manifest(800))
        let growth = try Work.growth {
            _ = try read(few)
        } large: {
            _ = try read(many)
        }
        #expect(growth < 20)
    }

    @Test func acceptsOrRejectsAnyBytes() {
        var generator = SeededGenerator(seed: 5)
        let seed = Array(
            #"{"version":1,"set":"a","copies":[{"file":"b","format":"apple","hosts":["c"],"others":"keep"}]}"#.utf8)
        var refused = 0
        for _ in 0..<TestEnvironment.rounds(5_000) {
            let bytes = generator.damaged(seed, words: ["{", "}", "[", "]", "\"", ",", ":", "null", "1"])
            do throws(SyncManifestError) {
                _ = try SyncManifest(json: bytes)
            } catch {
                refused += 1
                #expect(!error.message.isEmpty)
            }
        }
        #expect(refused > TestEnvironment.rounds(1_000))
    }
}
