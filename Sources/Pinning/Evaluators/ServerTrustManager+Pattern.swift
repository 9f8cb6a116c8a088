internal import Encodings

extension ServerTrustManager {
    /// The reason why a text is not a pattern.
    public enum PatternError: Error, Hashable, Sendable {
        /// An asterisk that is not part of `*.` or `**.` at the start, or that is before an IP address.
        case asterisk(String)
        case host(HostNameError)
        /// Another pattern covers the same hosts.
        case sameHosts(String)
    }

    /// A pattern that covers one host, all names with one more label, or all names below a name.
    struct Pattern: Hashable {
        enum Reach: Hashable {
            case host, oneLabel, everything
        }

        let reach: Reach
        /// The normalized name.
        let name: String

        private init(_ reach: Reach, _ name: String) { (self.reach, self.name) = (reach, name) }

        init(_ text: String) throws(PatternError) {
            let rest: String
            if text.hasPrefix("**.") {
                (reach, rest) = (.everything, String(text.dropFirst(3)))
            } else if text.hasPrefix("*.") {
                (reach, rest) = (.oneLabel, String(text.dropFirst(2)))
            } else {
                (reach, rest) = (.host, text)
            }
            guard !rest.utf8.contains(UInt8(ascii: "*")) else { throw .asterisk(text) }
            do throws(HostNameError) {
                name = try HostName.normalized(rest)
            } catch {
                throw .host(error)
            }
            guard reach == .host || IPAddress(name) == nil else { throw .asterisk(text) }
        }

        /// All patterns that cover a host, the most specific first.
        static func covering(_ name: String) -> [Pattern] {
            var patterns = [Pattern(.host, name)]
            guard IPAddress(name) == nil else { return patterns }
            patterns.append(Pattern(.everything, name))
            var parent = name[...]
            while let dot = parent.firstIndex(of: ".") {
                parent = parent[dot...].dropFirst()
                if patterns.count == 2 { patterns.append(Pattern(.oneLabel, String(parent))) }
                patterns.append(Pattern(.everything, String(parent)))
            }
            return patterns
        }
    }
}

extension ServerTrustManager.PatternError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .asterisk(let text):
            "\(text.quotedExcerpt) is not a pattern: asterisks are allowed only at the start, as in \"*.example.com\" or \"**.example.com\""
        case .host(let error): error.message
        case .sameHosts(let text): "\(text.quotedExcerpt) covers the same hosts as another pattern"
        }
    }
}
