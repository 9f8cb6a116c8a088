// Seeds: *.host *.challenge *.proxy *.pem *.key
internal import InputPromises

/// Text from outside in messages.
enum MessageTextTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        if let violation = MessageTextPromise.violation(in: bytes) { preconditionFailure(violation) }
    }
}
