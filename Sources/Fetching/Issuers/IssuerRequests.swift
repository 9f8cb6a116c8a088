internal import Pinning
internal import Synchronization

/// The URLs in certificates that were requested for one host, for all of its addresses, chains and attempts.
///
/// The server chooses the URLs, which can name any host that this machine reaches. So each is requested once, also if it fails or if
/// several addresses need it at the same time, and there are at most ``maximumURLs``.
final class IssuerRequests: Sendable {
    /// Maximum number of URLs that are requested for one host.
    static let maximumURLs = 8

    typealias Answer = Result<[Certificate], IssuerFetch.Failure>

    private enum Request {
        /// The waits of other tasks that need the answer.
        case inFlight([EventLoop.WaitID])
        case done(Answer)
    }

    private let requests = Mutex<[HTTPURL: Request]>([:])

    /// The certificates at a URL. The first call for a URL downloads them; the others wait for its answer.
    ///
    /// - Throws: the failure of the download, now or before; `timeout` if the answer to another call does not arrive in time;
    ///   `tooManyURLs`.
    func certificates(
        at url: HTTPURL, by download: IssuerDownload, on loop: isolated EventLoop
    ) async throws(IssuerFetch.Failure) -> [Certificate] {
        let step = requests.withLock { requests -> Request? in
            if let known = requests[url] { return known }
            if requests.count < Self.maximumURLs {
                requests[url] = .inFlight([])
            } else {
                return .done(.failure(.tooManyURLs))
            }
            return nil
        }
        switch step {
        case .done(let answer): return try answer.get()
        case .inFlight: return try await answer(at: url, until: download.deadline, on: loop).get()
        case nil: break
        }
        let answer: Answer
        do throws(IssuerFetch.Failure) {
            answer = .success(try await download.certificates(at: url, on: loop))
        } catch {
            answer = .failure(error)
        }
        let waits = requests.withLock { requests -> [EventLoop.WaitID] in
            defer { requests[url] = .done(answer) }
            guard case .inFlight(let waits) = requests[url] else { return [] }
            return waits
        }
        for wait in waits { loop.fire(wait) }
        return try answer.get()
    }

    /// Waits for the answer to a request in flight. All tasks of a host run on one loop.
    private func answer(at url: HTTPURL, until deadline: MonotonicTime, on loop: isolated EventLoop) async -> Answer {
        _ = await loop.wait(until: deadline) { wait in
            requests.withLock { requests in
                switch requests[url] {
                case .inFlight(let waits): requests[url] = .inFlight(waits + [wait])
                case .done, nil: loop.fire(wait)
                }
            }
        }
        return requests.withLock { requests in
            if case .done(let answer) = requests[url] { answer } else { .failure(.timeout) }
        }
    }
}
