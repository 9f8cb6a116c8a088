import Testing
import XMLDocuments

@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Rules of languages about comments and names that decide which code a compiler sees.
@Suite struct SourceLanguageTests: FormatSuite {
    private static let other = OkHttpFormatTests.x1

    // MARK: Java and Kotlin

    private static func okHttp(_ calls: String, isJava: Bool) -> String {
        let end = isJava ? ";\n}" : ""
        let start = isJava ? "class Net {\nstatic final CertificatePinner P = new" : "val p ="
        return
            "\(start) CertificatePinner.Builder()\n.add(\"a.example\", \"sha256/\(pin)\")\n\(calls)\n.build()\(end)\n"
    }

    private static var call: String { ".add(\"b.example\", \"sha256/\(other)\")" }

    /// The Java Language Specification, section 3.3: the escapes are replaced first. javac compiles each of these calls, or leaves it out.
    @Test(arguments: [
        #"/* \u002a/ CALL /* */"#, #"// x \u000a CALL"#, #"// x \u000D CALL"#, #"\u002f* CALL *\u002f"#,
        #"/\u002a CALL */"#, #".\u0061dd("b.example", "x")"#, #".\uuu0061dd("b.example", "x")"#,
        #".add("c.example\u0022, "sha256/x") CALL"#, #".add("c.example", "\u005c" CALL "#,
    ])
    func escapesThatChangeJava(code: String) throws {
        let calls = code.replacing("CALL", with: Self.call)
        let error = try error(Self.okHttp(calls, isJava: true), as: .okhttp)
        #expect(error.reason == .ambiguousSource(.unicodeEscape) && error.line == 4, "\(error)")
        #expect(error.hint == "write the character itself")
    }

    /// Escapes in names and texts, a second backslash, and a language without these rules.
    @Test(arguments: [
        ("// caf\\u00e9, \\u0022", true), ("// \\\\u000a", true), ("/* \"\\\\u002a/\" */", true),
        (".add(\"c.example\", \"\\\\u0022\")", true), ("// \\u002a \\u000a", false),
        (".add(\"c.example\", \"\\u0022\")", false),
    ])
    func otherEscapes(code: String, isJava: Bool) throws {
        let reading = try read(Self.okHttp("\(code)\n\(Self.call)", isJava: isJava), as: .okhttp)
        #expect(summary(reading) == ["a.example any \(Self.pin)", "b.example any \(Self.other)"])
    }

    /// Kotlin language specification, `QuotedSymbol`.
    @Test func namesInBackticks() throws {
        let call = Self.call.replacing(".add", with: ".`add`")
        let reading = try read(Self.okHttp(call + "\n// `", isJava: false), as: .okhttp)
        #expect(summary(reading) == ["a.example any \(Self.pin)", "b.example any \(Self.other)"])
        let cronet = try read(
            "builder.`addPublicKeyPins`(\"a.example\", setOf(`PIN`))\nval `PIN` = \"\(Self.pin)\"", as: .cronet)
        #expect(summary(cronet) == ["a.example any \(Self.pin)"])
    }

    /// In Java, the first `*/` ends a comment, and a further one would be a mistake.
    @Test(arguments: [
        ("/* /* */ CALL // */", true, nil as [String]?),
        ("/* /* */ CALL // */\n/** see /api/* */", true, ["a.example", "b.example"]),
        ("/** see /api/* */ CALL /* x */", true, ["a.example", "b.example"]),
        ("/* a /* b */ CALL */", true, ["a.example"]), ("/* /* */ CALL // */", false, ["a.example"]),
    ])
    func nestedComments(code: String, isJava: Bool, hosts: [String]?) throws {
        let calls = code.replacing("CALL", with: Self.call)
        let source = Self.okHttp(calls, isJava: isJava)
        guard let hosts else {
            let error = try error(source, as: .okhttp)
            return #expect(error.reason == .ambiguousSource(.nestedComment) && error.line == 4, "\(error)")
        }
        #expect(try read(source, as: .okhttp).set.entries.map(\.host) == hosts)
    }

