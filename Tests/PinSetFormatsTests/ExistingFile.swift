@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning

/// Sets that the tests write into existing files.
enum ExistingFile {
    static let x1 = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    static let x2 = "hUcFFip1z0GOioWs8QmYV5gIdp2/HK7UBvar+BfuTNU="
    static let x3 = "diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI="

    /// - Parameter hosts: the members of `hosts` in JSON.
    static func set(_ hosts: String) throws -> PinSet {
        try PinSet(json: Array(#"{"version":1,"hosts":{\#(hosts)}}"#.utf8))
    }

    /// The file after a set was written into it.
    static func written(_ hosts: String, _ format: PinSetFormat, into file: String) throws -> String {
        String(decoding: try set(hosts).written(as: format, into: Array(file.utf8), others: .kept).main, as: UTF8.self)
    }
}
