// Seeds: *.binary
internal import Pinning
internal import PropertyLists

/// Binary property lists. If a parsed list is written and read again, the result is the same list.
enum PropertyListTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        guard let list = try? PropertyList(bytes), list.form == .binary else { return }
        guard let again = try? list.replacingRoot(with: list.root), let copy = try? PropertyList(again) else {
            preconditionFailure("what was written does not read")
        }
        precondition(copy.root == list.root)
    }
}
