internal import Fetching
internal import Pinning

extension Fetcher {
    /// A fetcher, or what keeps it from starting in words for people.
    static func started(
        _ options: ConnectionOptions, trust: TrustPolicy, at time: Timestamp?, load: LoadLimits, targets: TargetChannel
    ) throws(CommandError) -> Fetcher {
        do throws(FetcherSetUpError) {
            return try Fetcher(options, trust: trust, at: time, load: load, targets: targets)
        } catch {
            switch error {
            case .noDescriptors:
                throw CommandError("this process may open no more files", hint: "raise the limit with ulimit -n")
            case .openSSL(let text):
                throw CommandError("OpenSSL does not take these settings: \(text)")
            }
        }
    }

    /// The same for targets that are known as a whole.
    static func started(
        _ options: ConnectionOptions, trust: TrustPolicy, at time: Timestamp?, load: LoadLimits, targets: [Target]
    ) throws(CommandError) -> Fetcher {
        try started(
            options, trust: trust, at: time, load: load, targets: TargetChannel(targets.map { .target($0) }))
    }
}
