extension PEM {
    /// The error of the first block with a label that cannot be decoded; nil if all such blocks are in `blocks(in:)`.
    ///
    /// Other programs find blocks that `blocks(in:)` does not, such as one after other text: OpenSSL reads a long line in parts, and
    /// each part can begin with a BEGIN (`get_name` in crypto/pem/pem_lib.c). So each `-----BEGIN LABEL-----` counts, wherever it is.
    package static func firstError(inBlocksLabeled label: String, in text: [UInt8]) -> PEMError? {
        let begin = begin(label)
        var offset = next(begin, in: text.span, from: 0)
        guard offset != nil else { return nil }
        var starts: Set<Int> = []
        var firstError: PEMError?
        for block in blocks(in: text) {
            switch block {
            case .success(let block): starts.insert(block.source.lowerBound)
            case .failure(let error): if error.label == label { firstError = firstError ?? error }
            }
        }
        if let firstError { return firstError }
        while let found = offset {
            guard starts.contains(found) else {
                let line = PEMText(text).lineBreaks(in: 0..<found) + 1
                let number = starts.count { $0 < found } + 1
                return PEMError(line: line, number: number, label: label, problem: .misplacedBegin)
            }
            offset = next(begin, in: text.span, from: found + begin.count)
        }
        return nil
    }

    /// Whether a text contains the BEGIN of a block with a label.
    package static func contains(label: String, in text: [UInt8]) -> Bool {
        next(begin(label), in: text.span, from: 0) != nil
    }

    private static func begin(_ label: String) -> [UInt8] { PEMText.begin + Array("\(label)-----".utf8) }

    /// The offset of the first of these bytes, which begin with a dash, at or after another offset.
    private static func next(_ token: [UInt8], in text: Span<UInt8>, from start: Int) -> Int? {
        var offset = start
        while offset + token.count <= text.count {
            if text[offset] == UInt8(ascii: "-"), token.indices.allSatisfy({ text[offset + $0] == token[$0] }) {
                return offset
            }
            offset += 1
        }
        return nil
    }
}
