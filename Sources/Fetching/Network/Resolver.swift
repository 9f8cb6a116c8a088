internal import CSystem
internal import Synchronization

/// Turns names into addresses by getaddrinfo(3), which blocks, on threads of its own.
final class Resolver: Sendable {
    struct Query: Sendable {
        let name: String
        let port: UInt16
        let family: AddressFamily
    }

    typealias Answer = Result<[Endpoint], ResolveFailure>

    private typealias Work = @Sendable () -> Void

    private struct Pool: ~Copyable {
        var waiting: [Work] = []
        var threads = 0
    }

    private let pool = Mutex(Pool())
    private let threadBound: Int
    private let lookUp: @Sendable (Query) -> Answer

    /// - Parameters:
    ///   - threadBound: how many look-ups may be under way at once.
    ///   - lookUp: what looks a name up and may block; another one for tests.
    init(threadBound: Int = 16, lookUp: @escaping @Sendable (Query) -> Answer = Resolver.systemLookUp) {
        (self.threadBound, self.lookUp) = (threadBound, lookUp)
    }

    /// Looks a name up; nil when the deadline comes first. A look-up under way cannot be stopped and ends unheard.
    func resolve(_ query: Query, until deadline: MonotonicTime, on loop: isolated EventLoop) async -> Answer? {
        let answer = LateAnswer()
        let outcome = await loop.wait(until: deadline) { wait in
            submit { [lookUp] in
                // Nobody waits for this one any more, and others may stand behind it.
                guard .now < deadline else { return }
                answer.set(lookUp(query))
                loop.fire(wait)
            }
        }
        guard outcome == .ready else { return nil }
        return answer.value
    }

    private func submit(_ work: @escaping Work) {
        let mustStart = pool.withLock { pool in
            pool.waiting.append(work)
            guard pool.threads < threadBound else { return false }
            pool.threads += 1
            return true
        }
        guard mustStart else { return }
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        let error = unsafe pinctl_detach_thread(
            { @Sendable context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<Resolver>.fromOpaque(context).takeRetainedValue().work()
                return nil
            },
            context
        )
        if error != 0 {
            // No thread to be had: better a look-up that holds the loop up than one that never ends.
            unsafe Unmanaged<Resolver>.fromOpaque(context).release()
            work()
        }
    }

    private func work() {
        while case let next? = takeWork() { next() }
    }

    private func takeWork() -> Work? {
        pool.withLock { pool in
            guard !pool.waiting.isEmpty else {
                pool.threads -= 1
                return nil
            }
            return pool.waiting.removeFirst()
        }
    }

    @Sendable
    private static func systemLookUp(_ query: Query) -> Answer {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = pinctl_stream_type()
        unsafe hints.ai_family =
            switch query.family {
            case .any: AF_UNSPEC
            case .ipv4: AF_INET
            case .ipv6: AF_INET6
            }
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(query.name, nil, &hints, &list)
        guard code == 0 else { return .failure(ResolveFailure(code: code)) }
        defer { unsafe freeaddrinfo(list) }
        var endpoints: [Endpoint] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let address = unsafe entry.pointee.ai_addr,
                let endpoint = unsafe Endpoint(address, length: entry.pointee.ai_addrlen, port: query.port),
                !endpoints.contains(endpoint)
            {
                endpoints.append(endpoint)
            }
            unsafe next = unsafe entry.pointee.ai_next
        }
        return endpoints.isEmpty ? .failure(ResolveFailure(code: EAI_NONAME)) : .success(endpoints)
    }
}

/// Where a thread leaves what a task waits for.
private final class LateAnswer: Sendable {
    private let answer = Mutex<Resolver.Answer?>(nil)

    var value: Resolver.Answer? { answer.withLock { $0 } }

    func set(_ new: Resolver.Answer) { answer.withLock { $0 = new } }
}
