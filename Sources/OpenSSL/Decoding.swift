internal import COpenSSL

extension [UInt8] {
    /// Lends the bytes to one of OpenSSL's `d2i_` functions.
    ///
    /// - Returns: what the function made, and how many bytes it read to make it.
    func decoded<Value>(
        by function: (inout UnsafePointer<UInt8>?, Int) -> Value?
    ) -> (value: Value?, read: Int) {
        unsafe withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            let value = unsafe function(&cursor, bytes.count)
            guard let start = bytes.baseAddress, let end = unsafe cursor else { return (value, 0) }
            return unsafe (value, end - start)
        }
    }

    /// Copies what one of OpenSSL's `i2d_` functions writes into memory of its own, and frees that; nil if it fails.
    init?(encodedBy function: (inout UnsafeMutablePointer<UInt8>?) -> Int32) {
        var output: UnsafeMutablePointer<UInt8>?
        let count = unsafe function(&output)
        guard count >= 0, let output = unsafe output else { return nil }
        defer { unsafe CRYPTO_clear_free(output, Int(count), nil, 0) }
        self = unsafe Array(UnsafeBufferPointer(start: output, count: Int(count)))
    }
}
