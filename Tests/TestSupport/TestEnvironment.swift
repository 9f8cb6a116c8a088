internal import Foundation

/// The environment that commands run in: that of the tests, without what would change their results.
package enum TestEnvironment {
    package static let base: [String: String] = {
        var variables = ProcessInfo.processInfo.environment
        for name in variables.keys where cleared.contains(name) || name.lowercased().hasSuffix("_proxy") {
            variables[name] = nil
        }
        // Where Debian keeps nginx.
        variables["PATH", default: "/usr/bin:/bin"] += ":/usr/sbin:/sbin"
        variables["TZ"] = "UTC"
        return variables
    }()

    private static let cleared: Set<String> = [
        "SSL_CERT_FILE", "SSL_CERT_DIR", "NO_COLOR", "COLUMNS", "TERM", "OPENSSL_CONF", "LD_PRELOAD", "LANG", "LC_ALL",
    ]
}
