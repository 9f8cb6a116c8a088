import OpenSSL
import TestSupport
import Testing

@testable import Pinning

@Suite struct AnchorLookupTests {
    /// The lookup remembers names for which it found no anchor. A server chooses these names, so long ones are not kept.
    @Test func remembersOnlyShortNames() throws {
        let anchor = TrustAnchors([try Vectors.certificate("rsa2048")])
        let lookup = AnchorLookup(bundle: { anchor })
        for (length, isKept) in [(64, true), (100_000, false)] {
            let name = try Certificate(der: LargeCertificate.der(1, nameLength: length)).issuerName
            for sources in AnchorLookup.Sources.allCases {
                #expect(lookup.anchors(named: name, in: sources).isEmpty)
                #expect(lookup.isKnown(name, in: sources) == isKept)
            }
        }
    }

    /// A store keeps the first copy of a certificate, so a copy that is rejected for servers comes first, and the others are left out.
    @Test func copiesCountOnce() throws {
        let (one, other) = (try Vectors.certificate("rsa2048"), try Vectors.certificate("p256"))
        // SEQUENCE { [0] { OBJECT IDENTIFIER 1.3.6.1.5.5.7.3.1 } } rejects servers.
        let rejection: [UInt8] = [48, 12, 160, 10, 6, 8, 43, 6, 1, 5, 5, 7, 3, 1]
        let rejected = try TrustAnchor(one, trustSettings: rejection)
        let plain = TrustAnchor(one)
        let anchors = TrustAnchors(anchors: [plain, plain, rejected, TrustAnchor(other), rejected, plain])
        #expect(anchors.anchors.count == 6)
        #expect(anchors.positions(of: one.subjectName) == [2])
        #expect(anchors.positions(of: other.subjectName) == [3])
        #expect(anchors.positionsWithTrustSettings == [2])
    }

    /// Copies do not count towards the limit.
    @Test func limitsAnchorsWithOneSubject() throws {
        let certificate = try Vectors.certificate("rsa2048")
        func anchors(_ count: Int) throws -> TrustAnchors {
            let others = try (0..<count).map { number in
                // The last bytes belong to the signature.
                let number = [UInt8(number >> 8), UInt8(number & 0xff)]
                return try Certificate(der: certificate.der.dropLast(2) + number)
            }
            return TrustAnchors(others + others)
        }
        let (maximum, tooMany) = (try anchors(1000), try anchors(1001))
        #expect(!maximum.exceedsMaximumOfOneSubject && tooMany.exceedsMaximumOfOneSubject)
        #expect(tooMany.positions(of: certificate.subjectName).count == 1001)
        #expect(tooMany.positions(of: certificate.subjectName, maximum: 1000).count == 1000)
        let lookup = AnchorLookup(bundle: { tooMany })
        #expect(lookup.anchors(named: certificate.subjectName, in: .sameBytes).count == 1000)
        var stores = try PreparedStores(lookup)
        #expect(stores.store(for: [certificate], in: .sameBytes).count == 1000)
    }

    /// A store is shared only by chains that need the same anchors.
    @Test func chainsWithTheSameAnchorsShareAStore() throws {
        let paths = try PathCertificates.shared()
        let anchors = TrustAnchors(try ["root", "old-root"].map { try paths.certificate($0) })
        var stores = try PreparedStores(AnchorLookup(bundle: { anchors }))
        func store(_ names: String...) throws -> PreparedStores.Store {
            stores.store(for: try names.map { try paths.certificate($0) }, in: .sameBytes)
        }
        let first = try store("leaf", "ca")
        #expect(first.count == 1)
        #expect(try store("leaf-by-sub", "ca", "sub") === first)
        let other = try store("leaf", "ca-by-old")
        #expect(other.count == 1 && other !== first)
        let both = try store("leaf", "ca", "root-by-old")
        #expect(both.count == 2)
        let none = try store("leaf")
        #expect(none.count == 0)
        #expect(try store("leaf-by-sub", "sub") === none)
    }
}
