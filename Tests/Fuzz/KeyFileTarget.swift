import Fetching
import KeyFiles
import Pinning

// Seeds: *.der *.pem *.p12 *.p7b *.p7c *.b64 refused-*

/// Any file that `hash` reads. A file with a private key is recognized if it is given as a list of hosts.
enum KeyFileTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        let results = KeyFile.read(bytes, password: Array("secret".utf8))
        precondition(!results.isEmpty)
        for result in results {
            switch result {
            case .success(let object):
                precondition(object.pin.bytes.count == 32)
                guard object.kind == .privateKey else { continue }
                var reader = TargetListReader(of: "list")
                _ = reader.read(bytes) + reader.finish()
                precondition(reader.isKeyFile)
            case .failure(let error): precondition(!error.message.isEmpty)
            }
        }
    }
}
