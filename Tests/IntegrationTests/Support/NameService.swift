import Foundation
import TestSupport

/// Host names for one run of a command, with any number of addresses (nss_wrapper(1)).
enum NameService {
    static let library: String? = {
        let machine = (try? ChildProcess.output(of: ["uname", "-m"])).map {
            String(decoding: $0.dropLast(), as: UTF8.self)
        }
        guard let machine else { return nil }
        return ["/usr/lib/\(machine)-linux-gnu", "/usr/lib64", "/usr/lib"].map { "\($0)/libnss_wrapper.so" }
            .first { FileManager.default.fileExists(atPath: $0) }
    }()

    /// nss_wrapper loads the C library with RTLD_DEEPBIND, which AddressSanitizer and ThreadSanitizer refuse.
    static let exists = library != nil && !["address", "thread"].contains(TestEnvironment.sanitizer)

    /// - Parameter hosts: lines as in /etc/hosts.
    static func environment(_ hosts: String, in folder: TemporaryFolder) throws -> [String: String] {
        ["LD_PRELOAD": library ?? "", "NSS_WRAPPER_HOSTS": try folder.write(hosts + "\n", to: "hosts")]
    }
}
