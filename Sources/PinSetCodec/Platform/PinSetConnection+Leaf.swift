internal import Encodings
package import Pinning

extension PinSetConnection {
    /// The result for a platform that compares the fingerprint of the server's certificate with a list for the host.
    ///
    /// - Parameter list: the name of the list in the platform's configuration.
    package func fingerprintRuling(list: String) -> PlatformRuling {
        guard let entry = ownEntry else { return PlatformRuling(.notPinned, "there is no \(list) for this host") }
        let pins = entry.pinsOfLeaf
        guard !pins.isEmpty else {
            return PlatformRuling(
                .notPinned,
                "\(list) compares only the leaf certificate, and \(entry.reasonForNoPins(of: .leaf))")
        }
        guard hit(pins, where: { $0.certificate.position == 0 }) != nil else {
            return PlatformRuling(
                .rejects,
                "\(list) compares only the leaf certificate, and no pin of \(entry.name) is of this leaf's key")
        }
        return PlatformRuling(
            .accepts,
            "\(list) compares only the leaf certificate, and the key of this leaf is pinned; a renewed certificate needs a new"
                + " fingerprint")
    }

    /// The result for a platform that compares only the key of the server's certificate.
    ///
    /// - Parameter option: the platform's setting that contains the pins.
    package func leafKeyRuling(option: String, note: String = "") -> PlatformRuling {
        guard let entry = ownEntry else { return PlatformRuling(.notPinned, "there is no \(option) for this host") }
        let pins = entry.pinsOfLeaf
        guard !pins.isEmpty else {
            return PlatformRuling(
                .notPinned, "\(option) compares only the leaf, and \(entry.reasonForNoPins(of: .leaf))")
        }
        guard hit(pins, where: { $0.certificate.position == 0 }) != nil else {
            return PlatformRuling(
                .rejects, "\(option) compares only the leaf, and no pin of \(entry.name) is of this leaf's key\(note)")
        }
        return PlatformRuling(
            .accepts, "\(option) compares only the leaf, and a pin of \(entry.name) is of this leaf's key\(note)")
    }
}

extension PinSet.Entry {
    /// The pins that `convert` writes for a platform that compares only the leaf.
    package var pinsOfLeaf: [PinSet.PinnedKey] { written { $0.role == .leaf || $0.role == .any } }

    /// The pins that `convert` writes for a platform that compares only CA certificates.
    package var pinsOfAuthorities: [PinSet.PinnedKey] { written { $0.role != .leaf } }

    private func written(where isCompared: (PinSet.PinnedKey) -> Bool) -> [PinSet.PinnedKey] {
        let keys = matchingPins.filter(isCompared)
        return keys.isOnlyBackups(of: matchingPins) ? [] : keys
    }

    /// Why `convert` writes no pins for a platform that compares only this part of the chain.
    package func reasonForNoPins(of position: ComparedPosition) -> String {
        let (own, other) = position == .leaf ? ("the leaf", "a CA") : ("a CA", "a leaf")
        let isOther = { (key: PinSet.PinnedKey) in (key.role == .leaf) == (position == .authorities) && key.role != .any
        }
        return matchingPins.allSatisfy(isOther)
            ? "every pin of \(name) is of \(other)" : "no active pin of \(name) is of \(own), so convert leaves it out"
    }
}
