// Seeds: *.plist *.binary *.swift.txt *.m.txt
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning
internal import ServerPinFormats

/// TrustKit's configuration in property lists and source code. A parsed set is written into its file and into a new one, and both can be read.
enum TrustKitTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        _ = TrustKitFormat.recognizes(FileContents(bytes))
        guard let reading = try? TrustKitFormat.read(bytes) else { return }
        // If a file has no usable pins, the set is empty and there is a warning.
        precondition(!reading.set.entries.isEmpty || !reading.warnings.isEmpty)
        if let writing = try? reading.set.written(as: .trustkit), let file = writing.files.first {
            precondition((try? TrustKitFormat.read(file.bytes)) != nil)
        }
        if let writing = try? reading.set.written(as: .trustkit, into: bytes), let file = writing.files.first {
            precondition((try? TrustKitFormat.read(file.bytes)) != nil)
        }
    }
}
