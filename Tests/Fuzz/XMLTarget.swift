// Seeds: *.xml *.plist
internal import InputPromises
internal import Pinning
internal import PropertyLists
internal import XMLDocuments

/// XML and XML property lists. An edit that changes nothing keeps all bytes. After other edits, values and labels read back.
enum XMLTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        _ = try? XMLDocument(bytes)
        guard let list = try? PropertyList(bytes), list.form == .xml else { return }
        precondition((try? list.replacingRoot(with: list.root)) == bytes)
        if let violation = PropertyListPromise.violation(in: bytes) { preconditionFailure(violation) }
    }
}
