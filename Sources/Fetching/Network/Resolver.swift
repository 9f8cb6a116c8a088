internal import CSystem
internal import Encodings
internal import PlaintextProtocols
internal import Synchronization

/// Resolves host names with getaddrinfo(3), which blocks, on background threads.
package final class Resolver: Sendable {
    struct Query: Sendable {
        let name: String
        let port: UInt16
        let family: AddressFamily
        /// The time in milliseconds after which no task waits for the answer; nil if it is not known.
        var limit: Int32?
    }

    typealias Answer = Result<[Endpoint], ResolveFailure>

    /// A query without its port, which does not affect the addresses.
    private struct Name: Hashable, Sendable {
        let text: String
        let family: AddressFamily
    }

    /// A task that waits for a name.
    private struct Waiter: Sendable {
        let wake: @Sendable (Answer) -> Void
        let deadline: MonotonicTime
    }

    private struct State: ~Copyable {
        /// Queries that no thread has taken yet, newest last. They are moved to `outgoing`, which has the reverse order.
        var incoming: [Query] = []
        var outgoing: [Query] = []
        var waiters: [Name: [Waiter]] = [:]
        var answers: [Name: Answer] = [:]
        /// Number of addresses in ``answers``.
        var cachedAddresses = 0
        var threads = 0
    }

    /// Maximum number of cached answers; the cache is emptied when it is full.
    private static let maximumCachedNames = 8192
    /// Maximum number of addresses in cached answers; the cache is emptied when it is full. One answer can have thousands.
    private static let maximumCachedAddresses = 8 * maximumCachedNames

    /// Maximum number of concurrent look-ups if some are not answered.
    private static let maximumThreadsWithSlowAnswers = 512

    private let state = Mutex(State())
    private let maximumThreads: Int
    private let patience: Duration
    private let lookUp: @Sendable (Query) -> Answer
    private let mayStartMore: @Sendable () -> Bool
    private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool

    /// With a limit on the memory of the process, no second thread is started if less than half of the memory that is available now
    /// remains. An allocation beyond the limit would end the process.
    package convenience init() {
        let kept = MemoryLimit.available.map { $0 / 2 }
        self.init(mayStartMore: {
            guard let kept, let available = MemoryLimit.available else { return true }
            return available >= kept
        })
    }

    /// - Parameters:
    ///   - maximumThreads: maximum number of concurrent look-ups if every look-up is answered within `patience`.
    ///   - patience: time that a task waits for its answer. After that it starts another thread for the queries that no thread
    ///     has taken. Otherwise a few name servers that do not answer would block the look-ups of all other hosts.
    ///   - lookUp: the blocking look-up; tests replace it.
    ///   - mayStartMore: whether a thread may be started besides the present ones.
    ///   - startThread: runs a closure on a new thread; returns false if the system cannot create one. Tests replace it.
    init(
        maximumThreads: Int = 32, patience: Duration = .milliseconds(100),
        lookUp: @escaping @Sendable (Query) -> Answer = Resolver.systemLookUp,
        mayStartMore: @escaping @Sendable () -> Bool = { true },
        startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = { BackgroundThread.start($0) }
    ) {
        self.maximumThreads = maximumThreads
        self.patience = patience
        self.lookUp = lookUp
        self.mayStartMore = mayStartMore
        self.startThread = startThread
    }

    /// Resolves a name; nil if the deadline passes first. Concurrent queries for a name share one look-up.
    ///
    /// A look-up cannot be cancelled. Its answer also serves later queries for the same name. Transient failures are not cached.
    func resolve(_ query: Query, until deadline: MonotonicTime, on loop: isolated EventLoop) async -> Answer? {
        let name = Name(text: query.name, family: query.family)
        if let known = state.withLock({ $0.answers[name] }) { return Self.answer(known, port: query.port) }
        let pending = PendingAnswer()
        let realDeadline = loop.realTime(of: deadline)
        var query = query
        query.limit = MonotonicTime.now.milliseconds(until: realDeadline)
        let firstDeadline = min(deadline, loop.now + patience)
        var outcome = await loop.wait(until: firstDeadline) { wait in
            _ = pending.attach(wait)
            let waiter = Waiter(
                wake: { answer in
                    if let wait = pending.set(answer) { loop.fire(wait) }
                },
                deadline: realDeadline
            )
            submit(query, name, waiter)
        }
        if outcome == .timedOut, firstDeadline < deadline {
            startThreadForQueuedQueries()
            outcome = await loop.wait(until: deadline) { wait in
                if pending.attach(wait) { loop.fire(wait) }
            }
        }
        guard outcome == .ready, let found = pending.answer else { return nil }
        return Self.answer(found, port: query.port)
    }

    private func startThreadForQueuedQueries() {
        let mustStart = state.withLock { state in
            guard !state.incoming.isEmpty || !state.outgoing.isEmpty else { return false }
            guard state.threads < Self.maximumThreadsWithSlowAnswers, state.threads == 0 || mayStartMore() else {
                return false
            }
            state.threads += 1
            return true
        }
        if mustStart { startWorker() }
    }

    private func submit(_ query: Query, _ name: Name, _ waiter: Waiter) {
        let mustStart = state.withLock { state in
            if state.waiters[name] != nil {
                state.waiters[name]?.append(waiter)
                return false
            }
            state.waiters[name] = [waiter]
            state.incoming.append(query)
            guard state.threads < maximumThreads, state.threads == 0 || mayStartMore() else { return false }
            state.threads += 1
            return true
        }
        if mustStart { startWorker() }
    }

    /// Starts a thread that is counted already. Fails all look-ups if the system creates none, and none is left.
    private func startWorker() {
        guard !startThread({ self.work() }) else { return }
        // Without any thread, no look-up is made: on this thread, it would block the loop.
        let waiters = state.withLock { state in
            state.threads -= 1
            guard state.threads == 0 else { return [Waiter]() }
            state.incoming = []
            state.outgoing = []
            defer { state.waiters = [:] }
            return state.waiters.values.flatMap(\.self)
        }
        for waiter in waiters { waiter.wake(.failure(.noThread)) }
    }

    private func work() {
        while let query = takeQuery() {
            let name = Name(text: query.name, family: query.family)
            let found =
                query.limit.map { limit in StreamLimit.within(milliseconds: limit) { lookUp(query) } } ?? lookUp(query)
            let waiters = state.withLock { state in
                if !found.isTransient { Self.cache(found, for: name, &state) }
                return state.waiters.removeValue(forKey: name) ?? []
            }
            for waiter in waiters { waiter.wake(found) }
        }
    }

    private static func cache(_ answer: Answer, for name: Name, _ state: inout State) {
        let count = (try? answer.get().count) ?? 0
        if state.answers.count >= maximumCachedNames || state.cachedAddresses + count > maximumCachedAddresses {
            state.answers.removeAll(keepingCapacity: true)
            state.cachedAddresses = 0
        }
        state.answers[name] = answer
        state.cachedAddresses += count
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
                // Names are skipped if all their queries have timed out.
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
        // A thread that waits for a name server that does not answer cannot look up the names of other hosts.
        let code = unsafe pinctl_look_up(query.name, &hints, &list, query.limit.map { $0 / 1000 + 1 } ?? 0)
        guard code == 0 else {
            let error = code == EAI_SYSTEM ? SystemError.last : Self.descriptorShortage
            let failure = ResolveFailure(code: code, systemError: error)
            guard query.family != .any else { return .failure(failure) }
            return Self.answer(
                unsafe answer(afterFailure: failure, of: query.name, hints.ai_family), port: query.port)
        }
        defer { unsafe freeaddrinfo(list) }
        var endpoints: [Endpoint] = []
        // A set, once there are many. Its first use at run time costs a search in the conformances of the program.
        var known: Set<Endpoint> = []
        var next = unsafe list
        while let entry = unsafe next {
            if let address = unsafe entry.pointee.ai_addr,
                let endpoint = unsafe Endpoint(address, length: entry.pointee.ai_addrlen, port: query.port),
                known.isEmpty ? !endpoints.contains(endpoint) : known.insert(endpoint).inserted
            {
                endpoints.append(endpoint)
                if endpoints.count == AddressLimits.maximumConnections { known = Set(endpoints) }
            }
            unsafe next = unsafe entry.pointee.ai_next
        }
        return endpoints.isEmpty ? .failure(ResolveFailure(code: EAI_NONAME)) : .success(endpoints)
    }
}

