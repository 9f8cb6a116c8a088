import Foundation
import InProcessRuns
import TestSupport
import Testing

@testable import CommandSupport
@testable import Commands
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// A format that only this test registers: one line for each pin, `pin HOST BASE64`.
private enum SampleFormat: PinSetCodec {
    static let traits = FormatTraits(
        name: "sample", summary: "lines of a host and a pin", fileName: "sample.pins", readingInputs: [.host],
        generatedFile: .lines, platforms: [Platform("sampled", SampleRules.self)],
        lintRules: [.minimumPins(consequence: "the sample stops")],
        capabilities: FormatCapabilities(minimumPins: 2))

    static func recognizes(_ file: FileContents) -> Bool { file.bytes.starts(with: "pin ".utf8) }

    static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        var hosts: [String] = []
        var pins: [String: [PinSet.PinnedKey]] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if pins[words[1]] == nil { hosts.append(words[1]) }
            pins[words[1], default: []].append(PinSet.PinnedKey(pin: try pin(words[2], at: nil)))
        }
        var entries: [PinSet.Entry] = []
        for host in hosts { entries.append(try entry(host, pins: pins[host] ?? [], at: nil)) }
        return PinSetReading(set: try set(entries), warnings: [])
    }

    static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        var text = ""
        for entry in try traits.capabilities.writable(set, as: format, &warnings) {
            for key in entry.pins { text += "pin \(entry.host) \(key.pin.base64)\n" }
        }
        return PinSetWriting(text, warnings)
    }
}

/// A platform that never pins.
private enum SampleRules: PlatformRules {
    static func model(of _: PinSet) -> any PlatformModel {
        UnwritableModel(PlatformRuling(.notPinned, "it is a sample"))
    }
}

/// The commands support a format as soon as it is registered.
@Suite struct SampleFormatTests {
    private static let pins = [ConvertTests.x1, ConvertTests.x2]
    private static let set =
        #"{"version":1,"hosts":{"a.example":{"subdomains":"all","pins":["\#(pins[0])","\#(pins[1])"]}}}"#
    private static let lines = pins.map { "pin a.example \($0)\n" }.joined()

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("sample") }

    private func run(_ words: String...) throws -> (status: Int32, output: String, errors: String) {
        let (output, errors) = (CapturedStream(), CapturedStream())
        let null = try #require(FileHandle(forReadingAtPath: "/dev/null"))
        let console = Console(
            input: null.fileDescriptor, output: output, errors: errors, environment: .variables([:]),
            readPassword: { _ in .noTerminal }, ownsProcess: false)
        let registry = FormatRegistry(FormatRegistry.standard.formats + [PinSetFormat(SampleFormat.self)])
        let status = FormatRegistry.$current.withValue(registry) { Pinctl.run(words, on: console) }
        // The help wraps lines, so the words are joined with single spaces.
        let text =
            words.contains("--help")
            ? output.text.split(whereSeparator: \.isWhitespace).joined(separator: " ") : output.text
        return (status.rawValue, text, errors.text)
    }

    @Test func standardFormatsDoNotContainIt() throws {
        #expect(PinSetFormat(rawValue: "sample") == nil)
        let run = try PinctlRun.inProcess(["convert", "--help"])
        #expect(!run.text.contains("lines of a host and a pin"))
    }

    @Test func helpListsIt() throws {
        let convert = try run("convert", "--help")
        #expect(
            convert.output.contains("lines of a host and a pin") && convert.output.contains(", sample"))
        #expect(try run("lint", "--help").output.contains(", sample"))
        #expect(try run("verify", "--help").output.contains("sampled"))
    }

    @Test func convertWritesAndReadsIt() throws {
        let set = try folder.write(Self.set, to: "pins.json")
        let written = try run("convert", "--to", "sample", set)
        #expect(written.status == 0 && written.output == Self.lines, "\(written)")
        #expect(written.errors.contains("subdomains"), "the format has no subdomains")
        #expect(try run("convert", "--strict", "--to", "sample", set).status == 1)
        let file = try folder.write(Self.lines, to: "copy")
        let read = try run("convert", "--to", "hpkp", file)
        #expect(read.status == 0 && read.output.contains("pin-sha256=\"\(Self.pins[0])\""), "\(read)")
        // The traits determine which options have an effect.
        #expect(try run("convert", "--to", "okhttp", "--host", "a.example", file).status == 0)
        #expect(try run("convert", "--to", "okhttp", "--names", file, file).errors.contains("has no effect"))
        #expect(
            try run("convert", "--to", "sample", "--into", file, set).errors.contains("apple, android and trustkit"))
    }

    @Test func lintReadsIt() throws {
        let file = try folder.write("pin a.example \(Self.pins[0])\n", to: "one")
        let report = try run("lint", file)
        #expect(report.status == 1 && report.output.contains("the sample stops"), "\(report)")
        try folder.write(Self.lines, to: "two")
        #expect(try !run("lint", folder.path("two")).output.contains("the sample stops"))
    }

    @Test func syncWritesAndComparesIt() throws {
        try folder.write(Self.set, to: "pins.json")
        // The file name determines the format.
        let manifest = try folder.write(
            #"{"version":1,"set":"pins.json","copies":[{"file":"sample.pins"}]}"#, to: "sync.json")
        #expect(try run("sync", "--check", manifest).status == 1)
        let written = try run("sync", "--write", manifest)
        #expect(written.status == 0, "\(written)")
        #expect(try folder.text("sample.pins") == Self.lines)
        #expect(try run("sync", "--check", manifest).status == 0)
        // pinctl wrote every line, so it can replace the whole file.
        try folder.write("pin b.example \(Self.pins[1])\n", to: "sample.pins")
        #expect(try run("sync", "--write", manifest).status == 0)
        #expect(try folder.text("sample.pins") == Self.lines)
        try folder.write("# something else\n" + Self.lines + "pin b.example \(Self.pins[1])\n", to: "sample.pins")
        #expect(try run("sync", "--write", manifest).status != 0)
    }
}
