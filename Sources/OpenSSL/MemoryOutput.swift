internal import COpenSSL

/// A memory buffer that OpenSSL writes to: a `BIO`. OpenSSL wipes the buffer when it frees it.
@safe
struct MemoryOutput: ~Copyable {
    let pointer: OpaquePointer

    init() throws(OpenSSLError) {
        OpenSSLError.clear()
        guard let pointer = unsafe BIO_new(BIO_s_mem()) else { throw OpenSSLError.drain() }
        unsafe self.pointer = unsafe pointer
    }

    deinit { unsafe BIO_free_all(pointer) }

    /// A copy of the bytes written so far.
    var bytes: [UInt8] {
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe pinctl_BIO_get_mem_data(pointer, &start)
        guard count > 0, let start = unsafe start else { return [] }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}
