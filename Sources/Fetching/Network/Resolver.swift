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

    /// Ports make no difference to what a name means.
    private struct Name: Hashable, Sendable {
        let text: String
        let family: AddressFamily
    }

    /// Somebody who waits for a name.
    private struct Waiter: Sendable {
        let wake: @Sendable (Answer) -> Void
        let deadline: MonotonicTime
    }

    private struct State: ~Copyable {
        /// Names that nobody looks up yet, the next one last.
        var incoming: [Query] = []
        var outgoing: [Query] = []
        var waiters: [Name: [Waiter]] = [:]
        var answers: [Name: Answer] = [:]
        var threads = 0
    }

    /// So many answers are remembered; then all of them are forgotten.
    private static let rememberedNames = 8192

    private let state = Mutex(State())
    private let threadBound: Int
    private let lookUp: @Sendable (Query) -> Answer

    /// - Parameters:
    ///   - threadBound: how many look-ups may be under way at once.
    ///   - lookUp: what looks a name up and may block; another one for tests.
    init(threadBound: Int = 32, lookUp: @escaping @Sendable (Query) -> Answer = Resolver.systemLookUp) {
        (self.threadBound, self.lookUp) = (threadBound, lookUp)
    }

    /// Looks a name up, once for all who ask for it; nil when the deadline comes first.
    ///
    /// A look-up under way cannot be stopped, and serves those who ask later. A failure that may pass is not remembered.
    func resolve(_ query: Query, until deadline: MonotonicTime, on loop: isolated EventLoop) async -> Answer? {
        let name = Name(text: query.name, family: query.family)
        if let known = state.withLock({ $0.answers[name] }) { return Self.answer(known, port: query.port) }
        let answer = LateAnswer()
        let realDeadline = loop.realTime(of: deadline)
        let outcome = await loop.wait(until: deadline) { wait in
            let waiter = Waiter(
                wake: {
                    answer.set($0)
                    loop.fire(wait)
                },
                deadline: realDeadline
            )
            submit(query, name, waiter)
        }
        guard outcome == .ready, let found = answer.value else { return nil }
        return Self.answer(found, port: query.port)
    }

    private func submit(_ query: Query, _ name: Name, _ waiter: Waiter) {
        let mustStart = state.withLock { state in
            if state.waiters[name] != nil {
                state.waiters[name]?.append(waiter)
                return false
            }
            state.waiters[name] = [waiter]
            state.incoming.append(query)
            guard state.threads < threadBound else { return false }
            state.threads += 1
            return true
        }
        guard mustStart else { return }
        // No thread to be had: better a look-up that holds the loop up than one that never ends.
        if !BackgroundThread.start({ self.work() }) { work() }
    }

    private func work() {
        while let query = takeQuery() {
            let name = Name(text: query.name, family: query.family)
            let found = lookUp(query)
            let waiters = state.withLock { state in
                if !found.mayPass {
                    if state.answers.count >= Self.rememberedNames { state.answers.removeAll(keepingCapacity: true) }
                    state.answers[name] = found
                }
                return state.waiters.removeValue(forKey: name) ?? []
            }
            for waiter in waiters { waiter.wake(found) }
        }
    }

    private func takeQuery() -> Query? {
        state.withLock { state in
            while true {
                if state.outgoing.isEmpty {
                    swap(&state.outgoing, &state.incoming)
                    state.outgoing.reverse()
                }
                guard let query = state.outgoing.popLast() else {
                    state.threads -= 1
                    return nil
                }
                // Where nobody waits any more, others may stand behind it.
                let name = Name(text: query.name, family: query.family)
                let now = MonotonicTime.now
                if state.waiters[name, default: []].contains(where: { now < $0.deadline }) { return query }
                state.waiters[name] = nil
            }
        }
    }

    private static func answer(_ answer: Answer, port: UInt16) -> Answer {
        answer.map { $0.map { $0.port == port ? $0 : $0.with(port: port) } }
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

extension Resolver.Answer {
    fileprivate var mayPass: Bool { if case .failure(let failure) = self { failure.mayPass } else { false } }
}

/// Where a thread leaves what a task waits for.
private final class LateAnswer: Sendable {
    private let answer = Mutex<Resolver.Answer?>(nil)

    var value: Resolver.Answer? { answer.withLock { $0 } }

    func set(_ new: Resolver.Answer) { answer.withLock { $0 = new } }
}
