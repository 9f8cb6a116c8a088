// Seeds: *.xml
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning
internal import ServerPinFormats

/// network_security_config.xml. A parsed set is written into its file and into a new one, and both can be read.
enum AndroidTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        _ = AndroidFormat.recognizes(FileContents(bytes))
        guard let reading = try? AndroidFormat.read(bytes) else { return }
        // If a file has no usable pins, the set is empty and there is a warning.
        precondition(!reading.set.entries.isEmpty || !reading.warnings.isEmpty)
        if let writing = try? reading.set.written(as: .android), let file = writing.files.first {
            precondition((try? AndroidFormat.read(file.bytes)) != nil)
        }
        if let writing = try? reading.set.written(as: .android, into: bytes), let file = writing.files.first {
            precondition((try? AndroidFormat.read(file.bytes)) != nil)
        }
    }
}
