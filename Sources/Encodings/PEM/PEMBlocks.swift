/// A sequence of the PEM blocks in a text. See `PEM.blocks(in:)`.
public struct PEMBlocks: Sequence, IteratorProtocol, Sendable {
    private var text: PEMText
    private var number = 0

    init(_ text: [UInt8]) {
        self.text = PEMText(text)
    }

    public mutating func next() -> Result<PEMBlock, PEMError>? {
        if text.isUTF16 {
            text.skipAll()
            return .failure(PEMError(line: 1, number: 1, label: "", problem: .utf16))
        }
        guard findBegin() else { return nil }
        number += 1
        guard text.isAtLineStart else { return .failure(skipMisplacedBegin()) }
        do throws(PEMError) {
            return .success(try readBlock())
        } catch {
            return .failure(error)
        }
    }

    /// Moves to the next BEGIN; false if there is no other one. It is called at the start of a line or after an END. The rest of
    /// the line of an END counts as a separate line.
    ///
    /// A BEGIN after other text on its line is found too and is an error, unless it is part of a sentence.
    private mutating func findBegin() -> Bool {
        text.startLine()
        while !text.isAtEnd {
            text.skipBlanks()
            if text.has(PEMText.begin) { return true }
            if text.skipLineUnlessBegin() { return true }
        }
        return false
    }

    /// Skips the line of a BEGIN that has other text before it. Its block is not read, because that text may mean that the block is
    /// quoted or commented out.
    private mutating func skipMisplacedBegin() -> PEMError {
        let line = text.line
        text.skip(PEMText.begin)
        let label = text.takeLabel() ?? ""
        text.skipLine()
        return PEMError(line: line, number: number, label: label, problem: .misplacedBegin)
    }

    private mutating func readBlock() throws(PEMError) -> PEMBlock {
        let start = text.position
        let line = text.line
        text.skip(PEMText.begin)
        guard let label = text.takeLabel() else {
            text.skipLine()
            throw PEMError(line: line, number: number, label: "", problem: .malformedBegin)
        }
        text.skipLine()
        let headers = readHeaders()

        let body = text.position
        let bodyLine = text.line
        guard text.skipToBoundary(), text.has(PEMText.end) else {
            throw PEMError(line: text.line, number: number, label: label, problem: .missingEnd)
        }
        let contents = body..<text.position
        text.skip(PEMText.end)
        guard let endLabel = text.takeLabel() else {
            throw PEMError(line: text.line, number: number, label: label, problem: .missingEnd)
        }
        guard endLabel == label else {
            throw PEMError(line: text.line, number: number, label: label, problem: .mismatchedEnd(label: endLabel))
        }
        let bytes = try decode(contents, line: bodyLine, label: label)
        guard !bytes.isEmpty else {
            throw PEMError(line: line, number: number, label: label, problem: .noContents)
        }
        return PEMBlock(
            label: label, bytes: bytes, headers: headers, line: line, number: number, source: start..<text.position
        )
    }

    private func decode(_ contents: Range<Int>, line: Int, label: String) throws(PEMError) -> [UInt8] {
        do throws(Base64Error) {
            return try Base64.decodeSkippingWhiteSpace(text.bytes[contents])
        } catch {
            let problem: PEMError.Problem =
                switch error {
                case .character(let byte, _): .character(byte)
                case .misplacedPadding, .missingPadding: .padding
                case .truncated, .trailingBits: .cutShort
                }
            let fault = contents.lowerBound + Swift.min(error.offset, contents.count)
            let line = line + text.lineBreaks(in: contents.lowerBound..<fault)
            throw PEMError(line: line, number: number, label: label, problem: problem)
        }
    }

    /// Reads header lines (RFC 1421, section 4.4). If the first line contains no colon, there are no headers, because base64
    /// contains no colon.
    private mutating func readHeaders() -> [PEMBlock.Header] {
        // The value is a part of the array, so that a header of many lines grows in place.
        var headers: [(name: String, value: String)] = []
        while let line = text.peekLine() {
            if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                let name = PEMText.trimmed(line[..<colon])
                headers.append((name, PEMText.trimmed(line[line.index(after: colon)...])))
            } else if !headers.isEmpty, let first = line.first, PEMText.isBlank(first) {
                // A line that begins with white space continues the line before it.
                headers[headers.count - 1].value += PEMText.trimmed(line)
            } else {
                break
            }
            text.skipLine()
        }
        return headers.map { PEMBlock.Header(name: $0.name, value: $0.value) }
    }
}
