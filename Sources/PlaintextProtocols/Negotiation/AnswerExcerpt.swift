internal import Encodings

/// The start of an answer that an error quotes.
package enum AnswerExcerpt {
    /// Maximum number of bytes of a peer that an error contains.
    package static let maximumLength = 32

    /// Bytes of an answer that are searched for a private key, which is recognized by bytes after the excerpt.
    private static let searchedLength = 16_384

    private static let ellipsis = Array("…".utf8)

    /// The first bytes of an answer, up to the secret of a private key, in place of which there is an ellipsis.
    ///
    /// - Parameter answer: all bytes that have arrived.
    package static func bytes(of answer: some Collection<UInt8>) -> [UInt8] {
        let answer = Array(answer.prefix(searchedLength))
        // One character for each byte, so that the indices are the same.
        let text = String(decoding: answer.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
        let shown = zip(text.utf8, text.withoutWholePrivateKeys.utf8).prefix { $0 == $1 }.count
        return shown < min(answer.count, maximumLength)
            ? answer.prefix(shown) + ellipsis : Array(answer.prefix(maximumLength))
    }

    /// The excerpt as text, with an ellipsis if the answer may go on.
    package static func text(_ excerpt: some Collection<UInt8>) -> String {
        let text = String(decoding: excerpt, as: UTF8.self)
        return excerpt.count == maximumLength ? text.asStart : text
    }

    /// Whether an excerpt is printable ASCII.
    static func isPrintable(_ excerpt: some Collection<UInt8>) -> Bool {
        let bytes = Array(excerpt)
        return (bytes.suffix(ellipsis.count).elementsEqual(ellipsis) ? bytes.dropLast(ellipsis.count) : bytes[...])
            .allSatisfy { (0x20..<0x7F).contains($0) }
    }
}
