internal import Encodings

extension PinSet {
    /// A place at which a host of an entry is served: a host, a port, and the protocol that precedes TLS.
    public struct Endpoint: Hashable, Sendable {
        /// The endpoint as written: "smtp://mail.example.com", "api.example.com:8443".
        public let text: String
        /// The normalized host, as in ``PinSet/Entry/name``.
        public let name: String
        public let port: UInt16
        package let scheme: TargetScheme

        /// Reads a host with an optional scheme and an optional port.
        ///
        /// - Throws: `PinSetError` for any other text, such as a URL with a path.
        public init(_ text: String) throws(PinSetError) {
            do throws(PinSetError.EndpointProblem) {
                try self.init(parsing: text)
            } catch {
                throw PinSetError(.endpoint(text, error), at: nil)
            }
        }

        package init(parsing text: String) throws(PinSetError.EndpointProblem) {
            // Any other error may quote a part of a password.
            guard !text.utf8.hasAtSign else { throw .userInfo }
            self.text = text
            var rest = text[...]
            var scheme = TargetScheme.https
            if let start = text.firstRange(ofBytes: "://") {
                let name = text[..<start.lowerBound].lowercased()
                guard let known = TargetScheme(name: name) else { throw .scheme(name) }
                scheme = known
                rest = text[start.upperBound...]
            }
            self.scheme = scheme
            // A colon in brackets, or one of several, belongs to an IPv6 address.
            let isBracketed = rest.utf8.first == UInt8(ascii: "[")
            let colon = rest.unicodeScalars.lastIndex(of: ":")
            let end = isBracketed ? rest.unicodeScalars.lastIndex(of: "]") : nil
            let colons = rest.utf8.count { $0 == UInt8(ascii: ":") }
            var host = rest
            var port: UInt16?
            if let colon, isBracketed ? end.map({ $0 < colon }) ?? false : colons == 1 {
                host = rest[..<colon]
                let digits = rest[rest.unicodeScalars.index(after: colon)...]
                guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                    let number = UInt16(digits), number > 0
                else { throw .port(String(digits)) }
                port = number
            }
            self.port = port ?? scheme.defaultPort
            do throws(HostNameError) {
                name = try HostName.normalized(String(host))
            } catch {
                throw .host(error)
            }
        }

        /// The host, the port and the protocol before TLS, in one spelling.
        fileprivate var contacted: String { "\(scheme.startTLS?.rawValue ?? "")://\(name):\(port)" }

        /// Whether an entry of `host` covers this endpoint.
        func isCovered(by host: String, _ subdomains: PinSet.Subdomains) -> Bool {
            if name == host { return true }
            guard subdomains != .none, name.hasSuffix("." + host), IPAddress(name) == nil else { return false }
            return subdomains == .all || !name.dropLast(host.utf8.count + 1).contains(".")
        }
    }
}

extension PinSet.Entry {
    /// What a run contacts for the entry: its endpoints, or port 443 of its host. Equal for each spelling and order.
    package var contactedEndpoints: Set<String> {
        endpoints.isEmpty ? ["://\(name):\(TargetScheme.https.defaultPort)"] : Set(endpoints.map(\.contacted))
    }
}
