import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// The configuration that `convert` writes for a platform, read as the platform reads it.
@Suite struct PlatformConversionTests {
    private static let platforms: [(Platform, PinSetFormat)] = [
        (.apple, .apple), (.android, .android), (.okhttp, .okhttp), (.trustkit, .trustkit), (.hpkp, .hpkp),
        (.curl, .curl), (.chromium, .chromium), (.reactNative, .reactNative),
        (.reactNativeSSLManager, .reactNativeSSLManager),
    ]

    /// If a conversion loses nothing, the platform's verdict for every host and chain is that of the set.
    @Test(arguments: platforms) func decidesAsTheSet(platform: Platform, format: PinSetFormat) throws {
        var generator = SeededGenerator(seed: 6125)
        var sets = GeneratedSets.plain(format)
        // These are names that every platform accepts.
        sets.hosts = ["api.example.com", "example.org", "xn--bcher-kva.example.com", "a.example.net"]
        if format == .android { sets.enforce = [true] }
        var verdicts: Set<PlatformVerdict.Verdict> = []
        for _ in 0..<150 {
            let set = try sets.next(&generator)
            let host = set.entries.count == 1 ? set.entries[0].host : nil
            let writing = try set.written(as: format)
            #expect(writing.warnings.isEmpty)
            let inputs = ConversionInputs(host: host, names: writing.files.first { $0.name != nil }?.bytes)
            let file = try #require(
                try platform.configuration(ofFile: writing.main, format: format, with: inputs))
            let converted = platform.configuration(of: set)
            for name in sets.hosts + ["b.a.example.net", "sub.example.org", "example.com"] {
                let chain = (0..<3).map { position in
                    ChainPin(
                        role: Role.allCases[position], position: position,
                        pin: .numbered(Int.random(in: 0..<16, using: &generator)))
                }
                for day in ["2027-05-30", "2027-06-03"] {
                    let now = try #require(Timestamp(rfc3339: day))
                    let connection = PlatformConnection(
                        host: name, chain: chain.map { .init(certificate: $0) }, isTrusted: true, at: now)
                    let verdict = file.verdict(on: connection)
                    #expect(converted.verdict(on: connection).verdict == verdict.verdict)
                    let own = Self.verdict(of: set, on: name, chain, now)
                    verdicts.insert(verdict.verdict)
                    // A browser ignores a header if none of its pins, or all of them, are in the chain. A report-only header
                    // applies only to its own host.
                    let entry = set.entry(for: name)
                    if platform == .hpkp, verdict.verdict == .notPinned, entry?.name == name || entry?.enforce == false
                    {
                        continue
                    }
                    #expect(
                        verdict.verdict == own,
                        "\(name): \(verdict.rule)\n\(String(decoding: writing.main, as: UTF8.self))")
                }
            }
        }
        #expect(verdicts.isSuperset(of: [.accepts, .notPinned]))
    }

    /// pinctl's own verdict as a verdict of a platform.
    private static func verdict(
        of set: PinSet, on host: String, _ chain: [ChainPin], _ now: Timestamp
    ) -> PlatformVerdict.Verdict {
        let entry = set.entry(for: host)
        switch PinEvaluation(of: chain, by: entry, at: now).verdict {
        case .match: return .accepts
        case .mismatch: return entry?.enforce == false ? .accepts : .rejects
        case .expired, .noPins: return .notPinned
        }
    }

    /// For any set, a platform rejects the written configuration only if the conversion printed a warning.
    @Test(arguments: platforms) func rejectsNothingThatWasNotWarnedOf(platform: Platform, format: PinSetFormat) throws {
        var generator = SeededGenerator(seed: 9110)
        for _ in 0..<150 {
            let set = try GeneratedSets().next(&generator)
            guard let writing = try? set.written(as: format) else { continue }
            let connection = PlatformConnection(
                host: set.entries[0].name, chain: [], isTrusted: true, at: Timestamp(secondsSince1970: 1_790_000_000))
            let verdict = platform.configuration(of: set).verdict(on: connection)
            if verdict.verdict == .refusesConfig { #expect(!writing.warnings.isEmpty, "\(verdict.rule)") }
        }
    }
}
