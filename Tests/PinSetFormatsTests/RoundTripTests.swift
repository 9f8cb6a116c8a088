import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

@Suite struct RoundTripTests {
    static let formats: [PinSetFormat] = [
        .pins, .apple, .android, .trustkit, .trustkitSwift, .okhttp, .hpkp, .curl, .tlsa, .chromium, .reactNative,
        .reactNativeSSLManager, .expo, .kubeadm, .openconnect, .envoy, .stubby, .elastic, .nats, .cronet,
        .urlsession,
    ]

    /// Writes a set, recognizes the format from the contents, and reads the set.
    private func backAndForth(_ set: PinSet, _ format: PinSetFormat) throws -> (
        back: PinSet, warnings: [ConversionWarning]
    ) {
        let writing = try set.written(
            as: format, with: ConversionInputs(date: Timestamp(secondsSince1970: 1_790_000_000)))
        let host = set.entries.count == 1 ? set.entries.first?.host : writtenHost(writing, of: set)
        let names = writing.files.first { $0.name == "transport_security_state_static.pins" }?.bytes
        let main = try #require(writing.files.first { $0.name == nil })
        let reading = try PinSet.read(main.bytes, with: ConversionInputs(host: host, names: names))
        #expect(reading.format == (format == .trustkitSwift ? .trustkit : format))
        return (reading.set, writing.warnings)
    }

    /// If only one host of several remains, the format can omit its name.
    private func writtenHost(_ writing: PinSetWriting, of set: PinSet) -> String? {
        let gone = Set(writing.warnings.filter { $0.message.contains("the host is left out") }.compactMap(\.host))
        let left = set.entries.filter { !gone.contains($0.host) }
        return left.count == 1 ? left.first?.host : nil
    }

    @Test(arguments: formats) func readsBackWhatTheFormatSupports(format: PinSetFormat) throws {
        var generator = SeededGenerator(seed: 7469)
        let sets = GeneratedSets.plain(format)
        for _ in 0..<TestEnvironment.rounds(150) {
            let set = try sets.next(&generator)
            let (back, warnings) = try backAndForth(set, format)
            // This warning is about the program of the format, not about what the file contains.
            let losses = warnings.filter { $0.reason != .hostsNotToldApart(count: set.entries.count) }
            #expect(losses.isEmpty)
            #expect(Meaning(back) == Meaning(set))
        }
    }

    @Test(arguments: formats) func warnsOfEveryLoss(format: PinSetFormat) throws {
        var generator = SeededGenerator(seed: 6698)
        var changed = 0
        for _ in 0..<TestEnvironment.rounds(250) {
            let set = try GeneratedSets().next(&generator)
            let result: (back: PinSet, warnings: [ConversionWarning])
            do {
                result = try backAndForth(set, format)
            } catch let error as PinSetFormatError {
                #expect(error.message.contains("supports no host of the set"))
                continue
            }
            let back = result.back
            let warnings = result.warnings.map { (host: $0.host, message: $0.message, reason: $0.reason) }
            if Meaning(back) != Meaning(set) {
                changed += 1
                #expect(!warnings.isEmpty)
            }
            for entry in set.entries {
                let told = warnings.filter { $0.host == entry.host }
                guard let other = back.entries.first(where: { $0.name == entry.name }) else {
                    #expect(told.contains { $0.message.contains("the host is left out") })
                    continue
                }
                let pins = Set(other.pins.map(\.pin))
                for key in entry.pins where !pins.contains(key.pin) {
                    #expect(told.contains { $0.message.contains(key.pin.base64) && $0.message.contains("left out") })
                }
                // There is no additional pin, unless the format combines the pins of several entries and there is a warning.
                let added = pins.subtracting(entry.pins.map(\.pin))
                #expect(added.isEmpty || told.contains { if case .pinsPooled = $0.reason { true } else { false } })
                for (isChanged, word) in [
                    (other.subdomains != entry.subdomains, "\"subdomains\""),
                    (other.expires != entry.expires, "\"expires\""),
                    (other.enforce != entry.enforce, "\"enforce\""), (other.anchors != entry.anchors, "\"anchors\""),
                ] where isChanged {
                    #expect(told.contains { $0.message.contains(word) }, "\(word) of \(entry.host) changed in silence")
                }
                for key in entry.pins where key.state != .retired {
                    guard let same = other.pins.first(where: { $0.pin == key.pin }) else { continue }
                    for (isChanged, word) in [
                        (same.role != key.role, "\"role\""), (key.label != nil && same.label != key.label, "label"),
                        (same.notAfter != key.notAfter, "notAfter"),
                    ] where isChanged {
                        let isTold = told.contains { $0.message.contains(key.pin.base64) && $0.message.contains(word) }
                        #expect(isTold, "\(word) of \(key.pin) changed in silence")
                    }
                }
            }
        }
        #expect(format == .pins || changed > TestEnvironment.rounds(50))
    }

    @Test(
        arguments: PinSetFormat.allCases.filter {
            // kubeadm and elastic have no pins of leaves.
            !$0.traits.writingInputs.contains(.certificates) && ![.kubeadm, .elastic].contains($0)
        })
    func hostsHaveOneSpelling(format: PinSetFormat) throws {
        let entry = try PinSet.Entry(
            host: "API.Example.com.",
            pins: [.init(pin: .numbered(1), role: .leaf), .init(pin: .numbered(2), role: .leaf)])
        let writing = try PinSet(entries: [entry]).written(as: format)
        let text = writing.files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
        #expect(format == .pins || !text.contains("API.Example.com"))
    }

    @Test func errorForAWriteOnlyFormatNamesTheReadableOne() throws {
        let set = try PinSet(entries: [PinSet.Entry(host: "example.com", pins: [.init(pin: .numbered(1))])])
        let source = try set.written(as: .trustkitSwift).files[0].bytes
        let error = #expect(throws: PinSetFormatError.self) { try PinSet.read(source, as: .trustkitSwift) }
        #expect(error?.hint == "read it as \"trustkit\"")
        #expect(try PinSet.read(source).format == .trustkit)
    }

    @Test(arguments: [
        PinSetFormat.apple, .android, .trustkit, .trustkitSwift, .okhttp, .hpkp, .curl, .tlsa, .chromium, .reactNative,
        .cronet, .urlsession,
    ])
    func rejectsASetThatCannotMatch(format: PinSetFormat) throws {
        let entry = try PinSet.Entry(host: "example.com", pins: [.init(pin: .numbered(1), state: .retired)])
        let set = try PinSet(entries: [entry])
        let error = #expect(throws: PinSetFormatError.self) { try set.written(as: format) }
        #expect(error?.message.hasPrefix("every pin of \"example.com\" is retired") == true)
    }
}
