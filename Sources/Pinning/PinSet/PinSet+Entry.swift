package import Encodings

extension PinSet {
    /// The pins of one host and, if the entry says so, of its subdomains.
    public struct Entry: Hashable, Sendable {
        /// The host as written.
        public let host: String
        /// The normalized host: A-labels, lower case, no dot at the end; IP addresses in the form of RFC 5952.
        public let name: String
        public let subdomains: Subdomains
        /// The moment at which the entry expires. A date without a time is midnight UTC at the start of that day.
        public let expires: Timestamp?
        /// Whether a mismatch is a failure. If false, a mismatch is only reported.
        public let enforce: Bool
        /// Paths of files that contain the only trust anchors for this host, as written, relative to the pin set's file. If there
        /// are no paths, the default trust anchors apply.
        public let anchors: [String]
        /// Where pinctl connects for this entry. If empty, it connects to the host on port 443.
        public let endpoints: [Endpoint]
        /// The pins; at least one.
        public let pins: [PinnedKey]

        /// The position of the host in the file; nil for an entry created in code.
        package let position: SourcePosition?
        /// Unknown keys, with their values.
        package let unknown: [JSONMember]
        /// Whether the value in the file is an array of pins.
        package let isShorthand: Bool

        /// - Throws: `PinSetError` if `host` is neither a host name nor an IP address, if `pins` is empty, if the host is an
        ///   IP address and subdomains are covered, or if the entry does not cover the host of an endpoint.
        public init(
            host: String, subdomains: Subdomains = .none, expires: Timestamp? = nil, enforce: Bool = true,
            anchors: [String] = [], endpoints: [Endpoint] = [], pins: [PinnedKey]
        ) throws(PinSetError) {
            try self.init(
                host: host, name: try Self.name(of: host, at: nil), subdomains: subdomains, expires: expires,
                enforce: enforce, anchors: anchors, endpoints: endpoints, pins: pins,
                position: nil, unknown: [], isShorthand: false
            )
        }

        package init(
            host: String, name: String, subdomains: Subdomains, expires: Timestamp?, enforce: Bool, anchors: [String],
            endpoints: [Endpoint] = [], pins: [PinnedKey], position: SourcePosition?, unknown: [JSONMember],
            isShorthand: Bool
        ) throws(PinSetError) {
            guard !pins.isEmpty else { throw PinSetError(.noPins(host), at: position) }
            guard subdomains == .none || IPAddress(name) == nil else {
                throw PinSetError(.subdomainsOfAddress(host), at: position)
            }
            for endpoint in endpoints where !endpoint.isCovered(by: name, subdomains) {
                throw PinSetError(.endpoint(endpoint.text, .otherHost(host)), at: position)
            }
            self.host = host
            self.name = name
            self.subdomains = subdomains
            self.expires = expires
            self.enforce = enforce
            self.anchors = anchors
            self.endpoints = endpoints
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

        /// Whether the entry has expired at `now`.
        public func isExpired(at now: Timestamp) -> Bool {
            expires.map { now >= $0 } ?? false
        }
    }

    /// The subdomains that an entry covers.
    public enum Subdomains: String, Hashable, Sendable, CaseIterable {
        /// Only the host.
        case none
        /// The host and all names with exactly one more label.
        case one
        /// The host and all names below it.
        case all
    }
}
