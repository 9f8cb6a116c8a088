import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

@Suite struct PunycodeTests {
    /// The examples of RFC 3492, section 7.1, in its order. Those of (I) are in lower case (appendix A).
    @Test(arguments: [
        ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"), ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
        ("他們爲什麽不說中文", "ihqwctvzc91f659drss3x8bo0yb"), ("Pročprostěnemluvíčesky", "Proprostnemluvesky-uyb24dma41a"),
        ("למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"),
        ("यहलोगहिन्दीक्योंनहींबोलसकतेहैं", "i1baa7eci9glrd9b2ae1bj0hfcgg6iyaf8o0a1dig0cd"),
        ("なぜみんな日本語を話してくれないのか", "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"),
        ("세계의모든사람들이한국어를이해한다면얼마나좋을까", "989aomsvi5e83db1d2a355cv1e0vak1dwrv93d5xbh15a0dt30a5jpsd879ccm6fea98c"),
        ("почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("PorquénopuedensimplementehablarenEspañol", "PorqunopuedensimplementehablarenEspaol-fmd56a"),
        ("TạisaohọkhôngthểchỉnóitiếngViệt", "TisaohkhngthchnitingVit-kjcr8268qyxafd2f1b9g"),
        ("3年B組金八先生", "3B-ww4c5e180e575a65lsy2b"),
        ("安室奈美恵-with-SUPER-MONKEYS", "-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n"),
        ("Hello-Another-Way-それぞれの場所", "Hello-Another-Way--fc4qua05auwb3674vfr0b"),
        ("ひとつ屋根の下2", "2-u9tlzr9756bt3uc0v"), ("MajiでKoiする5秒前", "MajiKoi5-783gue6qz075azm5e"),
        ("パフィーdeルンバ", "de-jg4avhby1noc0d"), ("そのスピードで", "d9juau41awczczp"), ("-> $1.00 <-", "-> $1.00 <--"),
    ])
    func encodesTheSamplesOfTheStandard(text: String, encoded: String) {
        #expect(Punycode.encode(Array(text.unicodeScalars)) == encoded)
        #expect(Punycode.decode(encoded) == Array(text.unicodeScalars))
    }

    /// Digits that are missing, out of range, or no digits; characters above U+10FFFF and surrogates (RFC 3492, section 6.4).
    @Test(arguments: ["b", "99999999", "a-_", "ü", "9999999999a", "-é"])
    func refusesWhatEncodesNoLabel(text: String) {
        #expect(Punycode.decode(text) == nil)
    }

    /// Verdicts of idn2(1): which A-labels have a Unicode form.
    @Test func showsNamesInUnicode() {
        #expect(DomainName.unicode(of: "xn--bcher-kva.example.test") == "bücher.example.test")
        #expect(DomainName.unicode(of: "www.xn--wgv71a119e.example") == "www.日本語.example")
        #expect(DomainName.unicode(of: "www.example.test") == nil)
        // Encodes "Bücher", which no A-label does (RFC 5891, section 5.4).
        #expect(DomainName.unicode(of: "xn--Bcher-kva.example.test") == nil)
        #expect(DomainName.unicode(of: "xn--.example.test") == nil)
        #expect(DomainName.unicode(of: "xn--a.example.test") == nil)
        // A right-to-left name would change the order of the line.
        #expect(DomainName.unicode(of: "xn--4dbrk0ce.example") == nil)
    }

    @Test func decodesAnyText() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<TestEnvironment.rounds(20_000) {
            let text = String(
                decoding: (0..<Int.random(in: 0...20, using: &generator)).map { _ in
                    UInt8.random(in: 0x20...0x7E, using: &generator)
                }, as: UTF8.self)
            guard let label = Punycode.decode(text) else { continue }
            // Encoding loses only the case of letters, and a delimiter without letters before it.
            #expect(Punycode.encode(label).map { Punycode.decode($0) } == .some(label))
        }
    }

    @Test func refusesLongLabels() {
        #expect(Punycode.encode(Array(repeating: "ü", count: 100_000)) == nil)
        // The largest possible differences, as often as possible, do not overflow 32 bits.
        let far = (0..<256).map { $0.isMultiple(of: 2) ? "\u{10FFFF}" : "\u{80}" } as [Unicode.Scalar]
        #expect(Punycode.encode(far) != nil)
    }
}
