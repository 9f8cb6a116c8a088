/// The version of the package; the only place that names it.
package enum ToolVersion {
    /// Major, minor and patch version (semver.org).
    package static let current = "0.1.0"
}
