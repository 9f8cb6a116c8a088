/// A violation of the syntax of challenges (RFC 9110, section 11.6.1).
package struct HTTPChallengeError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        /// The value is longer than ``HTTPChallengeParser/maximumLength`` bytes.
        case tooLong
        /// Expected the name of a scheme or of a parameter.
        case noToken
        /// There is a parameter before the first scheme.
        case noScheme
        /// Expected a token or a quoted string after the equals sign.
        case noValue
        /// The closing quote is missing.
        case unclosedQuote
        /// A control character in a quoted string.
        case controlCharacter
        /// Expected a comma.
        case noComma
        /// The challenge has more than one parameter with this name.
        case duplicate(String)
        /// There are more than ``HTTPChallengeParser/maximumChallenges`` challenges.
        case tooMany
    }

    package let reason: Reason
    /// Number of bytes before the violation.
    package let offset: Int
}
