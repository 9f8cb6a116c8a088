internal import PinSetCodec

/// The parts of the delegate that do not depend on the set.
enum URLSessionSource {
    static let head = """
        import CryptoKit
        import Foundation
        import Security

        /// Accepts a server if its chain is valid for its name and contains a pinned key:
        /// `URLSession(configuration: .default, delegate: PinningDelegate(), delegateQueue: nil)`.
        ///
        /// Hosts that are not listed are not pinned.
        final class PinningDelegate: NSObject, URLSessionDelegate {
            private struct Entry {
                let subdomains: Subdomains
                let expires: Date?
                /// If false, a mismatch is only reported.
                let enforce: Bool
                let pins: [Pin]
            }

            private struct Pin {
                /// Base64 of the SHA-256 of the SubjectPublicKeyInfo.
                let sha256: String
                let role: Role
            }

            private enum Subdomains { case none, one, all }
            private enum Role { case leaf, intermediate, root, ca, any }


        """

    static let tail = """

            func urlSession(
                _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
                completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
            ) {
                let space = challenge.protectionSpace
                guard space.authenticationMethod == NSURLAuthenticationMethodServerTrust, let trust = space.serverTrust,
                    let entry = Self.entry(for: space.host)
                else { return completionHandler(.performDefaultHandling, nil) }
                if let expires = entry.expires, Date() >= expires { return completionHandler(.performDefaultHandling, nil) }

                // The system first validates the chain for the requested name. Pins are compared in addition, never instead.
                SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, space.host as CFString))
                guard SecTrustEvaluateWithError(trust, nil) else {
                    return completionHandler(.cancelAuthenticationChallenge, nil)
                }
                if !Self.holds(entry.pins, trust) {
                    // An IPv6 address may contain a percent sign, which NSLog would interpret as the start of a placeholder.
                    NSLog("no pinned key in the chain of " + space.host.replacingOccurrences(of: "%", with: "%%"))
                    guard !entry.enforce else { return completionHandler(.cancelAuthenticationChallenge, nil) }
                }
                completionHandler(.useCredential, URLCredential(trust: trust))
            }

            /// Only the most specific entry that covers the host applies.
            private static func entry(for host: String) -> Entry? {
                var name = Substring(host.lowercased())
                if name.hasSuffix(".") { name.removeLast() }
                if let entry = entries[String(name)] { return entry }
                var depth = 0
                while let dot = name.firstIndex(of: ".") {
                    name = name[name.index(after: dot)...]
                    depth += 1
                    guard let entry = entries[String(name)] else { continue }
                    switch entry.subdomains {
                    case .all: return entry
                    case .one where depth == 1: return entry
                    case .one, .none: continue
                    }
                }
                return nil
            }

            /// Compares the pins with the validated chain, including the anchor. The certificates that the server sent do not
            /// count.
            private static func holds(_ pins: [Pin], _ trust: SecTrust) -> Bool {
                guard let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] else { return false }
                for (position, certificate) in chain.enumerated() {
                    guard let sha256 = sha256(of: certificate) else { continue }
                    let isRoot = position > 0 && position == chain.count - 1
                    for pin in pins where pin.sha256 == sha256 {
                        switch pin.role {
                        case .any: return true
                        case .leaf where position == 0: return true
                        case .ca where position > 0: return true
                        case .intermediate where position > 0 && !isRoot: return true
                        case .root where isRoot: return true
                        default: continue
                        }
                    }
                }
                return false
            }

            /// The system returns only the key. A pin is a hash of the SubjectPublicKeyInfo (RFC 5280, section 4.1): a sequence of
            /// the algorithm and the key as a bit string.
            private static func sha256(of certificate: SecCertificate) -> String? {
                guard let key = SecCertificateCopyKey(certificate),
                    let attributes = SecKeyCopyAttributes(key) as? [CFString: Any],
                    let type = attributes[kSecAttrKeyType] as? String,
                    let bits = attributes[kSecAttrKeySizeInBits] as? Int,
                    let algorithm = algorithm(type, bits),
                    let bytes = SecKeyCopyExternalRepresentation(key, nil) as Data?
                else { return nil }
                let info = element(0x30, algorithm + element(0x03, [0] + [UInt8](bytes)))
                return Data(SHA256.hash(data: Data(info))).base64EncodedString()
            }

            /// The AlgorithmIdentifier (RFC 3279, section 2.3.1; RFC 5480, section 2.1.1).
            private static func algorithm(_ type: String, _ bits: Int) -> [UInt8]? {
                if type == kSecAttrKeyTypeRSA as String {
                    return [0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00]
                }
                guard type == kSecAttrKeyTypeECSECPrimeRandom as String else { return nil }
                let curve: [UInt8]
                switch bits {
                case 256: curve = [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
                case 384: curve = [0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22]
                case 521: curve = [0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x23]
                default: return nil
                }
                return element(0x30, [0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01] + curve)
            }

            /// A DER element: tag, length, contents.
            private static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
                switch contents.count {
                case ..<0x80: return [tag, UInt8(contents.count)] + contents
                case ..<0x100: return [tag, 0x81, UInt8(contents.count)] + contents
                default: return [tag, 0x82, UInt8(contents.count >> 8 & 0xff), UInt8(contents.count & 0xff)] + contents
                }
            }
        }

        """
}
