/// Finds out whether a line is one complete JSON object. The line can be read in pieces, and the scan needs no memory for its contents.
///
/// It checks the structure: strings, brackets, colons and commas. It does not check the spelling of numbers, of `true`, `false` and `null`
/// and of escapes.
package struct JSONLineScanner {
    private enum State {
        /// Before the object.
        case start
        case keyOrEnd, key, colon, value, valueOrEnd
        /// In a number, `true`, `false` or `null`.
        case scalar
        case afterValue
        /// After the object.
        case end
        case invalid
    }

    private enum StringState {
        case none, text, escape
    }

    private var state = State.start
    private var string = StringState.none
    /// Whether the string is a key.
    private var isKey = false
    /// Number of open brackets.
    private var depth = 0
    /// The open brackets, the innermost in the lowest bit: 1 for an object, 0 for an array.
    private var objects: UInt64 = 0
    private let neededKey: [UInt8]
    /// Number of bytes of ``neededKey`` with which the current key begins; nil if the key is another one.
    private var matched: Int?

    /// Whether the outer object has the needed key.
    package private(set) var hasNeededKey = false

    /// - Parameter key: the key that ``hasNeededKey`` is about, without characters that JSON escapes.
    package init(for key: String) { neededKey = Array(key.utf8) }

    /// Whether the scanned bytes are one complete object with at most 64 levels, and white space.
    package var isComplete: Bool { state == .end }

    /// Prepares for the next line.
    package mutating func reset() {
        (state, string, depth, objects, hasNeededKey) = (.start, .none, 0, 0, false)
    }

    /// Scans bytes up to the end of the line.
    ///
    /// - Returns: the index of the line feed; nil if the line continues after these bytes.
    package mutating func scan(_ bytes: ArraySlice<UInt8>) -> Int? {
        let span = bytes.span
        var index = 0
        while index < span.count {
            let byte = span[index]
            guard byte != UInt8(ascii: "\n") else { return bytes.startIndex + index }
            if string == .text, matched == nil {
                // Most bytes are in strings, so this loop takes most of the time.
                while index < span.count, case let byte = span[index], Self.continuesString(byte) { index += 1 }
                guard index < span.count else { return nil }
                guard span[index] != UInt8(ascii: "\n") else { return bytes.startIndex + index }
                takeInString(span[index])
            } else if string != .none {
                takeInString(byte)
            } else {
                take(byte)
            }
            index += 1
        }
        return nil
    }

    private static func continuesString(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func takeInString(_ byte: UInt8) {
        if let count = matched, byte != UInt8(ascii: "\"") {
            matched = count < neededKey.count && neededKey[count] == byte ? count + 1 : nil
        }
        if byte < 0x20 {
            (state, string) = (.invalid, .none)
        } else if string == .escape {
            string = .text
        } else if byte == UInt8(ascii: "\\") {
            string = .escape
        } else if byte == UInt8(ascii: "\"") {
            string = .none
            if matched == neededKey.count { hasNeededKey = true }
            state = isKey ? .colon : .afterValue
        }
    }

    private mutating func take(_ byte: UInt8) {
        if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") {
            if state == .scalar { state = .afterValue }
            return
        }
        switch (byte, state) {
        case (UInt8(ascii: "{"), .start), (UInt8(ascii: "{"), .value), (UInt8(ascii: "{"), .valueOrEnd):
            open(isObject: true)
        case (UInt8(ascii: "["), .value), (UInt8(ascii: "["), .valueOrEnd): open(isObject: false)
        case (UInt8(ascii: "}"), .keyOrEnd), (UInt8(ascii: "]"), .valueOrEnd):
            close(isObject: byte == UInt8(ascii: "}"))
        case (UInt8(ascii: "}"), .afterValue), (UInt8(ascii: "}"), .scalar): close(isObject: true)
        case (UInt8(ascii: "]"), .afterValue), (UInt8(ascii: "]"), .scalar): close(isObject: false)
        case (UInt8(ascii: "\""), .keyOrEnd), (UInt8(ascii: "\""), .key):
            (string, isKey, matched) = (.text, true, depth == 1 ? 0 : nil)
        case (UInt8(ascii: "\""), .value), (UInt8(ascii: "\""), .valueOrEnd):
            (string, isKey, matched) = (.text, false, nil)
        case (UInt8(ascii: ":"), .colon): state = .value
        case (UInt8(ascii: ","), .afterValue), (UInt8(ascii: ","), .scalar):
            state = objects & 1 == 1 ? .key : .value
        case (_, .value), (_, .valueOrEnd), (_, .scalar): state = Self.isOfScalar(byte) ? .scalar : .invalid
        default: state = .invalid
        }
    }

    private static func isOfScalar(_ byte: UInt8) -> Bool {
        byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "E")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
    }

    private mutating func open(isObject: Bool) {
        guard depth < UInt64.bitWidth else {
            state = .invalid
            return
        }
        depth += 1
        objects = objects << 1 | (isObject ? 1 : 0)
        state = isObject ? .keyOrEnd : .valueOrEnd
    }

    private mutating func close(isObject: Bool) {
        guard depth > 0, objects & 1 == (isObject ? 1 : 0) else {
            state = .invalid
            return
        }
        depth -= 1
        objects >>= 1
        state = depth == 0 ? .end : .afterValue
    }
}
