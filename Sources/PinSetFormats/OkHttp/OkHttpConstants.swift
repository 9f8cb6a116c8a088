internal import PinSetCodec

/// The constants of other files, which the option `--constants` names.
struct OkHttpConstants {
    private struct File {
        let owners: Set<String>
        let values: [String: [OkHttpValue]]
        let unknown: Set<String>
    }

    private var files: [File] = []
    private var ambiguous: Set<String> = []
    /// The values of names without an owner. A name to which two files give different values has none.
    private(set) var values: [String: [OkHttpValue]] = [:]

    /// - Parameters:
    ///   - owners: the names of the types in the file.
    ///   - unknown: the names to which the file gives other values, which are not known.
    mutating func add(_ values: [String: [OkHttpValue]], of owners: Set<String>, unknown: Set<String> = []) {
        files.append(File(owners: owners, values: values, unknown: unknown))
        for (name, value) in values where !ambiguous.contains(name) {
            if let known = self.values[name], known.map(\.text) != value.map(\.text) {
                ambiguous.insert(name)
                self.values[name] = nil
            } else {
                self.values[name] = value
            }
        }
    }

    /// The values of `OWNER.NAME`; nil if no file declares the owner, or if files give it different values.
    func values(of name: String, in owner: String) -> [OkHttpValue]? {
        let declaring = files.filter { $0.owners.contains(owner) }
        if declaring.contains(where: { $0.unknown.contains(name) }) { return nil }
        let found = declaring.compactMap { $0.values[name] }
        if let first = found.first { return found.allSatisfy { $0.map(\.text) == first.map(\.text) } ? first : nil }
        // Java's name for the members of a Kotlin file outside classes: `PinsKt.ROOT`.
        return owner.hasSuffix("Kt") ? values[name] : nil
    }
}
