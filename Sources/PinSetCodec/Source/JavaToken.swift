/// A token of a reader of Java and Kotlin. Comments are no tokens.
package protocol JavaToken {
    var range: Range<Int> { get }
    /// Whether it is a string or a character.
    var isText: Bool { get }
    /// The character, if the token is a single one that is not part of a name.
    var sign: UInt8? { get }
}
