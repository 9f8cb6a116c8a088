import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Tests that read files of formats.
protocol FormatSuite {}

extension FormatSuite {
    static var pin: String { "doqV9xMo8MAv8x/BtTYbIu9wZF/f0Kj19EQqf9Pmf5Y=" }
    /// The bytes of ``pin``.
    static var hex: String { "768a95f71328f0c02ff31fc1b5361b22ef70645fdfd0a8f5f4442a7fd3e67f96" }

    func read(_ text: String, as format: PinSetFormat, host: String? = nil) throws -> PinSetReading {
        try PinSet.read(Array(text.utf8), as: format, with: ConversionInputs(host: host))
    }

    /// The entries as `HOST ROLE PIN…`.
    func summary(_ reading: PinSetReading) -> [String] {
        reading.set.entries.map { entry in
            "\(entry.host) \(entry.pins.map { "\($0.role.rawValue) \($0.pin.base64)" }.joined(separator: " "))"
        }
    }

    func error(_ text: String, as format: PinSetFormat, host: String? = nil) throws -> PinSetFormatError {
        let error = #expect(throws: PinSetFormatError.self) { try read(text, as: format, host: host) }
        return try #require(error)
    }

    func vector(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: FormatVectorTests.folder.appending(path: name)))
    }

    static func certificate() throws -> [UInt8] {
        let path = FormatVectorTests.folder.appending(path: "certificate.pem")
        let text = [UInt8](try Data(contentsOf: path))
        for case .success(let block) in PEM.blocks(in: text) { return block.bytes }
        return []
    }
}
