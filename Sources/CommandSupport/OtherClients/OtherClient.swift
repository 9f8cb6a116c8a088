internal import Encodings
package import Fetching

/// A kind of TLS client to which a server may send another chain than to the clients of the run. OpenSSL's configuration file does not
/// limit what it offers, because it does not limit other clients of the server either.
package struct OtherClient: Hashable {
    /// Whether the client offers no version above TLS 1.2.
    package var offersOldVersions = false
    /// The application protocols that the client offers; nil for all of `--alpn`.
    package var applicationProtocols: [String]?
    /// The only curves of ECDSA keys that the client accepts; nil for all types of keys.
    package var curves: Set<ServerKeyCurve>?

    /// The protocols that apps and browsers offer for HTTPS (RFC 9113, section 3.2, and RFC 7301, section 6), and those that they offer for
    /// WebSocket, which starts with HTTP/1.1 (RFC 6455, section 4.1). Clients of gRPC offer only HTTP/2.
    static let webProtocols = [["h2", "http/1.1"], ["http/1.1"], ["h2"]]

    /// The connection options of such a client.
    ///
    /// - Parameter own: The options of the run.
    func options(from own: ConnectionOptions) -> ConnectionOptions {
        var options = own
        if offersOldVersions { options.maximumVersion = .tls12 }
        if let applicationProtocols { options.applicationProtocols = applicationProtocols }
        if let curves {
            options.keyTypes = .ecdsa
            options.curves = curves
        }
        options.ignoresConfiguration = true
        options.findsAllPaths = true
        return options
    }
}

extension OtherClient: CustomStringConvertible {
    /// "clients that offer no TLS 1.3".
    package var description: String {
        let curves = self.curves.map { curves in
            let names = ServerKeyCurve.allCases.filter(curves.contains).map(\.rawValue)
            return "accept only ECDSA keys with the curve " + names.joined(conjunction: "or")
        }
        let protocols = applicationProtocols.map { names in
            names.isEmpty
                ? "offer no ALPN protocol"
                : "offer only the ALPN protocol\(names.count == 1 ? "" : "s") "
                    + names.map(\.quoted).joined(conjunction: "and")
        }
        let features = [
            offersOldVersions ? "offer no TLS 1.3" : nil, protocols, curves,
        ]
        // Without a feature, such a client differs from those of the run only by the configuration file.
        guard self != OtherClient() else { return "clients with OpenSSL's default settings" }
        return "clients that " + features.compactMap(\.self).joined(conjunction: "and")
    }
}
