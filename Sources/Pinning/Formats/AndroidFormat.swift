/// `network_security_config.xml` of Android apps (Android Developers, "Network security configuration"):
///
/// ```xml
/// <network-security-config>
///     <domain-config>
///         <domain includeSubdomains="true">example.org</domain>
///         <pin-set expiration="2027-06-01">
///             <!-- ISRG Root X1 -->
///             <pin digest="SHA-256">C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=</pin>
///         </pin-set>
///     </domain-config>
/// </network-security-config>
/// ```
///
/// A comment before a pin, or behind it on its line, is the pin's label. `<trustkit-config enforcePinning="…">`, which TrustKit
/// for Android adds, is `enforce`; the platform itself always enforces.
package enum AndroidFormat: PinSetCodec {
    package static let format = PinSetFormat.android

    package static func recognizes(_ bytes: [UInt8]) -> Bool {
        AndroidConfiguration.isCompiled(bytes) || bytes.has("<network-security-config")
    }

    package static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        let configuration = try AndroidConfiguration(bytes)
        var losses = FormatLosses()
        for loss in configuration.losses { losses.add(loss.message, host: loss.host) }
        var entries: [(entry: PinSet.Entry, offset: Int?)] = []
        for part in configuration.parts {
            try read(part, of: configuration.document, inherited: .none, into: &entries, losses: &losses)
        }
        guard !entries.isEmpty else {
            throw PinSetFormatError(
                format, at: configuration.document.position(of: configuration.document.root.range.lowerBound),
                message: "\"<network-security-config>\" pins no host")
        }
        return PinSetReading(set: try set(of: entries, in: bytes), losses: losses.list)
    }

    private static func read(
        _ part: AndroidConfiguration.Part, of document: XMLDocument, inherited: AndroidPinState,
        into entries: inout [(entry: PinSet.Entry, offset: Int?)], losses: inout FormatLosses
    ) throws(PinSetFormatError) {
        let state = inherited.overridden(by: part)
        for domain in part.domains {
            guard !state.pins.isEmpty else {
                losses.add(
                    "the host is left out: it has no pins here, even if a domain above it is pinned with its subdomains, and a"
                        + " pin set has no such exception", host: domain.host)
                continue
            }
            let offset = domain.element.range.lowerBound
            let entry = try entry(
                host: domain.host, at: document.position(of: offset),
                subdomains: domain.includesSubdomains ? .all : .none,
                expires: state.expires, enforce: state.enforces, pins: state.pins)
            entries.append((entry, offset))
        }
        for inner in part.parts {
            try read(inner, of: document, inherited: state, into: &entries, losses: &losses)
        }
    }

    package static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        var losses = FormatLosses()
        let writer = AndroidWriter()
        var output = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<network-security-config>\n"
        for entry in try writable(set, losses: &losses) {
            output += writer.part(
                host: entry.name, subdomains: entry.subdomains, state: AndroidPinState(of: entry), inherited: .none,
                indentation: writer.unit)
            output += "\n"
        }
        output += "</network-security-config>\n"
        return PinSetWriting(files: [.init(name: nil, bytes: Array(output.utf8))], losses: losses.list)
    }

    package static func write(_ set: PinSet, into file: [UInt8]) throws(PinSetFormatError) -> PinSetWriting {
        let configuration = try AndroidConfiguration(file)
        var losses = FormatLosses()
        let entries = try writable(set, losses: &losses)
        var editor = AndroidEditor(configuration: configuration, entries: entries)
        let bytes = editor.edited()
        for host in editor.others {
            losses.add("the file has this host and the set has not: it stays in the file", host: host)
        }
        return PinSetWriting(files: [.init(name: nil, bytes: bytes)], losses: losses.list)
    }

    /// The entries, every one of which can be written in some way.
    private static func writable(
        _ set: PinSet, losses: inout FormatLosses
    ) throws(PinSetFormatError) -> [PinSet.Entry] {
        losses.addWhatOnlyPinsSay(of: set)
        for entry in set.entries {
            let pins = try losses.matchingPins(of: entry, for: format)
            losses.addWhatOnlyPinsSay(of: entry, pins: pins)
            losses.addLabels(of: entry, pins: pins)
            losses.addRoles(of: entry, pins: pins)
            losses.addSubdomains(of: entry)
            _ = losses.expirationDay(of: entry)
            if !entry.enforce {
                losses.add(
                    "\"enforce\": false can be said to TrustKit alone: Android itself blocks the connection on a mismatch",
                    host: entry.host)
            }
        }
        guard !set.entries.isEmpty else {
            throw PinSetFormatError(format: format, message: "there is no host in the set that can be written")
        }
        return set.entries
    }
}
