package import OpenSSL
package import Pinning

/// A certificate with its private key, with which a client answers a server's certificate request (RFC 8446, section 4.4.2).
package struct ClientCredential: Sendable {
    /// The client's certificate, then its issuers as far as they are known.
    package let certificates: [Certificate]
    package let key: PrivateKeyBytes

    /// The reason why certificates and keys are no credential.
    package enum Problem: Error, Hashable, Sendable {
        case noCertificate
        case noKey
        /// No key belongs to one of the certificates.
        case keyOfAnother(certificate: Pin, key: Pin)
    }

    /// Finds the certificate that belongs to a private key, and orders its issuers.
    ///
    /// - Parameters:
    ///   - certificates: in any order.
    ///   - keys: the private keys; the first one with a certificate is used.
    package init(_ certificates: [Certificate], _ keys: [PrivateKeyCollection.Key]) throws(Problem) {
        guard let first = certificates.first else { throw .noCertificate }
        guard let firstKey = keys.first else { throw .noKey }
        for key in keys {
            guard let own = certificates.first(where: { $0.pin == key.pin }) else { continue }
            self.certificates = Self.path(from: own, in: certificates)
            self.key = key.bytes
            return
        }
        throw .keyOfAnother(certificate: first.pin, key: firstKey.pin)
    }

    /// A certificate and its issuers by name.
    private static func path(from certificate: Certificate, in certificates: [Certificate]) -> [Certificate] {
        let certificatesByName = Dictionary(grouping: certificates, by: \.subjectName)
        var next: [ArraySlice<UInt8>: Int] = [:]
        var used: Set<Certificate> = []
        /// The first certificate with this name that is not in the path.
        func unused(_ name: ArraySlice<UInt8>) -> Certificate? {
            let candidates = certificatesByName[name] ?? []
            var index = next[name] ?? 0
            while index < candidates.count, used.contains(candidates[index]) { index += 1 }
            next[name] = index
            return index < candidates.count ? candidates[index] : nil
        }
        var path: [Certificate] = []
        var last: Certificate? = certificate
        while let certificate = last {
            path.append(certificate)
            used.insert(certificate)
            last = certificate.isSelfIssued ? nil : unused(certificate.issuerName)
        }
        return path
    }
}

/// The private keys of a file, with their pins.
package final class PrivateKeyCollection {
    package struct Key: Sendable {
        package let pin: Pin
        package let bytes: PrivateKeyBytes
    }

    package private(set) var keys: [Key] = []

    package init() {}

    func add(_ bytes: PrivateKeyBytes, publicKey subjectPublicKeyInfo: [UInt8]) {
        keys.append(Key(pin: Pin(subjectPublicKeyInfo: subjectPublicKeyInfo[...]), bytes: bytes))
    }
}
