// Seeds: *.binary
internal import Encodings
internal import Pinning

/// Binary property lists. A parsed list is written and gives the same list again.
enum PropertyListTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        guard let list = try? PropertyList(bytes), list.form == .binary else { return }
        guard let again = try? list.replacingRoot(with: list.root), let copy = try? PropertyList(again) else {
            preconditionFailure("what was written does not read")
        }
        precondition(copy.root == list.root)
    }
}
