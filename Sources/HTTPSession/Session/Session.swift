public import Authentication
internal import Fetching
internal import Pinning

/// Makes requests that need authentication, with a ``ChallengeHandler``.
///
/// A session sends HEAD and GET over HTTP/1.1, or logs in to an FTP server with TLS. It is enough to authenticate, and no general HTTP
/// client: it has no cookies, no cache, no HTTP/2, no request bodies and no retries, and ignores `Retry-After`.
///
/// A session runs one task at a time, on the thread that calls ``run(_:)``. Answers to session-wide challenges, connections and
/// passwords for the session are kept until the session is deinitialized.
///
/// On Linux, look-ups of names use the signal `SIGRTMAX - 3`, unless the program handles or ignores it.
public final class Session {
    /// What to request.
    public struct Request: Sendable {
        public enum Method: String, CaseIterable, Sendable {
            case get = "GET"
            case head = "HEAD"
        }

        /// A URL with the scheme `https`, `http` or `ftp`. For `ftp`, the task is the login only.
        public let url: String
        public let method: Method

        public init(url: String, method: Method = .get) { (self.url, self.method) = (url, method) }
    }

    private let loop: EventLoop
    private let state: SessionState
    private var taskCount = 0

    /// - Throws: ``SessionError`` if the process has no file descriptors left, or OpenSSL refuses a setting.
    public init(
        _ configuration: SessionConfiguration = SessionConfiguration(),
        handler: any ChallengeHandler = DefaultChallengeHandler()
    ) throws(SessionError) {
        guard let loop = EventLoop() else {
            throw SessionError(.configuration, "too many open files: the limit of this process is reached")
        }
        self.loop = loop
        state = try SessionState(configuration, handler)
    }

    /// Runs one task and waits for its end.
    public func run(_ request: Request) -> TaskResult {
        taskCount += 1
        let url: RequestURL
        do throws(RequestURL.Failure) {
            url = try RequestURL(request.url)
        } catch {
            return TaskResult(
                outcome: .failure(SessionError(.configuration, "the URL: \(error.reason)")), challenges: [],
                hops: [TaskResult.Hop(url: request.url, status: nil)], requestedCertificate: false, hasUnreadPage: false
            )
        }
        let result = ResultBox()
        let number = taskCount
        // The task runs on the loop's thread. The compiler cannot derive this from the preferred executor.
        nonisolated(unsafe) let state = state
        loop.assumeIsolated { loop in
            _ = Task(executorPreference: loop.executor) {
                result.value = await unsafe Self.run(url, request.method, number, state, on: loop)
            }
        }
        loop.run { result.value != nil }
        return result.value
            ?? TaskResult(
                outcome: .failure(SessionError(.connection, "the task ended without a result")), challenges: [],
                hops: [TaskResult.Hop(url: url.description, status: nil)], requestedCertificate: false,
                hasUnreadPage: false)
    }

    private static func run(
        _ url: RequestURL, _ method: Request.Method, _ number: Int, _ state: SessionState, on loop: isolated EventLoop
    ) async -> TaskResult {
        await TaskRun(url, method, number: number, state, on: loop).run(on: loop)
    }
}

/// The result of a task, which the loop's thread writes and reads.
private final class ResultBox: @unchecked Sendable {
    var value: TaskResult?
}
