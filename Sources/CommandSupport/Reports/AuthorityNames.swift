internal import Encodings
internal import FileConflicts
package import Pinning

/// Names for pins without a label. They come from the table of known CAs and from the trust stores in use, so that an installed
/// private CA has a name too.
///
/// The stores are read once, when the first pin must be shown that is not in the table. Pins of certificates are not looked up in
/// the stores, because a certificate contains its name.
package final class AuthorityNames {
    private let sources: [TrustSource]
    private lazy var installed = Self.names(in: sources)

    package init(_ sources: [TrustSource]) { self.sources = sources }

    /// The name of the authority with this key; nil if it is unknown, or if the pin is for a leaf.
    package func name(of key: PinSet.PinnedKey) -> String? {
        key.role == .leaf ? KnownAuthorities.name(of: key.pin) : name(of: key.pin)
    }

    package func name(of pin: Pin) -> String? { KnownAuthorities.name(of: pin) ?? installed[pin] }

    /// Maximum number of files read from one folder; Debian's has about 140.
    private static let maximumFiles = 4096

    private static func names(in sources: [TrustSource]) -> [Pin: String] {
        var names: [Pin: String] = [:]
        var folders: Set<PathKey> = []
        for source in sources {
            add(source.anchors?.certificates ?? [], to: &names)
            add(source.bundle?()?.certificates ?? [], to: &names)
            for folder in source.hashedDirectories.flatMap({
                $0.parts(separatedBy: ":").filter { !$0.isEmpty }.map(String.init)
            })
            where folders.insert(PathKey(folder)).inserted {
                for file in files(inFolder: folder) {
                    guard let bytes = try? InputFile.bytes(at: "\(folder)/\(file)", for: .certificatesOrSecrets) else {
                        continue
                    }
                    let anchors = (try? TrustAnchors.readable(in: bytes)) ?? []
                    add(anchors.map(\.certificate), to: &names)
                }
            }
        }
        return names
    }

    private static func add(_ certificates: [Certificate], to names: inout [Pin: String]) {
        for certificate in certificates {
            guard let name = certificate.subject?.displayName, !name.isEmpty else { continue }
            let pin = certificate.pin
            if names[pin] == nil { names[pin] = name }
        }
    }

    /// Names of the files that OpenSSL reads, such as `0a775a30.0` (openssl-rehash(1)).
    private static func files(inFolder folder: String) -> some Sequence<String> {
        let names = (try? InputFile.names(inFolder: folder)) ?? []
        return names.lazy.filter { name in
            let (hash, number) = (name.utf8.prefix(8), name.utf8.dropFirst(9))
            return hash.allSatisfy { "0123456789abcdef".utf8.contains($0) }
                && name.utf8.dropFirst(8).first == UInt8(ascii: ".")
                && !number.isEmpty && number.allSatisfy { "0123456789".utf8.contains($0) }
        }.prefix(maximumFiles)
    }
}
