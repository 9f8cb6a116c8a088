import Authentication
import Pinning

// Seeds: *.netrc

/// `.netrc` files, and the file of stored passwords.
enum NetrcTarget: FuzzTarget {
    private struct Bytes: CredentialFile {
        let bytes: [UInt8]

        func read() throws(CredentialStorageError) -> [UInt8]? { bytes }
        func replace(with bytes: [UInt8]) throws(CredentialStorageError) {
            // What a storage writes, another storage reads.
            precondition((try? CredentialStorage(file: Bytes(bytes: bytes))) != nil)
        }
    }

    static func run(_ bytes: [UInt8]) {
        do throws(Netrc.Failure) {
            let netrc = try Netrc(parsing: bytes)
            for host in ["h.test", "localhost"] {
                guard let credential = netrc.credential(for: host) else { continue }
                precondition(credential.user != nil)
            }
        } catch {
            precondition(error.line >= 1)
        }
        guard let storage = try? CredentialStorage(file: Bytes(bytes: bytes)) else { return }
        let space = ProtectionSpace(
            host: "h.test", port: 443, protocol: .https, realm: "r", authenticationMethod: .httpBasic)
        try? storage.set(Credential(user: "u", password: "p", persistence: .permanent), for: space)
    }
}
