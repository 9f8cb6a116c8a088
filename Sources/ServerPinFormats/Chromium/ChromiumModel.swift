internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Chromium's built-in list of pins (net/http/transport_security_state.cc, and the generator in
/// net/tools/transport_security_state_generator/input_file_parsers.cc, 2024).
///
/// Only the closest entry applies, even if it does not cover the host or has no pins.
struct ChromiumModel: PlatformModel {
    struct Entry {
        let name: String
        let includesSubdomains: Bool
        let good: Set<Pin>
        /// The forbidden pins. A chain that contains one of them is rejected.
        let bad: Set<Pin>
        let position: SourcePosition?

        var hasPins: Bool { !good.isEmpty || !bad.isEmpty }
    }

    private let entries: [Entry]
    private let indices: [String: Int]

    init(_ entries: [Entry]) {
        self.entries = entries
        var indices: [String: Int] = [:]
        for (index, entry) in entries.enumerated() { indices[entry.name] = index }
        self.indices = indices
    }

    func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard !connection.isAddress else {
            return PlatformRuling(.notPinned, "the list has no IP addresses")
        }
        guard let entry = closest(to: connection) else {
            return PlatformRuling(.notPinned, "no entry covers this host")
        }
        guard entry.name == connection.host || entry.includesSubdomains else {
            let other = connection.parents.lazy.compactMap { indices[$0] }.map { entries[$0] }
                .first { $0.includesSubdomains && $0.hasPins }
            let note = other.map { "; a list that Chrome has updated skips this entry and uses \($0.name)" } ?? ""
            return PlatformRuling(
                .notPinned, "only the closest entry, \(entry.name), applies, and it does not include subdomains\(note)")
        }
        guard entry.hasPins else {
            return PlatformRuling(.notPinned, "only the closest entry, \(entry.name), applies, and it has no pins")
        }
        let name = connection.shown(entry.name, subdomains: "include_subdomains")
        let decider = "the closest entry of an up-to-date list, \(name),"
        if let bad = connection.hit(entry.bad) {
            return PlatformRuling(
                .rejects, "\(decider) forbids the pin of the \(bad.certificate.role.rawValue)")
        }
        guard !entry.good.isEmpty else {
            return PlatformRuling(.accepts, "\(decider) forbids no pin of this chain, and requires none")
        }
        return connection.rulingAnywhere(entry.good, of: decider)
    }

    private func closest(to connection: PlatformConnection) -> Entry? {
        ([connection.host] + connection.parents).lazy.compactMap { indices[$0] }.map { entries[$0] }.first
    }

    var traps: [PlatformTrap] {
        entries.compactMap { entry in
            guard !entry.includesSubdomains else { return nil }
            var name = entry.name[...]
            while let dot = name.firstIndex(of: ".") {
                name = name[dot...].dropFirst()
                guard let index = indices[String(name)] else { continue }
                guard entries[index].includesSubdomains, entries[index].hasPins else { return nil }
                return PlatformTrap(
                    .unpinned, host: entry.name,
                    "the built-in list does not pin subdomains of \(entry.name.quotedExcerpt): this entry hides the entry of"
                        + " \(entries[index].name.quotedExcerpt) from them",
                    hint: "set \"include_subdomains\" to true", at: entry.position)
            }
            return nil
        }
    }
}
