// Seeds: *.json *.xml *.plist *.kt *.java *.txt *.zone *.swift *.conf *.yml *.yaml *.sync
internal import InputPromises

/// Files that `sync` updates, and its manifest.
enum SyncTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        if let violation = SyncPromise.violation(in: bytes) { preconditionFailure(violation) }
    }
}
