/// Textual encoding of certificates and keys (RFC 7468, read laxly).
public enum PEM {
    /// The blocks of a text, read one by one as they are asked for.
    ///
    /// Any text may stand before, between and after them; lines end with LF, CR LF or CR; BEGIN and END may be indented and
    /// followed by white space; an END may be followed by the next BEGIN on the same line, as happens where files without
    /// a last line feed are joined. A malformed block is an error in its place, and reading goes on after it.
    public static func blocks(in text: [UInt8]) -> PEMBlocks {
        PEMBlocks(text)
    }
}
