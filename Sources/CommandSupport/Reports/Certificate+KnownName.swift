internal import Encodings
package import Pinning

extension Certificate {
    /// The name of the known authority with this key, unless the certificate's subject already says it.
    package var unobviousAuthority: String? {
        guard let name = KnownAuthorities.name(of: pin) else { return nil }
        let own = subject?.displayName ?? ""
        return Self.normalizedLetters(own).hasPrefix(Self.normalizedLetters(name)) ? nil : name
    }

    /// The letters and digits of a name, so that a name and its short form compare as equal.
    private static func normalizedLetters(_ name: String) -> String {
        let letters = name.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || ("0"..."9").contains($0) }
        var text = String(String.UnicodeScalarView(letters))
        for long in ["certificationauthority", "certificateauthority"] {
            guard let range = text.firstRange(ofBytes: long) else { continue }
            text.replaceSubrange(range, with: "ca")
        }
        return text
    }
}
