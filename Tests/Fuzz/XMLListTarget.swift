// Seeds: *.xml *.plist
internal import InputPromises

/// Edits of a list of elements in an XML text.
enum XMLListTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        if let violation = XMLListPromise.violation(in: bytes) { preconditionFailure(violation) }
    }
}
