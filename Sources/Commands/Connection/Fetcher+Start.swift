internal import Fetching
internal import Pinning
internal import Synchronization

extension Fetcher {
    /// A fetcher for a list that is known as a whole.
    static func started(
        _ options: ConnectionOptions, trust: TrustPolicy, at time: Timestamp?, jobs: Int, targets: [Target]
    ) throws(CommandError) -> Fetcher {
        let next = Mutex(targets.startIndex)
        do throws(SetUpError) {
            return try Fetcher(options, trust: trust, at: time, jobs: jobs) {
                next.withLock { index in
                    guard index < targets.endIndex else { return nil }
                    defer { index += 1 }
                    return targets[index]
                }
            }
        } catch {
            switch error {
            case .noDescriptors:
                throw CommandError("this process may open no more files", hint: "raise the limit with ulimit -n")
            case .openSSL(let text):
                throw CommandError("OpenSSL does not take these settings: \(text)")
            }
        }
    }
}