    /// In Java, a backslash before the first of three quotation marks continues the string (The Java Language Specification, section
    /// 3.10.6). In Kotlin it has no meaning, and the last three of several quotation marks end the string (the Kotlin grammar,
    /// `TRIPLE_QUOTE_CLOSE`).
    @Test(arguments: [
        (##".a("""# x \""" y#""").b("""#\"""#""")CALL"##, true, false), (##".a("""# x \\""")CALL"##, true, true),
        (##".a("""# x \"\"\" y#""")CALL"##, true, true), (##".a("""C:\""")CALL"##, false, true),
        (##".a("""say "hi"""")CALL"##, false, true), (##".a("""#""")CALL"##, true, true),
    ])
    func quotationMarksAfterABackslash(code: String, isJava: Bool, isRead: Bool) throws {
        let calls = code.replacing("#", with: "\n").replacing("CALL", with: Self.call)
        let source = Self.okHttp(calls, isJava: isJava)
        let cronet =
            "x\(calls)\nb.addPublicKeyPins(\"b.example\", setOf(\"\(Self.pin)\"), true, date)\(isJava ? ";" : "")"
        guard isRead else {
            #expect(try error(source, as: .okhttp).reason == .ambiguousSource(.escapedDelimiter))
            #expect(try error(cronet, as: .cronet).reason == .ambiguousSource(.escapedDelimiter))
            return
        }
        #expect(try read(source, as: .okhttp).set.entries.map(\.host) == ["a.example", "b.example"])
        #expect(try read(cronet, as: .cronet).set.entries.map(\.host) == ["b.example"])
    }

    /// One escape hides the rest of the file, with the semicolons that show Java.
    @Test func anEscapeThatHidesTheSemicolons() throws {
        let file =
            "class A { String s = \"\"\"\n x \\\"\"\" y \"\"\"; CertificatePinner p = new CertificatePinner.Builder()\(Self.call); }"
        #expect(try error(file, as: .okhttp).reason == .ambiguousSource(.escapedDelimiter))
    }

    /// Neither compiler accepts such a file, and the code after the start would be missing.
    @Test(arguments: ["/* CALL", "s(\"\"\" CALL", "/* /* */ CALL"], [true, false])
    func commentsAndStringsThatDoNotEnd(code: String, isJava: Bool) throws {
        let source = Self.okHttp(code.replacing("CALL", with: Self.call), isJava: isJava)
        guard !code.contains("/* /*") else {
            // In Java, the first "*/" ends the comment.
            return #expect(try read(source, as: .okhttp).set.entries.map(\.host) == ["a.example", "b.example"])
        }
        let error = try error(source, as: .okhttp)
        #expect(error.reason == .ambiguousSource(.unclosed) && error.line == (isJava ? 4 : 3), "\(error)")
        let cronet = "b.addPublicKeyPins(\"b.example\", setOf(\"\(Self.pin)\"), true, date)\n\(code)"
        #expect(try self.error(cronet, as: .cronet).reason == .ambiguousSource(.unclosed))
    }

    /// javac leaves these characters out: each is a call of `add`.
    @Test(arguments: ["a\u{AD}dd", "a\u{1}dd", "a\u{200B}dd", "add\u{FEFF}", "\u{7F}add", "ad\u{E0001}d"])
    func charactersThatJavaIgnores(name: String) throws {
        let call = Self.call.replacing("add", with: name)
        let error = try error(Self.okHttp(call, isJava: true), as: .okhttp)
        #expect(error.reason == .ambiguousSource(.ignoredCharacter) && error.line == 4, "\(error)")
        let harmless = "\u{FEFF}// \(name)\n" + Self.okHttp("", isJava: true)
        #expect(try read(harmless, as: .okhttp).set.entries.count == 1)
    }

    // MARK: Line ends

    /// Each of these languages ends a line at a single CR, and JavaScript also at U+2028 and U+2029.
    @Test func singleCharactersThatEndALine() throws {
        for isJava in [true, false] {
            let source = Self.okHttp("// a\r\(Self.call)", isJava: isJava)
            #expect(try read(source, as: .okhttp).set.entries.map(\.host) == ["a.example", "b.example"])
        }
        let cronet = "// a\rb.addPublicKeyPins(\"a.example\", setOf(\"\(Self.pin)\"), true, date)"
        #expect(try read(cronet, as: .cronet).set.entries.count == 1)
        let third = Pin(digest: [UInt8](repeating: 1, count: 32))?.base64 ?? ""
        let objectiveC = Self.trustKit("// a\r@\"\(third)\",")
        #expect(try TrustKitFormat.read(Array(objectiveC.utf8)).set.entries.first?.pins.count == 3)
        for end in ["\r", "\u{2028}", "\u{2029}", "\n"] {
            let script =
                "initializeSslPinning({ 'a.example': { publicKeyHashes: ['\(Self.pin)', // a\(end)'\(Self.other)'] } });"
            #expect(try read(script, as: .reactNative).set.entries.first?.pins.count == 2, "\(script)")
        }
    }

    @Test func ambiguousCallsOfCronet() throws {
        let call = "b.addPublicKeyPins(\"a.example\", setOf(\"\(Self.pin)\"), true, date);"
        #expect(try error("/* \\u002a/ \(call)", as: .cronet).reason == .ambiguousSource(.unicodeEscape))
        #expect(try error("/* /* */ \(call) // */\n\(call)", as: .cronet).reason == .ambiguousSource(.nestedComment))
        #expect(try read("/* /* \(call) */ */\n\(call)", as: .cronet).set.entries.count == 1)
    }

    // MARK: Objective-C, JavaScript and Dart

    private static func trustKit(_ third: String) -> String {
        "NSDictionary *c = @{ kTSKPinnedDomains: @{ @\"a.example\": @{ kTSKPublicKeyHashes: @[ @\"\(pin)\", @\"\(other)\",\n"
            + "\(third)\n] } } };"
    }

    /// ISO C11, section 5.1.1.2: lines are joined before comments are found. gcc -E shows the same code.
    @Test(arguments: [
        ("// \\\\srv\\pins\\\n@\"THIRD\",", 2), ("// a \\ \t\r\n@\"THIRD\",", 2), ("// a\n@\"THIRD\",", 3),
        ("/* /* */ @\"THIRD\", // */", 3),
    ])
    func commentsOfObjectiveC(code: String, pins: Int) throws {
        let third = Pin(digest: [UInt8](repeating: 1, count: 32))?.base64 ?? ""
        let reading = try TrustKitFormat.read(Array(Self.trustKit(code.replacing("THIRD", with: third)).utf8))
        #expect(reading.set.entries.first?.pins.count == pins && reading.warnings.isEmpty, "\(reading)")
    }

    /// Swift has no such rule, and its comments can be nested.
    @Test func commentsOfSwift() throws {
        let text = """
            kTSKPinnedDomains: ["a.example": [kTSKPublicKeyHashes: [/* /* */ "AAAA", // */
            "\(Self.pin)", // \\
            "\(Self.other)"]]]
            """
        let reading = try TrustKitFormat.read(Array(text.utf8))
        #expect(reading.set.entries.first?.pins.count == 2 && reading.warnings.isEmpty, "\(reading)")
    }

    /// ECMAScript, section 12.4: the first `*/` ends a comment. Dart language specification, "Comments": they can be nested.
    @Test func commentsOfJavaScriptAndDart() throws {
        let script =
            "initializeSslPinning({ 'a.example': { publicKeyHashes: [/* /* */ '\(Self.pin)', // */\n'\(Self.other)'] } });"
        #expect(try read(script, as: .reactNative).set.entries.first?.pins.count == 2)
        let dart = "const pins = [/* /* */ '\(Self.pin)', */ 'sha256/\(Self.other)'];"
        let reading = try? read(dart, as: .flutter, host: "a.example")
        #expect(
            reading?.set.entries.first?.pins.contains { $0.pin.base64 == Self.pin } != true,
            "\(String(describing: reading))")
    }

    // MARK: Regular expressions and escapes of JavaScript, divided words of Objective-C

    private static func reactNative(_ code: String) -> String {
        "let H = \"\(other)\";\n\(code)\n"
            + "initializeSslPinning({ 'a.example': { publicKeyHashes: ['\(pin)', H] } });\n"
    }

    /// ECMAScript, sections 12.7 and 12.9.5. node prints the other value in each case.
    @Test(arguments: [
        #"let r = /[/"]/; H = "X"; let s = /"/;"#, #"let r = [/\/"/g, /[\]/`]/]; H = "X"; let s = /`/;"#,
        #"if (a) /"/.test(b); H = "X"; c = "/\"";"#, #"f(() => { return /"/ }); H = "X"; c = /"/;"#,
        #"a = !/"/.test(b); H = "X"; c = !/"/.test(b);"#, #"a = b ? /"/ : c; H = "X"; d = b ? /"/ : c;"#,
        #"\u0048 = "X";"#, #"\u{48} = "X";"#, #"\u{000048} = "X";"#,
    ])
    func otherValuesInJavaScript(code: String) throws {
        let third = Pin(digest: [UInt8](repeating: 1, count: 32))?.base64 ?? ""
        let reading = try read(Self.reactNative(code.replacing("X", with: third)), as: .reactNative)
        #expect(reading.set.entries.first?.pins.map(\.pin.base64) == [Self.pin], "\(reading)")
        #expect(!reading.warnings.isEmpty)
    }

    /// Quotes in regular expressions, divisions, elements of JSX, and escapes that are no names.
    @Test(arguments: [
        #"const r = /`/;"#, #"const r = /[`/]/gi.test(a);"#, #"f(/'/, /\/"/);"#, "if (a) /`/.test(b);",
        #"const a = b / c; const d = "/";"#, #"const a = (b) / 2 + c[0] / 2; const d = "/";"#,
        #"a++ / 2; const d = "/";"#, #"const a = 1. / 2; const d = "/";"#, #"const a = b.in / 2; const d = "/";"#,
        #"const a = b! / 2; const d = "/";"#, #"const a = <T>b</T>; const d = "/";"#,
        #"const a = <T b={c} />; const d = "/";"#, "const a = / b;", "const a = /[/;", #"const a = /b\"#,
        "const a = /b\u{2028}const c = 1;", #"const \u0041 = "AAAA";"#, #"const caf\u00e9 = "AAAA";"#,
        #"const a = "\u0048";"#, #"// \u0048 = "AAAA""#, #"\u; \u{; \u{110000}; \u12"#,
    ])
    func sameValuesInJavaScript(code: String) throws {
        let reading = try read(Self.reactNative(code), as: .reactNative)
        #expect(reading.set.entries.first?.pins.map(\.pin.base64) == [Self.pin, Self.other], "\(reading)")
        #expect(reading.warnings.isEmpty, "\(reading)")
    }

    @Test(arguments: [
        (#"/[/"]/ a"#, 2), ("/`/ a", 2), (#"/[\]/]"/gu"#, 1), ("a / b / c", 5), ("return /b/", 2),
        ("a.return / b / c", 7),
        ("if (a) /b/", 5), ("(a) / b / c", 7), ("} / b / c", 5), ("</A>", 4), ("a = /b", 4), ("...[/b/]", 6),
        ("/a\nb/", 4), ("/a/\u{2028}b", 2),
    ])
    func tokensOfRegularExpressions(code: String, count: Int) {
        #expect(SourceText(Array(code.utf8), language: .javaScript).tokens.count == count)
    }

    /// The time is linear in the size of the text.
    @Test(arguments: ["=/[", "</a", "=/\\", "\\u{0", "\\u", "(/", "=/a/"])
    func longLinesOfJavaScript(code: String) {
        let bytes = Array(String(repeating: code, count: 100_000).utf8)
        #expect(!SourceText(bytes, language: .javaScript).tokens.isEmpty)
        var reader = LiteralReader(bytes, format: .reactNative, language: .javaScript)
        let values = try? reader.values(of: "publicKeyHashes")
        #expect(values == nil)
    }

    /// ISO C11, section 5.1.1.2. clang sees the name of the constant, or the directive.
    @Test(arguments: [
        "HA\\\nSH = @\"X\";", "#und\\\nef HASH", "HA\\ \t\u{b}\u{c}\r\nSH = @\"X\";", "HA\\\rSH = @\"X\";",
        "HA\\\n\\\nSH = @\"X\";",
    ])
    func dividedNames(code: String) {
        let error = #expect(throws: PinSetFormatError.self) {
            try TrustKitFormat.read(Array("NSString *a;\n\(code)\n\(Self.trustKit(""))".utf8))
        }
        #expect(error?.reason == .literal(.dividedName) && error?.line == 2, "\(String(describing: error))")
        #expect(error?.hint == "write the word on one line")
    }

    @Test(arguments: [
        "#define F(a) \\\n  g(a); \\\n  h(a)", "#define F(a) g(a);\\\nh(a)", "// C:\\pins\\ x\n", "// a\\\n @\"AAAA\"",
        "@\"a\\n\";", "\\", "a\\", "a\\\n",
    ])
    func otherBackslashes(code: String) throws {
        let reading = try TrustKitFormat.read(Array("\(Self.trustKit(""))\(code)".utf8))
        #expect(reading.set.entries.first?.pins.count == 2 && reading.warnings.isEmpty, "\(reading)")
    }

    /// clang skips vertical tabs and form feeds after the backslash, too.
    @Test(arguments: ["\u{b}\n", "\u{c}\n", "\u{b} \u{c}\r\n", "\r"])
    func commentsThatABackslashContinues(end: String) throws {
        let third = Pin(digest: [UInt8](repeating: 1, count: 32))?.base64 ?? ""
        let text = Self.trustKit("// x \\\(end)@\"\(third)\",")
        #expect(try TrustKitFormat.read(Array(text.utf8)).set.entries.first?.pins.count == 2)
    }

    // MARK: Python

    private static func python(_ code: String) -> String {
        "\(code)import aiohttp\nFP = bytes.fromhex(\"\(hex)\")\ns.get(\"https://a.example\", ssl=aiohttp.Fingerprint(FP))\n"
    }

    /// PEP 263: a comment in line 1 or 2 names the encoding, in which Python reads other code.
    @Test(arguments: [
        ("# -*- coding: unicode_escape -*-\n", 1), ("#!/usr/bin/python3\n\u{C} # vim: set fileencoding=utf-7 :\n", 2),
        ("\u{FEFF}# coding:\tUTF_7\n", 1), ("# a\r# coding=raw_unicode_escape\n", 1),
        ("# coding Coding: utf-8 coding: cp037\n", 1), ("# coding: us-ascii\n# größe\n", 1),
    ])
    func encodingsOfPython(code: String, line: Int) throws {
        let error = try error(Self.python(code), as: .aiohttp)
        #expect(error.reason == .ambiguousSource(.encoding) && error.line == line, "\(error)")
        #expect(error.hint == "use UTF-8")
    }

    /// The Python Language Reference, section 2.3: Python compares names after NFKC.
    @Test(arguments: ["\u{FF26}\u{FF30}", "F\u{1D40F}", "\u{FF26}P"])
    func namesThatPythonReplaces(name: String) throws {
        let error = try error(Self.python("\n\(name) = b'x'\n"), as: .aiohttp)
        #expect(error.reason == .ambiguousSource(.compatibleName) && error.line == 2, "\(error)")
        #expect(error.hint == "write the name in its usual characters")
    }

    /// UTF-8, declarations after line 2 or in another line than a comment, and names that NFKC does not change.
    @Test(arguments: [
        "# -*- coding: utf-8 -*-\n", "# coding: UTF_8\n", "# coding: us-ascii\n", "\u{FEFF}",
        "\u{FEFF}# coding: utf8\n", "\n\n# coding: utf-7\n", "x = 1 # coding: utf-7\n",
        "# coding: utf-8 coding: utf-7\n", "# Coding: utf-7\n",
        "größe = Éa = 名前 = Ως = 1\n", "# \u{FF26}\n", "x = '\u{FF26}'\n",
    ])
    func otherTextsOfPython(code: String) throws {
        #expect(try error(Self.python(code), as: .aiohttp).need == .certificates, "\(code)")
    }

    // MARK: Names of XML

    /// Android compares the names without their prefixes (XmlConfigSource.java, `parser.getName()`).
    @Test(arguments: [
        "<@pin digest=\"SHA-256\">\(other)</@pin>", "<@pin>\(other)</@pin>", "</pin-set><@pin-set/>",
        "<@other/></pin-set>",
        "</pin-set><@trust-anchors><@certificates src=\"user\" overridePins=\"true\"/></@trust-anchors>",
        "</pin-set></domain-config><@domain-config><@domain>b.example</@domain></@domain-config>",
    ])
    func prefixesOfAndroid(code: String) throws {
        func file(_ prefix: String) -> String {
            let root = "\(prefix)network-security-config"
            let end = ["</pin-set>", "</domain-config>"].map { code.contains($0) ? "" : $0 }.joined()
            return "<\(root) xmlns:x=\"urn:x\"><domain-config><domain>a.example</domain><pin-set>"
                + "<pin digest=\"SHA-256\">\(Self.pin)</pin>\(code.replacing("@", with: prefix))\(end)</\(root)>"
        }
        func described(_ prefix: String) -> String {
            do {
                let reading = try read(file(prefix), as: .android)
                return "\(summary(reading)) \(reading.warnings.map(\.message))"
            } catch {
                return "\(error)"
            }
        }
        func model(_ prefix: String) throws -> String {
            var reader = AndroidModelReader(try XMLDocument(Array(file(prefix).utf8)))
            do {
                try reader.read()
                return
                    "\(reader.domains.map { "\($0.name) \($0.pins.map(\.base64).sorted()) \($0.hasOverridingAnchors)" })"
            } catch {
                return error.message
            }
        }
        func withoutPrefix(_ text: String) -> String {
            text.replacing("x:", with: "").replacing(/1:\d+/, with: "")
        }
        #expect(withoutPrefix(described("x:")) == withoutPrefix(described("")))
        #expect(try withoutPrefix(model("x:")) == model(""))
        #expect(try PinSetFormat.recognized(in: Array(file("x:").utf8)) == .android)
    }
}
