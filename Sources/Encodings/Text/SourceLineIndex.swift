/// The starts of the lines of a text, and numbers of characters. With this index, converting many offsets to positions is fast.
package struct SourceLineIndex: Sendable {
    private let bytes: [UInt8]
    private let starts: [Int]
    /// The number of Unicode scalars before the start of each block of bytes, because a text can be one long line.
    private let counts: [Int]

    private static let blockSize = 1024

    package init(_ bytes: [UInt8]) {
        var starts = [0]
        var counts: [Int] = []
        var count = 0
        for (offset, byte) in bytes.enumerated() {
            if offset % Self.blockSize == 0 { counts.append(count) }
            if byte & 0xc0 != 0x80 { count += 1 }
            if byte == UInt8(ascii: "\n") { starts.append(offset + 1) }
        }
        counts.append(count)
        (self.bytes, self.starts, self.counts) = (bytes, starts, counts)
    }

    /// The line of a byte, from 1.
    package func line(of offset: Int) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }

    /// The same position as that of ``SourcePosition/init(of:in:)``.
    package func position(of offset: Int) -> SourcePosition {
        let offset = min(max(0, offset), bytes.count)
        let line = line(of: offset)
        var column = count(before: offset) - count(before: starts[line - 1]) + 1
        if line == 1, column > 1, bytes.starts(with: [0xef, 0xbb, 0xbf]) { column -= 1 }
        return SourcePosition(line: line, column: column)
    }

    private func count(before offset: Int) -> Int {
        let block = offset / Self.blockSize
        return bytes[(block * Self.blockSize)..<offset].count { $0 & 0xc0 != 0x80 } + counts[block]
    }
}
