import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning

/// Calls of `add` whose receiver is not a `CertificatePinner.Builder`. The name of each host in the sources says whether OkHttp compares
/// its pins: `yes` and a number, or `no` and a number.
@Suite struct OkHttpReceiverTests {
    private static let pin = "sha256/\(OkHttpFormatTests.x1)"

    /// Replaces `Y1` and `N1` by the arguments of a call.
    private func source(_ text: String) -> [UInt8] {
        let words = text.split(separator: "(", omittingEmptySubsequences: false).map { part in
            let name = part.prefix { $0 != ")" }
            let isMarked = name.first.map { "YN".contains($0) } == true && name.dropFirst().allSatisfy(\.isNumber)
            guard isMarked, name.count > 1 else { return String(part) }
            let host = (name.first == "Y" ? "yes" : "no") + name.dropFirst() + ".example"
            return "\"\(host)\", \"\(Self.pin)\"" + part.dropFirst(name.count)
        }
        return Array(words.joined(separator: "(").utf8)
    }

    /// Checks that the pins of the `yes` hosts are read, and that each `no` host causes a warning.
    private func check(_ text: String) throws {
        let reading = try PinSet.read(source(text), as: .okhttp)
        let left = reading.warnings.compactMap { warning in
            if case .pinsOfOtherType = warning.reason { warning.host } else { nil }
        }
        let names = text.split { !$0.isLetter && !$0.isNumber }.filter {
            $0.count > 1 && "YN".contains($0.prefix(1)) && $0.dropFirst().allSatisfy(\.isNumber)
        }
        #expect(
            reading.set.entries.map(\.host) == names.filter { $0.hasPrefix("Y") }.map { "yes\($0.dropFirst()).example" }
        )
        #expect(left == names.filter { $0.hasPrefix("N") }.map { "no\($0.dropFirst()).example" })
    }

    @Test(arguments: [
        // Variables, properties and parameters.
        """
        class A(private val first: CertificatePinner.Builder, val second: MyPins?) {
            private val third = MyPins.Builder<String>()
            lateinit var fourth: okhttp3.CertificatePinner.Builder
            fun a() { first.add(Y1); second?.add(N1); second!!.add(N2); this.third.add(N3); this.fourth.add(Y2) }
            fun b(first: MyPins) { first.add(N4); this.fourth.add(Y3) }
            fun c(first: MyPins) = first.add(N5)
            fun d(second: CertificatePinner.Builder) = second.add(Y4)
            fun e() { third.add(N6); first.add(Y5) }
        }
        """,
        // A class of the file with a function of this name, and functions that return objects.
        """
        class Allowlist { fun add(host: String, pin: String) = apply { x() } }
        fun allowlist() = Allowlist()
        fun typed(): Allowlist = lazy.get()
        fun builder() = CertificatePinner.Builder()
        fun other() = Allowlist().size
        fun both() = Allowlist()
        fun both(x: Int) = CertificatePinner.Builder()
        val a = Allowlist().apply { add(N1) }
        val b = with(Allowlist()) { add(N2) }
        val c = allowlist().add(N3)
        val d = typed().add(N4)
        val e = builder().add(Y1)
        val f = other().add(Y2)
        val g = both().add(Y3)
        val h = CertificatePinner.Builder().apply { add(Y4) }
        """,
        // Chains.
        """
        val a = CertificatePinner.Builder().apply { x() }.add(Y1).also { log(it) }.add(Y2).build()
        val b = MyPins.Builder().add(N1).apply { x() }.add(N2)
        b.add(N3)
        MyPins(1, "a").other().add(Y3)
        """,
        // Blocks with a receiver.
        """
        val other = MyPins()
        val builder = CertificatePinner.Builder()
        fun a() {
            with(builder) { add(Y1) }
            with(other) { hosts.forEach { add(N1) } }
            MyPins().apply { if (x) { add(N2) } else { add(N3) } }
            MyPins().run { add(N4) }
            MyPins().also { it.add(N5) }.let { pins -> pins.add(N6) }
            configure { add(Y2) }
            CertificatePinner.Builder().apply { MyPins().apply { add(Y3) } }
        }
        fun CertificatePinner.Builder.b() { add(Y4) }
        fun <T> MyPins<T>.c() { add(N7) }
        """,
        // Other names of the builder.
        """
        import okhttp3.CertificatePinner as Pinner
        import okhttp3.CertificatePinner.Builder
        import okhttp3.CertificatePinner.Builder as PinBuilder
        typealias Alias = Pinner.Builder
        Pinner.Builder().add(Y1)
        Builder().add(Y2)
        PinBuilder().add(Y3)
        Alias().add(Y4)
        MyPins.Builder().add(N1)
        """,
        // Java.
        """
        class A {
            private final Map<String, String> map = new MyMap<>();
            void a(CertificatePinner.Builder b, MyPins other, final Object any) {
                b.add(Y1); other.add(N1); any.add(Y2); map.add(N2);
                new MyPins.Builder().add(N3).add(N4);
                new CertificatePinner.Builder().add(Y3);
                for (MyPins p : all) p.add(N5);
                for (CertificatePinner.Builder p : all) { p.add(Y4); }
                use((MyPins q) -> q.add(N6));
                use(any -> any.add(Y5));
                if (x instanceof MyPins p) { p.add(N7); }
                CertificatePinner.Builder w = isLive ? b : Other.THING;
                w.add(Y6);
                var v = new MyPins();
                v.add(N8);
                ((CertificatePinner.Builder) other).add(Y7);
            }
        }
        """,
        // The type is not in the file.
        """
        class CertificatePinner
        unknown.add(Y1); find().add(Y2); a.b.add(Y3); LIST.add(Y4); list[0].add(Y5); add(Y6)
        fun <T> a(b: T) { b.add(Y7) }
        fun MyFactory() = CertificatePinner.Builder()
        MyFactory().add(Y8)
        val (c, d) = pair()
        c.add(Y9)
        """,
    ]) func leavesOutPinsOfOtherObjects(text: String) throws { try check(text) }

    @Test func namesTheTypeAndTheLine() throws {
        let text = "val b = CertificatePinner.Builder()\nval other = MyPinList()\nother.add(N1)\nb.add(Y1)"
        let warning = try #require(try PinSet.read(source(text)).warnings.first)
        #expect(
            warning.description
                == "\"no1.example\": the pins on line 3 are added to an object with the type \"MyPinList\", not to a"
                + " CertificatePinner.Builder; they are left out")
        #expect(warning.harm == .unpins)
    }

    /// A file without another pin has no pins, also if a host is given.
    @Test func aFileWithOnlySuchPinsIsAnError() throws {
        let bytes = source("class CertificatePinner\nval other = MyPinList()\nother.add(N1)")
        for host in [nil, "a.example"] {
            let error = #expect(throws: PinSetFormatError.self) {
                try PinSet.read(bytes, with: ConversionInputs(host: host))
            }
            #expect(error?.message.contains("there are no pins for a host in this text") == true)
        }
    }
}
