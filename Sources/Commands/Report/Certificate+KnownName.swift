internal import Pinning

extension Certificate {
    /// The known authority whose key this is, where the certificate's own name does not say so already.
    var unobviousAuthority: String? {
        guard let name = KnownAuthorities.name(of: pin) else { return nil }
        let own = subject?.displayName ?? ""
        return Self.gist(own).hasPrefix(Self.gist(name)) ? nil : name
    }

    /// The letters and digits of a name, the same for a name and for its short form.
    private static func gist(_ name: String) -> String {
        let letters = name.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || ("0"..."9").contains($0) }
        var gist = String(String.UnicodeScalarView(letters))
        for long in ["certificationauthority", "certificateauthority"] {
            guard let range = gist.firstRange(of: long) else { continue }
            gist.replaceSubrange(range, with: "ca")
        }
        return gist
    }
}
