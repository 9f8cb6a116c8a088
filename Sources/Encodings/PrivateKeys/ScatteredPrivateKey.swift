/// A private key in an input whose characters cannot all be told from other text.
package struct ScatteredPrivateKey: Error, Equatable {
    package enum Reason: Sendable {
        /// Only the start of the key is in one place.
        case divided
        /// Characters of the key are escaped.
        case escaped
    }

    package let reason: Reason
    /// The line of the input, from 1.
    package let line: Int

    init(_ reason: Reason, line: Int) { (self.reason, self.line) = (reason, line) }

    init(_ reason: Reason, at index: Int, in text: [UInt8]) {
        self.init(reason, line: 1 + text[..<index].count { $0 == 0x0A })
    }
}
