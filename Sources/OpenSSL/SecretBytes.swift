internal import COpenSSL

/// Bytes that are wiped from memory on deinitialization (OPENSSL_cleanse(3)).
///
/// Callers must not keep a copy of the array that ``withBytes(_:)`` passes.
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
