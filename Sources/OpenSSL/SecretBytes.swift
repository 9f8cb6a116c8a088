internal import COpenSSL
internal import Synchronization

/// Bytes that are wiped from memory on deinitialization (OPENSSL_cleanse(3)).
///
/// Callers must not keep a copy of the array that they pass, or of the one that ``withBytes(_:)`` passes.
package final class SecretBytes: Sendable {
    private let bytes: Mutex<[UInt8]>

    package init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

    deinit { bytes.withLock { Self.wipe(&$0) } }

    package func withBytes<Value: ~Copyable, Failure: Error>(
        _ body: ([UInt8]) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(bytes.withLock { $0 })
    }

    /// Overwrites an array that contained a secret.
    package static func wipe(_ bytes: inout [UInt8]) {
        unsafe bytes.withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
    }
}
