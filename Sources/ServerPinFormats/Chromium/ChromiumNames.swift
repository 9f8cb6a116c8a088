internal import Encodings
internal import KeyFiles
internal import PinSetCodec
internal import Pinning

/// Chromium's file of names and pins (`transport_security_state_static.pins`). Each name is on a separate line, followed by
/// `sha256/…`, a public key in PEM, or a certificate in PEM.
struct ChromiumNames {
    private(set) var pins: [ExactText: Pin] = [:]
    /// Chromium uses static pins for ten weeks after this time.
    private(set) var timestamp: Timestamp?

    init(_ bytes: [UInt8]) throws(PinSetFormatError) {
        var name: String?
        var nameLine = 0
        var isTimestamp = false
        var block: (start: Int, line: Int)?
        var keyLines = PrivateKeyLines()
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let number = index + 1
            let text = line.trimmed
            if let start = block {
                guard text.starts(withIgnoringCase: "-----end ") else { continue }
                try add(
                    try Self.pin(pem: Array(bytes[start.start..<line.endIndex]), line: start.line), as: name ?? "",
                    number)
                (block, name) = (nil, nil)
                continue
            }
            guard !text.isEmpty, text.first != UInt8(ascii: "#") else { continue }
            // The error about a block of PEM names its type.
            guard !keyLines.containsKey(text) || text.starts(withIgnoringCase: "-----begin ") else {
                throw Self.error(number, .privateKey)
            }
            let word = String(decoding: text, as: UTF8.self)
            if isTimestamp {
                guard let seconds = Int64(word), seconds >= 0 else {
                    throw Self.error(number, .notSeconds)
                }
                timestamp = Timestamp(secondsSince1970: seconds)
                isTimestamp = false
            } else if let current = name {
                if text.starts(withIgnoringCase: "-----begin ") {
                    block = (line.startIndex, number)
                    continue
                }
                guard text.starts(withIgnoringCase: "sha256/") else {
                    throw Self.error(number, .notValue)
                }
                try add(try ChromiumFormat.pin(word, at: SourcePosition(line: number, column: 1)), as: current, number)
                name = nil
            } else if word == "PinsListTimestamp" {
                isTimestamp = true
            } else {
                guard Self.isName(word) else {
                    throw Self.error(number, .notName)
                }
                (name, nameLine) = (word, number)
            }
        }
        if let block { throw Self.error(block.line, .unclosedBlock) }
        if name != nil { throw Self.error(nameLine, .noValue) }
    }

    private mutating func add(_ pin: Pin, as name: String, _ line: Int) throws(PinSetFormatError) {
        guard pins.updateValue(pin, forKey: ExactText(name)) == nil else {
            throw Self.error(line, .nameTwice(name))
        }
    }

    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else { return false }
        return text.utf8.allSatisfy { $0.isWord && $0 < 0x80 }
    }

    private static func pin(pem: [UInt8], line: Int) throws(PinSetFormatError) -> Pin {
        guard let object = KeyFile.read(pem).first else { throw error(line, .emptyBlock) }
        switch object {
        case .success(let object) where object.kind == .certificate || object.kind == .publicKey: return object.pin
        case .success(let object):
            throw error(line, .wrongObject(object.kind))
        case .failure(let failure): throw error(line, .unreadable(failure))
        }
    }

    private static func error(_ line: Int?, _ problem: PinSetFormatError.Chromium.Names) -> PinSetFormatError {
        ChromiumFormat.error(.chromium(.names(problem)), line: line)
    }
}
