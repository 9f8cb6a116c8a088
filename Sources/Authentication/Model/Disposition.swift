/// What a ``ChallengeHandler`` decides about a challenge. The names are those of `URLSession.AuthChallengeDisposition`.
public enum Disposition: Sendable {
    /// Answers the challenge with this credential.
    case useCredential(Credential)
    /// Does what ``DefaultHandling`` defines for the method, as if there were no handler.
    case performDefaultHandling
    /// Ends the request with an error that names the protection space.
    case cancelAuthenticationChallenge
    /// Does not answer this challenge, and offers the next one of the same response.
    case rejectProtectionSpace
}
