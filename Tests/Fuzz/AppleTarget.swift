// Seeds: *.plist *.binary
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning
internal import ServerPinFormats

/// NSPinnedDomains. A parsed set is written into its file and into a new one, and both can be read.
enum AppleTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        _ = AppleFormat.recognizes(FileContents(bytes))
        guard let reading = try? AppleFormat.read(bytes) else { return }
        // If a file has no usable pins, the set is empty and there is a warning.
        precondition(!reading.set.entries.isEmpty || !reading.warnings.isEmpty)
        if let writing = try? reading.set.written(as: .apple), let file = writing.files.first {
            precondition((try? AppleFormat.read(file.bytes)) != nil)
        }
        if let writing = try? reading.set.written(as: .apple, into: bytes), let file = writing.files.first {
            precondition((try? AppleFormat.read(file.bytes)) != nil)
        }
    }
}
