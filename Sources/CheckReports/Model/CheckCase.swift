internal import PinSetMaintenance

/// One checked thing: a host, a pin set, or a copy of a pin set.
package struct CheckCase {
    /// Display name, such as `api.example.com` or `app/Info.plist`.
    package let name: String
    /// Problems and remarks; empty if there are none.
    package let findings: [CheckFinding]
    /// Measured values.
    package var measurements: [CheckMeasurement] = []
    /// Labels of the case's metrics in addition to its name.
    package var labels: [(name: String, value: String)] = []

    /// Whether no pin matches, but the set only reports that.
    package var isOnlyReported = false

    package init(
        name: String, findings: [CheckFinding], measurements: [CheckMeasurement] = [],
        labels: [(name: String, value: String)] = []
    ) {
        self.name = name
        self.findings = findings
        self.measurements = measurements
        self.labels = labels
    }

    /// Whether no finding makes the command fail.
    package var passes: Bool { !findings.contains { $0.severity == .error } }
}
