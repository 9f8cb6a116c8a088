/// A measured value for monitoring.
package struct CheckMeasurement {
    /// Metric name without the prefix `pinctl_`: snake case with the unit at the end, as Prometheus recommends.
    package let name: String
    /// One sentence without a full stop.
    package let help: String
    /// Labels that distinguish measurements with the same name in one case.
    package var labels: [(name: String, value: String)] = []
    package let value: Int64

    package init(name: String, help: String, labels: [(name: String, value: String)] = [], value: Int64) {
        self.name = name
        self.help = help
        self.labels = labels
        self.value = value
    }
}
