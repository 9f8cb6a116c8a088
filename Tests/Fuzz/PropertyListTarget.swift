// Seeds: *.binary
internal import Pinning

/// Binary property lists: what is read and written again reads the same.
enum PropertyListTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        guard let list = try? PropertyList(bytes), list.form == .binary else { return }
        guard let again = try? list.replacingRoot(with: list.root), let copy = try? PropertyList(again) else {
            preconditionFailure("what was written does not read")
        }
        precondition(copy.root == list.root)
    }
}
