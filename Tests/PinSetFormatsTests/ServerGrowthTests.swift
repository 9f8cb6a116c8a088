import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Many pins on one line, or in one mapping, take linear time, and the pins that hosts share have a limit.
///
/// The measure and the limit are those of ``GrowthTests``.
@Suite(.notWithSanitizer) struct ServerGrowthTests {
    enum Shape: CaseIterable, Sendable {
        case openconnect, openfortivpn, envoy, elastic, elasticParent, reactNativeSSLManager, header, origins
    }

    @Test(arguments: Shape.allCases) func isLinear(shape: Shape) throws {
        let certificate = try Certificate(der: ServerFormatTests.certificate())
        let (small, large) = (Self.file(shape, 60, certificate), Self.file(shape, 480, certificate))
        Self.read(shape, small, certificate)
        let growth = Work.growth(
            small: { Self.read(shape, small, certificate) }, large: { Self.read(shape, large, certificate) })
        #expect(growth < 30, "\(small.count) and \(large.count) bytes")
    }

    private static func read(_ shape: Shape, _ file: [UInt8], _ certificate: Certificate) {
        let format: PinSetFormat
        switch shape {
        case .header:
            #expect(PEM.blocks(in: file).map { (try? $0.get())?.headers.count } == [1])
            return
        case .origins:
            #expect(throws: PinSetFormatError.self) { try PinSet.read(file, as: .tlsa, with: ConversionInputs()) }
            return
        case .openconnect: format = .openconnect
        case .openfortivpn: format = .openfortivpn
        case .envoy: format = .envoy
        case .elastic, .elasticParent: format = .elastic
        case .reactNativeSSLManager: format = .reactNativeSSLManager
        }
        let inputs = ConversionInputs(certificates: [certificate])
        #expect(throws: Never.self) { try PinSet.read(file, as: format, with: inputs) }
    }

    private static func pin(_ number: Int) -> Pin { Pin(subjectPublicKeyInfo: Array("\(number)".utf8)) }

    private static func file(_ shape: Shape, _ count: Int, _ certificate: Certificate) -> [UInt8] {
        func many(_ separator: String = "", _ part: (Int) -> String) -> String {
            (0..<count).map(part).joined(separator: separator)
        }
        let hex = Hex.encode(certificate.sha256)
        let text =
            switch shape {
            case .openconnect: "openconnect h.example " + many(" ") { "--servercert pin-sha256:\(pin($0).base64)" }
            case .openfortivpn: "host = h.example\nx " + many(" ") { _ in "--trusted-cert=\(hex)" }
            case .envoy:
                "root:\n"
                    + many {
                        "  a\($0): {sni: h\($0).example, validation_context: {verify_certificate_spki: [\(pin($0).base64)]}}\n"
                    }
            case .elastic: many { "o\($0).ssl.ca_sha256: \(pin($0).base64)\no\($0).hosts: [h\($0).example]\n" }
            case .elasticParent:
                "hosts: [h.example]\np:\n  hosts: [" + many { _ in String(repeating: "\"${X}\",", count: 10) } + "]\n"
                    + many { "  c\($0):\n    ssl.ca_sha256: \(pin($0).base64)\n" }
            case .reactNativeSSLManager:
                "{\"sha256Keys\":{\(many(",") { "\"h\($0).example\":[\"sha256/\(pin($0).base64)\"]" })},\"domains\":{"
                    + many(",") { "\"h\($0).example\":{\"enforcePinning\":true}" } + "}}"
            case .header:
                "-----BEGIN X-----\nA: b\n" + many { _ in String(repeating: " a\n", count: 300) }
                    + "\nAAAA\n-----END X-----\n"
            case .origins: String(repeating: "$ORIGIN a\n", count: 20 * count)
            }
        return Array(text.utf8)
    }

    /// A file of a few kilobytes would otherwise become a set with millions of pins.
    ///
    /// Forbidden pins of Chromium count, too, because each one is a warning for each host.
    @Test(arguments: [(PinSetFormat.kubeadm, false), (.elastic, false), (.chromium, false), (.chromium, true)])
    func refusesTooManySharedPins(format: PinSetFormat, areForbidden: Bool) throws {
        let pins = (0..<400).map(Self.pin)
        func read(_ hosts: Int) throws -> PinSet {
            let names = (0..<hosts).map { "h\($0).example" }
            var inputs = ConversionInputs()
            let text: String
            switch format {
            case .kubeadm:
                text =
                    "discoveryTokenAPIServers: [\(names.joined(separator: ", "))]\ndiscoveryTokenCACertHashes: ["
                    + pins.map { "sha256:\(Hex.encode($0.bytes))" }.joined(separator: ", ") + "]\n"
            case .elastic:
                text =
                    "hosts: [\(names.joined(separator: ", "))]\nssl.ca_sha256: ["
                    + pins.map { "\"\($0.base64)\"" }.joined(separator: ", ") + "]\n"
            default:
                let words = pins.indices.map { "\"P\($0)\"" }
                let count = areForbidden ? 1 : words.count
                let (good, bad) = (
                    words.prefix(count).joined(separator: ","), words.dropFirst(count).joined(separator: ",")
                )
                let lists = "\"static_spki_hashes\":[\(good)],\"bad_static_spki_hashes\":[\(bad)]"
                let entries = names.map { "{\"name\":\"\($0)\",\"pins\":\"a\"}" }.joined(separator: ",")
                text = "{\"pinsets\":[{\"name\":\"a\",\(lists)}],\"entries\":[\(entries)]}"
                inputs.names = Array(pins.indices.map { "P\($0)\nsha256/\(pins[$0].base64)\n" }.joined().utf8)
            }
            return try PinSet.read(Array(text.utf8), as: format, with: inputs).set
        }
        #expect(try read(251).entries.count == 251)
        let error = #expect(throws: PinSetFormatError.self) { try read(252) }
        #expect(error?.message == "the hosts that share pins have more than 100000 pins together")
    }
}
