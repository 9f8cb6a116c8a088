internal import Encodings
internal import Pinning

/// Types of files that people give instead of certificates by mistake. The raw value is the name in messages.
package enum UnsupportedFileType: String, Sendable, CaseIterable {
    case jpeg = "a JPEG image"
    case png = "a PNG image"
    case gif = "a GIF image"
    case pdf = "a PDF document"
    case gzip = "gzip data"
    case bzip2 = "bzip2 data"
    case xz = "xz data"
    case zstandard = "Zstandard data"
    case zip = "a ZIP archive"
    case executable = "an executable file"
    case database = "an SQLite database"
    case javaKeyStore = "a Java key store"
    case openSSHPrivateKey = "an OpenSSH private key"
    case sshPublicKey = "an SSH public key"
    case puttyKey = "a PuTTY private key"
    case pgp = "a PGP key or message"
    case revocationList = "a certificate revocation list"
    case parameters = "a set of parameters without a key"
    case markup = "HTML or XML"
    case json = "JSON"
    case utf16 = "text in UTF-16"
    case digest = "a digest"

    /// How to convert a file of this type to one that is supported; nil if that is not possible.
    package var hint: String? {
        switch self {
        case .javaKeyStore:
            "convert it: keytool -importkeystore -srckeystore FILE -destkeystore FILE.p12 -deststoretype PKCS12"
        case .openSSHPrivateKey: "convert it in place: ssh-keygen -p -m PKCS8 -f FILE"
        case .sshPublicKey: "convert it to PEM: ssh-keygen -e -m PKCS8 -f FILE"
        case .gzip, .bzip2, .xz, .zstandard, .zip: "unpack it first"
        case .utf16: "convert it: iconv -f UTF-16 -t UTF-8 FILE"
        case .digest: "if this is a pin, use it directly"
        default: nil
        }
    }

    /// Recognizes a type by the first bytes of a file; nil if they are not known.
    init?(signatureOf bytes: [UInt8]) {
        guard let format = Self.signatures.first(where: { bytes.starts(with: $0.signature) })?.format else {
            return nil
        }
        self = format
    }

    private static let signatures: [(signature: [UInt8], format: UnsupportedFileType)] = [
        ([0xFF, 0xD8, 0xFF], .jpeg), ([0x89, 0x50, 0x4E, 0x47], .png), (Array("GIF8".utf8), .gif),
        (Array("%PDF".utf8), .pdf), ([0x1F, 0x8B], .gzip), (Array("BZh".utf8), .bzip2),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .xz), ([0x28, 0xB5, 0x2F, 0xFD], .zstandard),
        ([0x50, 0x4B, 0x03, 0x04], .zip), ([0x7F, 0x45, 0x4C, 0x46], .executable),
        (Array("SQLite format 3\0".utf8), .database),
        ([0xFE, 0xED, 0xFE, 0xED], .javaKeyStore), ([0xCE, 0xCE, 0xCE, 0xCE], .javaKeyStore),
        (Array("openssh-key-v1\0".utf8), .openSSHPrivateKey), (Array("PuTTY-User-Key-File-".utf8), .puttyKey),
        (Array("ssh-".utf8), .sshPublicKey), (Array("ecdsa-sha2-".utf8), .sshPublicKey),
        (Array("sk-ssh-".utf8), .sshPublicKey),
        (Array("sk-ecdsa-".utf8), .sshPublicKey),
        (Array("---- BEGIN SSH2 PUBLIC KEY".utf8), .sshPublicKey),
        ([0xFF, 0xFE], .utf16), ([0xFE, 0xFF], .utf16), (Array("<".utf8), .markup),
        (Array("{".utf8), .json), (Array("[".utf8), .json),
    ]

    /// Recognizes a type by the label of a PEM block; nil if it is not known.
    init?(label: String) {
        switch label {
        case "X509 CRL": self = .revocationList
        case "OPENSSH PRIVATE KEY": self = .openSSHPrivateKey
        case _ where label.hasSuffix("PARAMETERS"): self = .parameters
        case _ where label.hasPrefix("PGP "): self = .pgp
        default: return nil
        }
    }

    /// Whether blocks of this type are skipped if the file also has keys or certificates, because that is common.
    var isIgnoredBesideKeys: Bool { self == .parameters || self == .revocationList }
}
