/// The request that a challenge belongs to.
public struct AuthenticationTask: Hashable, Sendable {
    /// The number of the task in its session, from 1.
    public let number: Int
    /// The URL of the current request, after redirects.
    public let url: String
    public let method: String

    public init(number: Int, url: String, method: String) {
        (self.number, self.url, self.method) = (number, url, method)
    }
}

/// Decides how challenges are answered.
///
/// A session calls the session-level method for methods with ``AuthenticationMethod/isSessionWide``, and the task-level method for
/// the others. If the session-level method returns nil, as its default implementation does, the session calls the task-level method
/// instead. The default implementation of the task-level method performs the default handling.
public protocol ChallengeHandler: Sendable {
    /// Decides about a challenge of the whole session.
    ///
    /// - Returns: nil to let ``task(_:didReceive:)`` decide.
    func sessionDidReceive(_ challenge: Challenge) async -> Disposition?

    /// Decides about a challenge of one task.
    func task(_ task: AuthenticationTask, didReceive challenge: Challenge) async -> Disposition
}

extension ChallengeHandler {
    public func sessionDidReceive(_ challenge: Challenge) async -> Disposition? { nil }

    public func task(_ task: AuthenticationTask, didReceive challenge: Challenge) async -> Disposition {
        .performDefaultHandling
    }

    /// The decision about a challenge, from the method that is responsible for it.
    package func disposition(of challenge: Challenge, for task: AuthenticationTask) async -> Disposition {
        if challenge.protectionSpace.authenticationMethod.isSessionWide,
            let answer = await sessionDidReceive(challenge)
        {
            return answer
        }
        return await self.task(task, didReceive: challenge)
    }
}

/// A handler that performs the default handling for every challenge.
public struct DefaultChallengeHandler: ChallengeHandler {
    public init() {}
}
