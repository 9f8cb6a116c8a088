/// The textual encoding of certificates and keys (RFC 7468; the reader is lax).
public enum PEM {
    /// The blocks of a text, read lazily.
    ///
    /// There can be other text before, between and after the blocks. Lines end with LF, CR LF or CR. BEGIN and END can be indented and
    /// followed by white space. The next BEGIN can follow an END on one line, as in concatenated files without a final line feed. A
    /// malformed block is an error in the sequence, and reading continues after it.
    public static func blocks(in text: [UInt8]) -> PEMBlocks {
        PEMBlocks(text)
    }
}