extension Resolver {
    /// The system's error if the process or the system has no free descriptor; otherwise nil. Without a free descriptor,
    /// getaddrinfo(3) cannot open its files and sockets, and wrongly reports that the name does not exist.
    private static var descriptorShortage: SystemError? {
        let descriptor = pinctl_tcp_socket(AF_INET)
        guard descriptor < 0 else {
            close(descriptor)
            return nil
        }
        let error = SystemError.last
        return error.isShortage ? error : nil
    }
}

extension Resolver.Answer {
    fileprivate var isTransient: Bool { if case .failure(let failure) = self { failure.isTransient } else { false } }
}

/// Passes an answer from a thread to a task. The task can wait for it several times.
private final class PendingAnswer: Sendable {
    private let state = Mutex<(answer: Resolver.Answer?, wait: EventLoop.WaitID?)>((nil, nil))

    var answer: Resolver.Answer? { state.withLock { $0.answer } }

    /// - Returns: the wait that must end now.
    func set(_ answer: Resolver.Answer) -> EventLoop.WaitID? {
        state.withLock {
            $0.answer = answer
            return $0.wait
        }
    }

    /// - Returns: whether the answer has already arrived.
    func attach(_ wait: EventLoop.WaitID) -> Bool {
        state.withLock {
            $0.wait = wait
            return $0.answer != nil
        }
    }
}
