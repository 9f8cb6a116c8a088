/// A handler that asks several handlers in order. The first answer other than the default handling is used.
public struct CombinedHandler: ChallengeHandler {
    private let handlers: [any ChallengeHandler]

    public init(_ handlers: [any ChallengeHandler]) { self.handlers = handlers }

    public func sessionDidReceive(_ challenge: Challenge) async -> Disposition? {
        for handler in handlers {
            switch await handler.sessionDidReceive(challenge) {
            case nil, .performDefaultHandling?: continue
            case let answer?: return answer
            }
        }
        return nil
    }

    public func task(_ task: AuthenticationTask, didReceive challenge: Challenge) async -> Disposition {
        for handler in handlers {
            let answer = await handler.task(task, didReceive: challenge)
            if case .performDefaultHandling = answer { continue }
            return answer
        }
        return .performDefaultHandling
    }
}
