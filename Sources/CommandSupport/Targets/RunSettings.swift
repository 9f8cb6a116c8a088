package import Fetching
package import Pinning

/// The settings with which a run connects to its hosts, and with which it searches further chains and addresses of them.
package struct RunSettings {
    package var options: ConnectionOptions
    package let trust: TrustPolicy
    /// Validation time; nil for now.
    package let time: Timestamp?
    package let load: LoadLimits

    /// - Parameter time: Validation time; nil for now.
    package init(_ options: ConnectionOptions, trust: TrustPolicy, at time: Timestamp?, load: LoadLimits) {
        (self.options, self.trust, self.time, self.load) = (options, trust, time, load)
    }

    /// Starts a fetcher for a list of targets.
    ///
    /// - Throws: ``CommandError`` if resources are exhausted, OpenSSL rejects the settings, or an output of the command would
    ///   replace an input.
    package func fetcher(for targets: [Target]) throws(CommandError) -> Fetcher {
        try Fetcher.started(options, trust: trust, at: time, load: load, targets: targets)
    }

    /// These settings with other connection options.
    package func with(_ options: ConnectionOptions) -> RunSettings {
        var settings = self
        settings.options = options
        return settings
    }
}
