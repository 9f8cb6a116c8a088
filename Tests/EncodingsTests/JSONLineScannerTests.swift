import Encodings
import TestSupport
import Testing

/// Lines of an ndjson report, which the scanner accepts if Python reads them as an object.
@Suite struct JSONLineScannerTests {
    private static let line =
        #"{"target":"a:1","n":null,"empty":[],"o":{},"list":[1,-2.5E+3,[true,{"error":"x"}],"\\\" }{][,:\u00e9"],"error":{"a":[]}}"#

    private func scanned(_ text: String, pieces size: Int = .max, for key: String = "error") -> JSONLineScanner {
        var scanner = JSONLineScanner(for: key)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            #expect(scanner.scan(rest.prefix(size)) == nil)
            rest = rest.dropFirst(size)
        }
        return scanner
    }

    /// Whether Python's reader accepts each text, and returns an object. Foundation's accepts a comma before a bracket.
    private func areObjects(_ texts: [String]) throws -> [Bool] {
        let script = """
            import json, sys
            def is_object(text):
                try: return isinstance(json.loads(text), dict)
                except ValueError: return False
            print("".join(str(int(is_object(text))) for text in sys.stdin.read().split("\\0")))
            """
        let output = try ChildProcess.output(
            of: ["python3", "-c", script], input: Array(texts.joined(separator: "\0").utf8))
        return output.prefix(texts.count).map { $0 == UInt8(ascii: "1") }
    }

    @Test func acceptsAWholeLineInAnyPieces() throws {
        for size in 1...Self.line.utf8.count {
            let scanner = scanned(Self.line, pieces: size)
            #expect(scanner.isComplete && scanner.hasNeededKey)
        }
        let others = ["{}", " {\t\"a\" : [ 1 , 2 ] } \r", "{\"a\":1 }"]
        try #expect(areObjects([Self.line] + others) == [true, true, true, true])
        for text in others { #expect(scanned(text).isComplete, "\(text)") }
    }

    @Test func refusesAnIncompleteLine() {
        let line = Self.line
        for count in 0..<line.count {
            let start = String(line.prefix(count))
            #expect(!scanned(start).isComplete, "\(start)")
            #expect(scanned(start + line).isComplete == start.isEmpty, "\(start)")
        }
    }

    @Test(arguments: [
        "[]", "1", "\"a\"", "{}}", "{}{}", "{} x", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{\"a\":[1,]}",
        "{\"a\":[1}",
        "{\"a\":1]", "{\"a\":(1)}", "{\"a\" \"b\"}", "{\"a\":1 2}", "{a:1}", "{\"a\":\"\t\"}", "}",
        "{\"a\":\"b\"\"c\"}",
    ]) func refusesOtherTexts(text: String) throws {
        try #expect(areObjects([text]) == [false])
        #expect(!scanned(text).isComplete)
    }

    /// A line in which one byte is removed or replaced.
    @Test func agreesAboutADamagedLine() throws {
        let bytes = Array(
            #"{"target":"a:1","empty":[],"o":{},"list":["x",[{"error":"y"}],true],"error":{"a":[]}} "#.utf8)
        var damaged: [String] = []
        for index in bytes.indices {
            for replacement in ["", "\"", "{", "}", "[", "]", ",", ":", " "] {
                var text = bytes
                text.replaceSubrange(index...index, with: replacement.utf8)
                // The spelling of a value is not checked.
                if text.contains("true".utf8) { damaged.append(String(decoding: text, as: UTF8.self)) }
            }
        }
        let areObjects = try areObjects(damaged)
        #expect(areObjects.contains(true) && areObjects.count == damaged.count)
        for (text, isObject) in zip(damaged, areObjects) { #expect(scanned(text).isComplete == isObject, "\(text)") }
    }

    @Test func findsTheKeyOfTheOuterObjectOnly() {
        for (text, isFound) in [
            (#"{"error":null}"#, true), (#"{"a":"error"}"#, false), (#"{"a":{"error":1}}"#, false),
            (#"{"a":["error"]}"#, false), (#"{"errors":1}"#, false), (#"{"erro":1}"#, false),
            (#"{"\u0065rror":1}"#, false),
        ] {
            let scanner = scanned(text)
            #expect(scanner.isComplete && scanner.hasNeededKey == isFound, "\(text)")
        }
    }

    @Test func scansOneLineAfterAnother() {
        let lines = Array("{\"error\":1}\n{\n{\"a\":\"b\n\n{}".utf8)
        var scanner = JSONLineScanner(for: "error")
        var rest = lines[...]
        var found: [Bool] = []
        while let feed = scanner.scan(rest) {
            found.append(scanner.isComplete && scanner.hasNeededKey)
            rest = rest[(feed + 1)...]
            scanner.reset()
        }
        #expect(found == [true, false, false, false] && scanner.isComplete && !scanner.hasNeededKey)
    }

    @Test func deepNesting() {
        for (depth, isComplete) in [(64, true), (65, false)] {
            let open = String(repeating: "[", count: depth - 1)
            let text = "{\"a\":\(open)\(String(repeating: "]", count: depth - 1))}"
            #expect(scanned(text).isComplete == isComplete)
        }
    }
}
