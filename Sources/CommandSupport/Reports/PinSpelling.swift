package import Arguments
internal import Encodings
package import Pinning

/// A form in which platforms and tools spell one pin.
package enum PinSpelling: String, CaseIterable, Sendable {
    /// Base64 without a prefix.
    case pin
    /// OkHttp's CertificatePinner: `sha256/…`.
    case okhttp
    /// curl's `--pinnedpubkey`: `sha256//…`.
    case curl
    /// The data of a TLSA record (RFC 6698, section 2.2): usage, selector 1 (SPKI), matching type 1 (SHA-256), and the digest.
    case tlsa
    /// A directive of the header field Public-Key-Pins (RFC 7469, section 2.1.1).
    case hpkp
    /// 64 hexadecimal digits.
    case hex
    /// An element of Android's network security configuration.
    case android
    /// An element of NSPinnedLeafIdentities or NSPinnedCAIdentities in an Info.plist.
    case apple

    /// - Parameter isAuthority: whether the pin is for a CA's key. A TLSA record has another usage for a CA (RFC 7671, section 5).
    package func text(of pin: Pin, isAuthority: Bool) -> String {
        let base64 = pin.base64
        return switch self {
        case .pin: base64
        case .okhttp: "sha256/\(base64)"
        case .curl: "sha256//\(base64)"
        case .tlsa: "\(isAuthority ? 2 : 3) 1 1 \(Hex.encode(pin.bytes))"
        case .hpkp: "pin-sha256=\"\(base64)\""
        case .hex: Hex.encode(pin.bytes)
        case .android: "<pin digest=\"SHA-256\">\(base64)</pin>"
        case .apple: "<dict><key>SPKI-SHA256-BASE64</key><string>\(base64)</string></dict>"
        }
    }

    /// The section of a command's help that describes the spellings.
    package static let note = Note(
        "Spellings of a pin",
        "These formats print bare pins, one per line. pinctl convert writes complete files.",
        rows: [
            "pin": "base64",
            "okhttp": "sha256/BASE64",
            "curl": "sha256//BASE64, for --pinnedpubkey",
            "tlsa": "3 1 1 HEX for a leaf, 2 1 1 HEX for a CA: the data of a TLSA record",
            "hpkp": "pin-sha256=\"BASE64\"",
            "hex": "64 hexadecimal digits",
            "android": "an element of a network security configuration",
            "apple": "an element of NSPinnedLeafIdentities or NSPinnedCAIdentities",
        ]
    )
}
