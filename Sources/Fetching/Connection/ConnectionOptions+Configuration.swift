internal import CertificateProbe
internal import OpenSSL

extension ConnectionOptions {
    /// Whether OpenSSL's configuration file (config(5), `system_default`) changes what connections offer, so that a server can select
    /// another certificate than without this file.
    package var areLimitedByConfiguration: Bool {
        var unlimited = self
        unlimited.ignoresConfiguration = true
        guard !ignoresConfiguration, let limited = probeSettings, let complete = unlimited.probeSettings else {
            return !ignoresConfiguration
        }
        return !limited.offersAll(of: complete)
    }

    private var probeSettings: CertificateProbe.Settings? {
        guard let context = try? ClientContext(settings(accepting: keyTypes.accepted)) else { return nil }
        return CertificateProbe.Settings(context)
    }
}
