/// Writes DER elements around existing bytes.
package enum DERWriter {
    /// An element with `contents` and with a length of minimal size (X.690, section 10.1).
    ///
    /// - Parameter identifier: the identifier byte. Tags of several bytes are not supported.
    package static func element(_ identifier: UInt8, _ contents: some Collection<UInt8>) -> [UInt8] {
        var output = [identifier]
        output.reserveCapacity(contents.count + 6)
        if contents.count < 0x80 {
            output.append(UInt8(contents.count))
        } else {
            var length: [UInt8] = []
            var rest = contents.count
            while rest > 0 {
                length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
                rest >>= 8
            }
            output.append(0x80 | UInt8(length.count))
            output += length
        }
        output += contents
        return output
    }

    /// A SEQUENCE of encoded elements.
    package static func sequence(_ elements: ArraySlice<UInt8>...) -> [UInt8] {
        element(0x30, elements.joined().map(\.self))
    }
}
