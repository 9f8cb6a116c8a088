internal import Encodings
internal import PinSetCodec

/// The message of OkHttp's exception when no pin matches. It lists the chain and the pins.
///
/// ```
/// Certificate pinning failure!
///   Peer certificate chain:
///     sha256/…: CN=example.com
///   Pinned certificates for example.com:
///     sha256/…
/// ```
enum OkHttpFailure {
    static let title = "certificate pinning failure!"

    /// Reads all such messages in a log. Each line can have a prefix.
    static func read(
        _ bytes: [UInt8], into reader: inout OkHttpReader
    ) throws(PinSetFormatError) {
        var host: String?
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if line.firstRange(ignoringCase: "peer certificate chain:") != nil {
                host = nil
            } else if let range = line.firstRange(ignoringCase: "pinned certificates for ") {
                var name = line[range.upperBound...].trimmed
                if name.last == UInt8(ascii: ":") { name.removeLast() }
                host = String(decoding: name, as: UTF8.self)
            } else if let range = line.firstRange(ignoringCase: "sha256/") ?? line.firstRange(ignoringCase: "sha1/") {
                try read(line[range.lowerBound...].trimmed, of: host, line: index + 1, into: &reader)
            }
        }
    }

    private static func read(
        _ text: ArraySlice<UInt8>, of host: String?, line: Int, into reader: inout OkHttpReader
    ) throws(PinSetFormatError) {
        let pin = text.prefix { $0 != UInt8(ascii: ":") && !$0.isWhiteSpace }
        let spelling = String(decoding: pin, as: UTF8.self)
        guard let host else {
            let subject = String(
                decoding: text[pin.endIndex...].drop { $0 == UInt8(ascii: ":") }.trimmed, as: UTF8.self)
            reader.warnings.add(.unpinnedCertificate(pin: spelling, subject: subject))
            return
        }
        guard let key = reader.key(spelling, of: host, line: line, note: nil) else { return }
        try reader.add([key], of: host, line: line)
    }
}
