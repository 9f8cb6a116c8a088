internal import COpenSSL

extension [UInt8] {
    /// Decodes the bytes with one of OpenSSL's `d2i_` functions.
    ///
    /// - Returns: the decoded value and the number of bytes read.
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

    /// Copies the output of one of OpenSSL's `i2d_` functions and wipes the original; nil if the function fails.
    init?(encodedBy function: (inout UnsafeMutablePointer<UInt8>?) -> Int32) {
        var output: UnsafeMutablePointer<UInt8>?
        let count = unsafe function(&output)
        guard count >= 0, let output = unsafe output else { return nil }
        defer { unsafe CRYPTO_clear_free(output, Int(count), nil, 0) }
        self = unsafe Array(UnsafeBufferPointer(start: output, count: Int(count)))
    }
}
