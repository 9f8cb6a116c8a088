/// The last values that were added. When there are too many, a new value replaces the oldest one.
struct RecentValues<Value> {
    private(set) var values: [Value] = []
    private var oldest = 0
    private let maximum: Int

    /// - Parameter maximum: maximum number of values. A search compares all of them.
    init(maximum: Int) { self.maximum = maximum }

    mutating func add(_ value: Value) {
        if values.count < maximum {
            values.append(value)
        } else {
            values[oldest] = value
            oldest = (oldest + 1) % maximum
        }
    }

    mutating func removeAll() {
        values.removeAll(keepingCapacity: true)
        oldest = 0
    }
}
