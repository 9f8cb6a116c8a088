internal import CSystem

/// A password in memory that is locked, not part of a core dump, and overwritten when it is freed.
@safe
package final class Password {
    /// In bytes.
    package static let maximumLength = 65_536

    private let memory: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    /// Creates an empty password; nil if there is no memory.
    package init?() {
        guard let start = unsafe pinctl_allocate_secret(Self.maximumLength) else { return nil }
        unsafe memory = UnsafeMutableRawBufferPointer(start: start, count: Self.maximumLength)
    }

    deinit { unsafe pinctl_free_secret(memory.baseAddress, Self.maximumLength) }

    package var isEmpty: Bool { count == 0 }

    /// - Returns: false if the password already has its maximum length; then nothing is added.
    package func append(_ byte: UInt8) -> Bool {
        guard count < Self.maximumLength else { return false }
        unsafe memory[count] = byte
        count += 1
        return true
    }

    /// - Returns: false if there is no room for all bytes; then nothing is added.
    package func append(_ bytes: some Collection<UInt8>) -> Bool {
        guard bytes.count <= Self.maximumLength - count else { return false }
        return bytes.allSatisfy { append($0) }
    }

    /// Removes the bytes of the last UTF-8 character.
    package func removeLastCharacter() {
        while count > 0 {
            count -= 1
            let byte = unsafe memory[count]
            unsafe memory[count] = 0
            if byte & 0xC0 != 0x80 { return }
        }
    }

    package func removeAll() {
        unsafe pinctl_wipe(memory.baseAddress, Self.maximumLength)
        count = 0
    }

    package func isEqual(to other: Password) -> Bool { withBytes { bytes in other.withBytes { $0 == bytes } } }

    /// Calls `body` with a copy of the password. The copy is overwritten afterwards unless `body` keeps a reference to it.
    package func withBytes<Value, Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Value) throws(Failure) -> Value {
        var bytes = unsafe Array(memory.prefix(count))
        defer { Self.wipe(&bytes) }
        return try body(bytes)
    }

    /// Overwrites an array that contained a secret.
    package static func wipe(_ bytes: inout [UInt8]) {
        unsafe bytes.withUnsafeMutableBytes { buffer in
            if let start = buffer.baseAddress { unsafe pinctl_wipe(start, buffer.count) }
        }
    }
}
