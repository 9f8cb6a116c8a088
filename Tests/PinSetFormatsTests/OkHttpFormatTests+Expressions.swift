import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Values of loops, branches, templates and lists in source code.
extension OkHttpFormatTests {
    @Test func readsLoopsTemplatesAndBranches() throws {
        let reading = try read(
            """
            val pins = listOf("sha256/\(Self.x1)", "sha256/\(Self.x2)")
            const val KEY = "\(Self.x2)"
            val builder = CertificatePinner.Builder()
            for (pin in pins) builder.add("a.example", pin)
            for (pin in pins) {
                builder.add("b.example", pin)
            }
            pins.forEach { builder.add("c.example", it) }
            listOf("d.example", "e.example").forEach { host -> builder.add(host, "sha256/$KEY", "sha256/${Keys.KEY}") }
            builder.add("f.example", if (isDebug) "sha256/\(Self.x1)" else "sha256/\(Self.x2)")
            """)
        #expect(
            summary(reading) == [
                "a.example none x1,x2", "b.example none x1,x2", "c.example none x1,x2", "d.example none x2",
                "e.example none x2", "f.example none x1,x2",
            ])
        let java = try read(
            """
            class A {
                static final String[] PINS = { "sha256/\(Self.x1)", "sha256/\(Self.x2)" };
                CertificatePinner f(boolean live, int kind) {
                    CertificatePinner.Builder builder = new CertificatePinner.Builder();
                    for (String pin : PINS) { builder.add("a.example", pin); }
                    switch (kind) { case ONE: String host = live ? "b.example" : "c.example"; builder.add(host, PINS); }
                    return builder.build();
                }
            }
            """)
        #expect(summary(java) == ["a.example none x1,x2", "b.example none x1,x2", "c.example none x1,x2"])
    }

    /// `plus` of Kotlin's List, Set and Array (kotlin.collections) appends an element, or all elements of another list.
    @Test func readsSumsOfLists() throws {
        let reading = try read(
            """
            val base = listOf("sha256/\(Self.x1)")
            val all = base + "sha256/\(Self.x2)"
            val text = "sha256/" + base
            val builder = CertificatePinner.Builder()
            builder.add("a.example", *all.toTypedArray())
            builder.add("b.example", *(listOf<String>() + "sha256/\(Self.x1)" + listOf("sha256/\(Self.x2)")).toTypedArray())
            builder.add("c.example", "sha256/" + "\(Self.x1)")
            builder.add("d.example", text)
            builder.add("e.example", "$base")
            """)
        // A text plus a list, and a list in a template, are the text of the list in brackets.
        #expect(summary(reading) == ["a.example none x1,x2", "b.example none x1,x2", "c.example none x1"])
        let names = reading.warnings.compactMap(\.host)
        #expect(Set(names) == ["d.example", "e.example"], "\(reading.warnings)")
    }

    /// The names of the hosts in the loops are those that the test writes. Loops over values that are not known do not count.
    @Test func moreThan200LoopsAreAnError() throws {
        func source(_ loops: Int) -> String {
            let head = "val pins = listOf(\"sha256/\(Self.x1)\")\nval builder = CertificatePinner.Builder()\n"
            let others = String(repeating: "for (item in items) { print(item) }\n", count: 300)
            let lines = (0..<loops).map { "for (pin in pins) builder.add(\"h\($0).example\", pin)\n" }
            return head + others + lines.joined()
        }
        let reading = try read(source(200))
        #expect(Set(reading.set.entries.map(\.host)) == Set((0..<200).map { "h\($0).example" }))
        #expect(reading.set.entries.allSatisfy { $0.pins.map(\.pin.base64) == [Self.x1] })
        let error = #expect(throws: PinSetFormatError.self) { try read(source(201)) }
        #expect(error?.message.contains("the source has more than 200 loops over lists of known values") == true)
        #expect(error?.line == 2 + 300 + 201)
    }
}
