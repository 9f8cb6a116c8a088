import TestSupport
import Testing

@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning

/// The work for many entries of a file and for many verdicts is proportional to their number.
///
/// For eight times the number, the ratio is about 8 if the work is linear, and 64 if it is quadratic.
@Suite(.notWithSanitizer) struct ModelGrowthTests {
    /// Each verdict looks the fingerprints of one name up.
    @Test func verdictsOnManyFingerprints() throws {
        let authorities = try TestAuthorities.shared()
        let path = try ["leaf", "intermediate", "root"].map(authorities.certificate)
        let connection = PlatformConnection(
            host: "www.example.com", chain: CertificateChain(path: path, served: path, failures: []),
            at: Timestamp(secondsSince1970: 0))
        func prepare(_ count: Int) -> () -> Void {
            let fingerprints = (0..<count).map { number in
                WultraModel.Fingerprint(
                    name: "h\(number).example", digest: nil, expires: Timestamp(secondsSince1970: 0), position: nil)
            }
            let model = WultraModel(fingerprints: fingerprints)
            return { for _ in 0..<count { #expect(model.ruling(on: connection).verdict == .rejects) } }
        }
        #expect(Work.growth(small: prepare(200), large: prepare(1600)) < 30)
    }

    /// Patterns with the same name and different spellings.
    @Test func patternsWithManySpellings() {
        func prepare(_ count: Int) -> () -> Void {
            let patterns = (0..<count).map { number in
                (0..<12).map { number >> $0 & 1 == 0 ? "a" : "A" }.joined() + ".example"
            }
            return {
                var model = OkHttpModel()
                for pattern in patterns { model.add(pattern, Set<Pin>()) }
                #expect(model.patterns.count == count)
            }
        }
        #expect(Work.growth(small: prepare(200), large: prepare(1600)) < 30)
    }
}
