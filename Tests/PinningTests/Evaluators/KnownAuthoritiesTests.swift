import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

@Suite struct KnownAuthoritiesTests {
    /// Pins that the CAs publish, or that openssl computed from the certificates that they publish.
    @Test(arguments: [
        ("C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=", "ISRG Root X1"),
        ("diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI=", "ISRG Root X2"),
        ("YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg=", "Let's Encrypt Authority X3"),
        ("jQJTbIh0grw0/1TkHSumWb+Fs0Ggogr621gT3PvPKG0=", "Let's Encrypt R3"),
        ("Vjs8r4z+80wjNcr1YKepWQboSIRi63WsWXhIMN+eWys=", "DST Root CA X3"),
        ("++MBgDH5WGvL9Bcn5Be30cRcL0f5O+NyoXuWtQdX1aI=", "Amazon Root CA 1"),
        ("hxqRlPTu1bMS/0DITB1SSu0vd4u/8l8TjPgfaAp63Gc=", "GTS Root R1"),
        ("Ow1ztL5KhUrcPlHX75+kiu+7LN2CTWe9x9fQmiq8LUM=", "Autoridad de Certificacion Firmaprofesional CIF A62634068"),
    ])
    func names(pin: String, name: String) throws {
        #expect(try KnownAuthorities.name(of: Pin(spelling: pin)) == name)
    }

    @Test func hasNoNameForOtherPins() throws {
        for byte in UInt8.min...UInt8.max {
            let pin = try #require(Pin(digest: [UInt8](repeating: byte, count: 32)))
            #expect(KnownAuthorities.name(of: pin) == nil)
        }
    }

    /// The system's roots, from which the table was generated: openssl computes the pin, and the file name is the name.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/share/ca-certificates/mozilla")))
    func namesTheSystemsRoots() throws {
        let folder = "/usr/share/ca-certificates/mozilla/"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .filter { $0.hasPrefix("D") || $0.hasPrefix("I") }
        let pins = try Shell.run(
            "for f in [DI]*.crt; do openssl x509 -in $f -noout -pubkey | openssl pkey -pubin -outform DER"
                + " | openssl dgst -sha256 -binary | openssl base64; done",
            in: URL(filePath: folder)
        ).split(separator: "\n")
        try #require(pins.count == files.count)
        var named = 0
        for (file, pin) in zip(files, pins) {
            guard let name = try KnownAuthorities.name(of: Pin(spelling: String(pin))) else { continue }
            named += 1
            // The file name of a second certificate with the same key ends with a number.
            #expect(Self.letters(file.replacing(".crt", with: "")).hasPrefix(Self.letters(name)), "\(file): \(name)")
        }
        #expect(named > files.count / 2)
    }

    private static func letters(_ name: String) -> String { name.filter { $0.isLetter || $0.isNumber } }
}
