package import Pinning

extension WritableEntry {
    /// The pins to write for a platform that compares only the server's own certificate.
    package func leafPins(_ warnings: inout ConversionWarnings) -> [PinSet.PinnedKey] {
        var pins = PinnedKeyList()
        for key in self.pins {
            switch key.role {
            case .intermediate, .root, .ca:
                warnings.add(.pinOfAuthority(key), of: entry.host)
                continue
            case .any: warnings.add(.roleNotSupported(key, .leafOnly), of: entry.host)
            case .leaf: break
            }
            pins.add(key)
        }
        return pins.keys
    }

    /// The pins to write for a platform that compares only CA certificates.
    package func authorityPins(_ warnings: inout ConversionWarnings) -> [PinSet.PinnedKey] {
        var pins = PinnedKeyList()
        for key in self.pins {
            switch key.role {
            case .leaf:
                warnings.add(.pinOfLeaf(key), of: entry.host)
                continue
            case .any: warnings.add(.roleNotSupported(key, .authoritiesOnly), of: entry.host)
            case .intermediate, .root: warnings.add(.roleNotSupported(key, .anyAuthority), of: entry.host)
            case .ca: break
            }
            pins.add(key)
        }
        return pins.keys
    }
}

extension PinSet {
    /// Returns a set with only the entry of a host, or the whole set if `host` is nil.
    package func only(_ host: String?, as format: PinSetFormat) throws(PinSetFormatError) -> PinSet {
        guard let host else { return self }
        guard let entry = entry(for: host), let set = try? PinSet(entries: [entry]) else {
            throw PinSetFormatError(.noEntry(host: host), format: format)
        }
        return set
    }

    /// Returns the entries with the pins for a platform that compares only leaf certificates or only CA certificates. Hosts without
    /// such pins are left out.
    package func written(
        as codec: (some PinSetCodec).Type, comparing position: ComparedPosition, host: String? = nil,
        _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [(host: String, keys: [PinnedKey])] {
        let set = try only(host, as: codec.format)
        var written: [(host: String, keys: [PinnedKey])] = []
        for entry in try codec.traits.capabilities.writable(set, as: codec.format, &warnings) {
            let keys: [PinnedKey]
            switch position {
            case .leaf: keys = entry.leafPins(&warnings)
            case .authorities: keys = entry.authorityPins(&warnings)
            }
            guard !keys.isEmpty else {
                warnings.add(position == .leaf ? .noLeafPin : .noAuthorityPin, of: entry.entry.host)
                continue
            }
            guard !keys.isOnlyBackups(of: entry.pins) else {
                warnings.add(.noActivePin(position.role), of: entry.entry.host)
                continue
            }
            written.append((entry.host, keys))
        }
        guard !written.isEmpty || set.entries.isEmpty else {
            throw FormatCapabilities.nothing(to: codec.format, warnings)
        }
        return written
    }
}

extension [PinSet.PinnedKey] {
    package var hasActive: Bool { contains { $0.state == .active } }

    /// Whether the active pins of an entry are not among these pins of it. No certificate in use matches such a list, so the
    /// platform would block every connection.
    package func isOnlyBackups(of pins: [PinSet.PinnedKey]) -> Bool { !hasActive && pins.hasActive }
}

/// The certificates of a chain that a platform compares.
package enum ComparedPosition: Sendable {
    case leaf, authorities

    /// The role of the pins in the platform's files.
    package var role: PinSet.AllowedRole {
        switch self {
        case .leaf: .leaf
        case .authorities: .ca
        }
    }
}
