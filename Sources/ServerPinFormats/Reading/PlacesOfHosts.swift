internal import Encodings
internal import PinSetCodec
internal import Pinning

/// The places of a file that pin the same host, of which a program uses one. A reader unites their pins, so a pin that one of them lacks
/// would not be missed.
struct PlacesOfHosts {
    /// The subject of the warning: what a program uses one of, such as "a cluster of Envoy".
    private let user: String
    private var first: [String: (digests: Set<[UInt8]>, line: Int)] = [:]

    init(usedBy user: String) { self.user = user }

    /// Adds a place with the digests of its pins. If these differ from those of the first place for the host, a warning is added.
    mutating func add(
        _ digests: Set<[UInt8]>, of host: String, at position: SourcePosition, _ warnings: inout ConversionWarnings
    ) {
        let name = (try? HostName.normalized(host)) ?? host
        guard let known = first[name] else {
            first[name] = (digests, position.line)
            return
        }
        guard known.digests != digests else { return }
        warnings.add(
            .uncheckedConnections(
                "the pins differ from those on line \(known.line), and \(user) compares only its own",
                line: position.line),
            of: host)
    }
}
