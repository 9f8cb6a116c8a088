package import Fetching
package import Pinning

extension Fetcher {
    /// Starts a fetcher for a stream of targets.
    ///
    /// - Throws: ``CommandError`` if resources are exhausted, OpenSSL rejects the settings, or an output of the command would
    ///   replace an input.
    package static func started(
        _ options: ConnectionOptions, trust: TrustPolicy, at time: Timestamp?, load: LoadLimits, targets: TargetChannel
    ) throws(CommandError) -> Fetcher {
        try OutputFile.checkConflicts()
        // Selected here, because the fetcher starts the first threads.
        _ = KeyDecoding.current
        do throws(FetcherSetUpError) {
            return try Fetcher(options, trust: trust, at: time, load: load, targets: targets)
        } catch {
            switch error {
            case .noDescriptors:
                throw CommandError(
                    "too many open files: the limit of this process is reached", hint: "raise the limit with ulimit -n")
            case .openSSL(let text):
                throw CommandError("OpenSSL rejects these settings: \(text)")
            }
        }
    }

    /// Starts a fetcher for a list of targets.
    package static func started(
        _ options: ConnectionOptions, trust: TrustPolicy, at time: Timestamp?, load: LoadLimits, targets: [Target]
    ) throws(CommandError) -> Fetcher {
        try started(
            options, trust: trust, at: time, load: load, targets: TargetChannel(targets.map { .target($0) }))
    }
}
