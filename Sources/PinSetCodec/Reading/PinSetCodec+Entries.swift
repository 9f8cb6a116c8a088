package import Encodings
package import Pinning

extension PinSetCodec {
    /// Returns an entry. If the text is not a host name, returns nil and adds a warning.
    ///
    /// - Parameter text: the host as written in the file.
    /// - Throws: for other errors, and if the host contains a private key.
    package static func readableEntry(
        _ host: String, writtenAs text: String? = nil, subdomains: PinSet.Subdomains = .none,
        expires: Timestamp? = nil, enforce: Bool = true, pins: [PinSet.PinnedKey], at position: SourcePosition?,
        _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> PinSet.Entry? {
        do throws(PinSetFormatError) {
            return try entry(
                host, subdomains: subdomains, expires: expires, enforce: enforce, pins: pins, at: position)
        } catch {
            guard let name = error.unmatchableHost else { throw error }
            warnings.add(.hostNeverMatches(name, line: error.line), of: text ?? host)
            return nil
        }
    }

    /// Returns the set of entries. If a host has several entries, only the first one is used.
    package static func firstEntries(
        _ entries: [PinSet.Entry], _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> PinSet {
        var known: [String: PinSet.Entry] = [:]
        var kept: [PinSet.Entry] = []
        for entry in entries {
            if let first = known[entry.name] {
                if first.pins.map(\.pin) != entry.pins.map(\.pin) {
                    warnings.add(.laterEntry(line: entry.position?.line), of: entry.host)
                }
            } else {
                known[entry.name] = entry
                kept.append(entry)
            }
        }
        return try set(kept)
    }
}
