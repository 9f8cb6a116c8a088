/// A value for each of some file descriptors.
///
/// It is an array, because descriptors are small numbers: the system assigns the lowest one that is free (POSIX.1-2024, XSH 2.6). A
/// dictionary would cost a hash for each access, and its first use a search in the conformances of the program.
struct DescriptorTable<Value> {
    private var values: [Value?] = []

    subscript(descriptor: Int32) -> Value? {
        get {
            let index = Int(descriptor)
            return values.indices.contains(index) ? values[index] : nil
        }
        set {
            let index = Int(descriptor)
            guard index >= 0 else { return }
            guard index < values.count || newValue != nil else { return }
            while values.count <= index { values.append(nil) }
            values[index] = newValue
        }
    }
}
