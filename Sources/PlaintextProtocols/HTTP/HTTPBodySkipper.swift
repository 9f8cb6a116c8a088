internal import Encodings

/// Finds the end of a body that is not needed (RFC 9112, sections 6.3 and 7.1).
///
/// It stores at most one line of the chunked framing, never the body.
package struct HTTPBodySkipper: Equatable {
    package enum Step: Equatable {
        case needsInput
        /// The body ended; the bytes after it.
        case done(rest: [UInt8])
        /// The chunks are not framed correctly.
        case invalid
    }

    private enum State: Equatable {
        case length(Int)
        case chunkSize([UInt8])
        case chunk(remaining: Int)
        /// The line end after a chunk.
        case chunkEnd([UInt8])
        case trailer([UInt8])
    }

    /// Maximum length of a line in bytes.
    private static let maximumLineLength = 4096

    private var state: State

    package init(length: Int) { state = .length(length) }

    /// A body in chunks.
    package init() { state = .chunkSize([]) }

    package mutating func receive(_ bytes: [UInt8]) -> Step { receive(bytes) { _ in } }

    /// - Parameter use: receives the parts of the body, without the framing.
    package mutating func receive(_ bytes: [UInt8], _ use: (ArraySlice<UInt8>) -> Void) -> Step {
        var rest = bytes[...]
        while true {
            switch state {
            case .length(let length):
                let count = min(length, rest.count)
                use(rest.prefix(count))
                rest = rest.dropFirst(count)
                state = .length(length - count)
                return length == count ? .done(rest: Array(rest)) : .needsInput
            case .chunkSize(let start):
                guard let line = Self.takeLine(start, &rest) else { return pause(.chunkSize(start + rest)) }
                guard let size = Self.size(line) else { return .invalid }
                state = size == 0 ? .trailer([]) : .chunk(remaining: size)
            case .chunk(let remaining):
                let count = min(remaining, rest.count)
                use(rest.prefix(count))
                rest = rest.dropFirst(count)
                state = remaining == count ? .chunkEnd([]) : .chunk(remaining: remaining - count)
                guard remaining == count else { return .needsInput }
            case .chunkEnd(let start):
                guard let line = Self.takeLine(start, &rest) else { return pause(.chunkEnd(start + rest)) }
                guard line.isEmpty else { return .invalid }
                state = .chunkSize([])
            case .trailer(let start):
                guard let line = Self.takeLine(start, &rest) else { return pause(.trailer(start + rest)) }
                guard !line.isEmpty else { return .done(rest: Array(rest)) }
                state = .trailer([])
            }
        }
    }

    private mutating func pause(_ new: State) -> Step {
        state = new
        switch new {
        case .chunkSize(let line), .chunkEnd(let line), .trailer(let line):
            return line.count > Self.maximumLineLength ? .invalid : .needsInput
        case .length, .chunk: return .needsInput
        }
    }

    /// Removes a line from the input and returns it without its end; nil if its end has not arrived.
    private static func takeLine(_ start: [UInt8], _ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        var line = start + rest[..<end]
        rest = rest[(end + 1)...]
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line
    }

    /// The size of a chunk; nil if the line does not begin with at most 7 hexadecimal digits.
    private static func size(_ line: [UInt8]) -> Int? {
        let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 0x09 }
        guard (1...7).contains(digits.count) else { return nil }
        var size = 0
        for digit in digits {
            guard let value = Hex.value(of: digit) else { return nil }
            size = size << 4 | Int(value)
        }
        return size
    }
}
