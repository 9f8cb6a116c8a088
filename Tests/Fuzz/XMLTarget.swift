// Seeds: *.xml *.plist
internal import Pinning

/// XML, and property lists in it: a list that changes nothing keeps its bytes.
enum XMLTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        _ = try? XMLDocument(bytes)
        guard let list = try? PropertyList(bytes), list.form == .xml else { return }
        precondition((try? list.replacingRoot(with: list.root)) == bytes)
    }
}
