internal import COpenSSL

/// Bytes that are wiped from memory when they go (OPENSSL_cleanse(3)).
///
/// That holds as long as nobody keeps a copy of the array that ``withBytes(_:)`` lends.
package final class SecretBytes {
    private var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    deinit { unsafe bytes.withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) } }

    package func withBytes<Value, Failure: Error>(
        _ body: ([UInt8]) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(bytes)
    }
}
