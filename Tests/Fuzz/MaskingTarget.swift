// Seeds: *.masking
internal import InputPromises

/// The text of a server that can contain a password.
enum MaskingTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        if let violation = MaskingPromise.violation(in: bytes) { preconditionFailure(violation) }
    }
}
