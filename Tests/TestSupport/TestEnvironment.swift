internal import Foundation

/// The environment of commands: that of the tests without the variables that would change results.
package enum TestEnvironment {
    package static let base: [String: String] = {
        var variables = ProcessInfo.processInfo.environment
        for name in variables.keys where cleared.contains(name) || name.lowercased().hasSuffix("_proxy") {
            variables[name] = nil
        }
        // Debian installs nginx in /usr/sbin.
        variables["PATH", default: "/usr/bin:/bin"] += ":/usr/sbin:/sbin"
        variables["TZ"] = "UTC"
        return variables
    }()

    /// The program that slows the tests down and needs more memory (Scripts/sanitize): `address`, `thread` or `valgrind`.
    package static let sanitizer = ProcessInfo.processInfo.environment["PINCTL_TEST_SANITIZER"]

    /// A time limit within which a program must do something; ten times as long with a sanitizer or valgrind.
    package static func limit(_ duration: Duration) -> Duration { sanitizer == nil ? duration : duration * 10 }

    /// Whether tests with random inputs run all their rounds (the variable `PINCTL_TEST_ROUNDS` is `all`).
    package static let runsAllRounds = ProcessInfo.processInfo.environment["PINCTL_TEST_ROUNDS"] == "all"

    /// The number of rounds of a test with random inputs: usually a quarter, and with a sanitizer or valgrind, which need up to 100 times as
    /// long, a tenth.
    package static func rounds(_ count: Int) -> Int {
        max(1, runsAllRounds ? count : sanitizer == nil ? count / 4 : count / 10)
    }

    private static let cleared: Set<String> = [
        "SSL_CERT_FILE", "SSL_CERT_DIR", "NO_COLOR", "COLUMNS", "TERM", "OPENSSL_CONF", "LD_PRELOAD", "LANG", "LC_ALL",
    ]
}
