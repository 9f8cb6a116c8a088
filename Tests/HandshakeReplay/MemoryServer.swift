import CHandshakeReplay

/// A TLS server of OpenSSL in memory, for one connection.
@safe
package final class MemoryServer {
    private let pointer: OpaquePointer

    /// - Parameters:
    ///   - chain: path of the chain in PEM, leaf first.
    ///   - key: path of the leaf's private key in PEM.
    ///   - groups: the groups of the key exchange in OpenSSL's notation, such as "P-384:X448".
    package init(_ version: HandshakeReplay.Version, chain: String, key: String, groups: String) throws {
        guard let pointer = unsafe replay_server_new(Int32(version.rawValue), chain, key) else {
            throw HandshakeReplay.SetUpError(description: "no server for \(chain) and \(key)")
        }
        unsafe self.pointer = unsafe pointer
        guard unsafe replay_server_set_groups(pointer, groups) == 1 else {
            throw HandshakeReplay.SetUpError(description: "OpenSSL refuses the groups \(groups)")
        }
    }

    deinit { unsafe replay_server_free(pointer) }

    /// The server's answer to bytes of the client.
    package func answer(_ bytes: [UInt8]) -> [UInt8] {
        var output: UnsafePointer<UInt8>?
        let count = unsafe replay_server_answer(pointer, bytes, bytes.count, &output)
        return unsafe Array(UnsafeBufferPointer(start: output, count: count))
    }
}
