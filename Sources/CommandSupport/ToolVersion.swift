internal import CSystem

/// The version of the package and its date. No other file contains them.
package enum ToolVersion {
    /// Major, minor and patch version (semver.org).
    package static let current = "0.1.0"
    /// The day of the last change of this version, as manual pages show it.
    package static let date = "November 22, 2026"

    /// The commit that the program was built from; nil if the build did not name it (`Scripts/build` with `COMMIT`).
    package static var commit: String? {
        let text = unsafe String(cString: pinctl_commit())
        return text.isEmpty ? nil : text
    }
}
