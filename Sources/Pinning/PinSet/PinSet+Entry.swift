package import Encodings

extension PinSet {
    /// The pins of one host, and perhaps of those below it.
    public struct Entry: Hashable, Sendable {
        /// As written.
        public let host: String
        /// The host as hosts are compared: A-labels, lower case, no dot at the end, IP addresses in their recommended spelling.
        public let name: String
        public let subdomains: Subdomains
        /// The instant from which the pins hold no more. A date without a time is midnight UTC at the start of that day.
        public let expires: Timestamp?
        /// Whether a mismatch is a failure; otherwise it is only reported.
        public let enforce: Bool
        /// Files of certificates that alone are trusted for this host, as written: relative to the pin set's file. None:
        /// whatever is trusted otherwise.
        public let anchors: [String]
        /// One at least.
        public let pins: [PinnedKey]

        /// Of the host in the file; nil for an entry made in code.
        package let position: SourcePosition?
        /// Keys that mean nothing here, with their values.
        package let unknown: [JSONMember]
        /// Whether the file gives a bare array of pins.
        package let isShorthand: Bool

        /// - Throws: `PinSetError` when `host` is not a host name or an IP address, when `pins` is empty, and when
        ///   subdomains of an IP address are asked for.
        public init(
            host: String, subdomains: Subdomains = .none, expires: Timestamp? = nil, enforce: Bool = true,
            anchors: [String] = [], pins: [PinnedKey]
        ) throws(PinSetError) {
            try self.init(
                host: host, name: try Self.name(of: host, at: nil), subdomains: subdomains, expires: expires,
                enforce: enforce, anchors: anchors, pins: pins,
                position: nil, unknown: [], isShorthand: false
            )
        }

        package init(
            host: String, name: String, subdomains: Subdomains, expires: Timestamp?, enforce: Bool, anchors: [String],
            pins: [PinnedKey], position: SourcePosition?, unknown: [JSONMember], isShorthand: Bool
        ) throws(PinSetError) {
            guard !pins.isEmpty else { throw PinSetError(.noPins(host), at: position) }
            guard subdomains == .none || IPAddress(name) == nil else {
                throw PinSetError(.subdomainsOfAddress(host), at: position)
            }
            self.host = host
            self.name = name
            self.subdomains = subdomains
            self.expires = expires
            self.enforce = enforce
            self.anchors = anchors
            self.pins = pins
            self.position = position
            self.unknown = unknown
            self.isShorthand = isShorthand
        }

        package static func name(of host: String, at position: SourcePosition?) throws(PinSetError) -> String {
            do throws(HostNameError) {
                return try HostName.normalized(host)
            } catch {
                throw PinSetError(.host(error), at: position)
            }
        }

        /// Whether the pins hold no more at `now`.
        public func isExpired(at now: Timestamp) -> Bool {
            expires.map { now >= $0 } ?? false
        }
    }

    /// Which hosts below its own an entry covers.
    public enum Subdomains: String, Hashable, Sendable, CaseIterable {
        /// The host alone.
        case none
        /// The host, and names with one label more.
        case one
        /// The host, and every name below it.
        case all
    }
}
