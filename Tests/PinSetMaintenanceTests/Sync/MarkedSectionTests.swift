import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// The sections of source files that pinctl writes.
@Suite struct MarkedSectionTests: CopySuite {
    @Test(arguments: ["\n", "\r\n"]) func changesOnlyMarkedSection(lineEnd: String) throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        let before = "package app\nimport okhttp3.CertificatePinner\n\nobject Net {\n    /* pinctl:begin */\n"
            .replacing("\n", with: lineEnd)
        // The comparison ignores pins outside the markers.
        let after = "    /* pinctl:end */\n    val other = \"sha256/\(Self.x2)\"\n}\n".replacing("\n", with: lineEnd)
        var copy = CopyFolder(main: Array((before + "    val old = 1" + lineEnd + after).utf8))
        let comparison = try copy.compared(with: set, as: .okhttp)
        #expect(comparison.differences.map(\.code) == [.unreadable])
        try copy.write(comparison)
        let text = String(decoding: copy.main ?? [], as: UTF8.self)
        #expect(text.hasPrefix(before) && text.hasSuffix(after))
        let inner = text.dropFirst(before.count).dropLast(after.count)
        #expect(!inner.contains("import") && !inner.contains("old"))
        #expect(inner.split(separator: lineEnd).allSatisfy { $0.hasPrefix("    ") })
        expectEqual(try copy.compared(with: set, as: .okhttp))
    }

    /// The program would not compile with a declaration in the place of a part of an expression.
    @Test(arguments: [
        ("val p = CertificatePinner.Builder()\n", ".add(\"a.example\", \"sha256/%\")\n", ".build()\n"),
        ("val p = CertificatePinner.Builder()\n", ".add(\"a.example\", \"sha256/%\")\n.build()\n", ""),
        ("val p =\n", "CertificatePinner.Builder().add(\"a.example\", \"sha256/%\").build()\n", ""),
        ("val p = CertificatePinner.Builder().add(\"a.example\",\n", "\"sha256/%\"\n", ").build()\n"),
        (
            "client.certificatePinner(\n", "CertificatePinner.Builder().add(\"a.example\", \"sha256/%\").build()\n",
            ")\n"
        ),
        ("fun f() {\n", "val p = CertificatePinner.Builder().add(\"a.example\", \"sha256/%\").build()\n}\n", ""),
    ])
    func replacesOnlyWholeDeclarations(before: String, inside: String, after: String) throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        let begin = before + "// pinctl:begin\n"
        let end = "// pinctl:end\n" + after
        let text = begin + inside.replacing("%", with: Self.x2) + end
        let comparison = try CopyFolder(main: Array(text.utf8)).compared(with: set, as: .okhttp)
        #expect(!comparison.differences.isEmpty)
        guard case .refused(let error) = comparison.outcome, case .sectionInExpression = error else {
            Issue.record("\(comparison.outcome)")
            return
        }
        #expect(error.hint?.contains("whole declaration") == true)
        // An earlier version wrote declarations there.
        guard inside.hasPrefix(".") || before.hasSuffix("=\n") else { return }
        let generated = GeneratedSource(try set.written(as: .okhttp).main).body.joined(separator: "\n") + "\n"
        let written = try CopyFolder(main: Array((begin + generated + end).utf8)).compared(with: set, as: .okhttp)
        let isBroken = before.hasSuffix("=\n") || !after.isEmpty
        #expect(written.differences.map(\.code) == (isBroken ? [.unreadable] : []))
    }

    /// An expression would become a declaration, which has no value, or a call of a builder would go.
    @Test(arguments: [
        ("val p by lazy {\n", "CertificatePinner.Builder().add(\"a.example\", \"sha256/%\").build()\n", "}\n"),
        ("val b = CertificatePinner.Builder().apply {\n", "add(\"a.example\", \"sha256/%\")\n", "}\n"),
        (
            "val p = run {\n",
            "val b = CertificatePinner.Builder()\nb.add(\"a.example\", \"sha256/%\")\nb.build()\n", "}\n"
        ),
        ("fun f(): Any {\n", "return CertificatePinner.Builder().add(\"a.example\", \"sha256/%\").build()\n", "}\n"),
        (
            "list.map { x ->\n",
            "@Suppress(\"x\") CertificatePinner.Builder().add(\"a.example\", \"sha256/%\").build()\n",
            "}\n"
        ),
        ("", "import okhttp3.*\nval p = CertificatePinner.Builder().add(\"a.example\", \"sha256/%\").build()\n", ""),
        ("", "package app\nval p = CertificatePinner.Builder().add(\"a.example\", \"sha256/%\").build()\n", ""),
        (
            "",
            "@file:JvmName(\"N\")\nval p = CertificatePinner.Builder().add(\"a.example\", \"sha256/%\").build()\n", ""
        ),
        ("", "val p = CertificatePinner.Builder().add(\"a.example\", \"sha256/%\").build()\nprivate\n", "val a = 1\n"),
    ])
    func replacesOnlyDeclarations(before: String, inside: String, after: String) throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        let text = before + "// pinctl:begin\n" + inside + "// pinctl:end\n" + after
        let file = CopyFolder(main: Array(text.replacing("%", with: Self.x2).utf8))
        guard case .refused(.sectionNotDeclarations(let line)) = try file.compared(with: set, as: .okhttp).outcome
        else {
            Issue.record("written")
            return
        }
        #expect(line == before.count { $0 == "\n" } + 2)
        // The section can still be compared.
        expectEqual(
            try CopyFolder(main: Array(text.replacing("%", with: Self.x1).utf8)).compared(with: set, as: .okhttp))
    }

    /// A comment or a string would lose one of its ends.
    @Test(arguments: [
        ("", "/*\n", " note */\nval z = 1\n", 4), ("", "/* /* */\n", " note */\n", 4), ("", "/** a\n", " */\n", 4),
        ("", "val a = \"\"\"\n", "\"\"\"\n", 4), ("/*\n", "*/\n", "", 2), ("val a = \"\"\"\n", "\"\"\"\n", "", 2),
        ("", "// /*\n", "", nil), ("", "/* a\n */\n", "", nil), ("val a = \"/*\"\n", "", "", nil),
    ])
    func replacesNoPartOfAComment(before: String, inside: String, after: String, line: Int?) throws {
        let pinner = "val p = CertificatePinner.Builder().add(\"a.example\", \"sha256/\(Self.x2)\").build()\n"
        let text = [before, "// pinctl:begin\n", pinner, inside, "// pinctl:end\n", after].joined()
        let comparison = try CopyFolder(main: Array(text.utf8)).compared(
            with: try set(#""a.example":["\#(Self.x1)"]"#), as: .okhttp)
        switch comparison.outcome {
        case .refused(.markerInComment(let found)): #expect(found == line)
        case .write: #expect(line == nil)
        default: Issue.record("\(comparison.outcome)")
        }
    }

    @Test func replacesOnlyDeclarationsOfSwift() throws {
        let set = try set(#""a.example":["\#(Self.x1)","\#(Self.x2)"]"#)
        let dictionary = #"[kTSKPinnedDomains: ["a.example": [kTSKPublicKeyHashes: ["\#(Self.x1)", "\#(Self.x3)"]]]]"#
        for (before, inside, isWritten) in [
            ("lazy var c: [String: Any] = {\n", dictionary, false), ("let c: [String: Any] =\n", dictionary, false),
            ("func f() ->\n", "", false), ("let c:\n", "", false),
            ("", "@MainActor\nprivate(set) var c: [String: Any] = \(dictionary)", true),
            ("", "internal import Foo\nlet c: [String: Any] = \(dictionary)", false),
            ("", "@preconcurrency public import Foo\nlet c: [String: Any] = \(dictionary)", false),
            ("", "package let c: [String: Any] = \(dictionary)", true),
            ("switch x {\ncase .a:\n", "let c: [String: Any] = \(dictionary)", true), ("f { x in\n", "", true),
        ] {
            let text = "\(before)// pinctl:begin\n\(inside)\n// pinctl:end\n"
            let comparison = try CopyFolder(main: Array(text.utf8)).compared(with: set, as: .trustkitSwift)
            if case .write = comparison.outcome {
                #expect(isWritten, "\(text)")
            } else {
                #expect(!isWritten, "\(text)")
            }
        }
    }

    /// The end of a declaration is below the section.
    @Test(arguments: [
        ("val user =\n", "5\n"), ("val user: Int\n", "get() = 5\n"), ("var user: Int\n", "set(x) { y = x }\n"),
        ("val user: Int\n", "by lazy { 1 }\n"), ("val user = if (a) 1\n", "else 2\n"), ("fun user()\n", "{ foo() }\n"),
        ("class A<T>\n", "where T : Any\n"),
    ])
    func replacesNoPartOfADeclaration(inside: String, after: String) throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        let pinner = "val p = CertificatePinner.Builder().add(\"a.example\", \"sha256/\(Self.x2)\").build()\n"
        let text = "// pinctl:begin\n\(pinner)\(inside)// pinctl:end\n\(after)"
        guard case .refused = try CopyFolder(main: Array(text.utf8)).compared(with: set, as: .okhttp).outcome else {
            Issue.record("written")
            return
        }
    }

    /// An empty section within an expression.
    @Test(arguments: [
        "val p = q ?:\n", "fun f(): CertificatePinner { return\n", "val p:\n", "if (x)\n", "val p by\n",
        "val p = when (x) { 1 ->\n", "f(\n", "val p = a[\n", "fun <T> f(x: T,\n",
    ])
    func writesNoDeclarationIntoAnExpression(before: String) throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        let file = CopyFolder(main: Array((before + "// pinctl:begin\n// pinctl:end\n").utf8))
        guard case .refused(.sectionInExpression) = try file.compared(with: set, as: .okhttp).outcome else {
            Issue.record("written")
            return
        }
    }

    @Test(arguments: [
        "@JvmField\nprivate val p = CertificatePinner.Builder()\n  .add(\"a.example\", \"sha256/%\")\n  .build()\n",
        "val p: CertificatePinner\n  by lazy { CertificatePinner.Builder().add(\"a.example\", \"sha256/%\").build() }\n",
        "val p: CertificatePinner\n  get() = CertificatePinner.Builder().add(\"a.example\", \"sha256/%\").build()\n",
        "private const val X = 1; internal fun <T> f() =\n  CertificatePinner.Builder().add(\"a.example\", \"sha256/%\").build()\n",
    ])
    func replacesEachKindOfDeclaration(inside: String) throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        let text = "// pinctl:begin\n" + inside.replacing("%", with: Self.x2) + "// pinctl:end\n"
        var copy = CopyFolder(main: Array(text.utf8))
        try copy.write(copy.compared(with: set, as: .okhttp))
        expectEqual(try copy.compared(with: set, as: .okhttp))
    }

    /// Places at which a declaration may be.
    @Test(arguments: [
        ("", ""), ("import okhttp3.*\n", "val x = 1\n"), ("object Net {\n  val a = 1 // (\n", "}\n"),
        ("fun f(): Int {\n  val s = \"(\"\n", "  return 1\n}\n"), ("list.map { x ->\n", "}\n"),
        ("i++\n", "@A class B\n"),
        ("class Net(\n", ")\n"), ("class Net<T>(\n", ")\n"), ("class Net<T : (Int) -> Map<T, T>>(val a: Int,\n", ")\n"),
        ("class Net @Inject constructor(\n", ")\n"),
    ])
    func replacesDeclarationsAnywhere(before: String, after: String) throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        let old = "val p = CertificatePinner.Builder()\n  .add(\"a.example\", \"sha256/\(Self.x2)\")\n  .build()\n"
        for inside in ["", old] {
            var copy = CopyFolder(main: Array((before + "// pinctl:begin\n" + inside + "// pinctl:end\n" + after).utf8))
            try copy.write(copy.compared(with: set, as: .okhttp))
            expectEqual(try copy.compared(with: set, as: .okhttp))
        }
    }

    @Test(arguments: [
        "// pinctl:begin\n", "// pinctl:end\n// pinctl:begin\n", "// pinctl:begin\n// pinctl:begin\n// pinctl:end\n",
    ])
    func rejectsUnmatchedMarkers(text: String) throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        for format in [PinSetFormat.okhttp, .cronet] {
            let comparison = try CopyFolder(main: Array(text.utf8)).compared(with: set, as: format)
            guard case .refused = comparison.outcome else {
                Issue.record("written")
                return
            }
        }
    }

    /// Code that handles markers itself, such as a test of an app's build.
    @Test func aMarkerInAStringDoesNotCount() throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        let text = "let a = \"// pinctl:begin\"\nlet b = 1\nlet c = \"// pinctl:end\"\n"
        guard case .refused = try CopyFolder(main: Array(text.utf8)).compared(with: set, as: .okhttp).outcome else {
            Issue.record("written")
            return
        }
    }

    @Test func keepsFilesInOtherLanguages() throws {
        let set = try set(#""a.example":["\#(Self.x1)"]"#)
        let java =
            "// pinctl:begin\nnew CertificatePinner.Builder().add(\"a.example\", \"sha256/\(Self.x2)\");\n// pinctl:end\n"
        let comparison = try CopyFolder(main: Array(java.utf8)).compared(with: set, as: .okhttp, fileName: "Pins.java")
        #expect(comparison.differences.map(\.code) == [.missingPin, .extraPin])
        guard case .refused(let error) = comparison.outcome else {
            Issue.record("written")
            return
        }
        #expect(error.message.contains("Java"))
    }

    /// A label can be any text of a certificate's subject, for example a text that looks like a marker.
    @Test(arguments: PinSetCopyTests.formats.filter { !["kubeadm", "elastic"].contains($0.rawValue) })
    func readsNoMarkerInLabels(
        format: PinSetFormat
    ) throws {
        let pins = [Self.x1, Self.x2].enumerated().map { index, pin in
            #"{"sha256":"\#(pin)","role":"leaf","label":"\#(index == 0 ? "pinctl:end" : "x PinCTL:begin y")"}"#
        }
        let set = try set(#""a.example":{"pins":[\#(pins.joined(separator: ","))]}"#)
        for main in [nil, Array("// pinctl:begin\n// pinctl:end\n".utf8)] where main == nil || format == .okhttp {
            var copy = CopyFolder(main: main)
            try copy.write(copy.compared(with: set, as: format))
            expectEqual(try copy.compared(with: set, as: format))
        }
    }
}
