/// The version of the package. No other file contains it.
package enum ToolVersion {
    /// Major, minor and patch version (semver.org).
    package static let current = "0.1.0"
}
