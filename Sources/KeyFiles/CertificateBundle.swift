internal import Encodings
internal import OpenSSL
package import Pinning

/// Reads the certificates of a file whose only purpose is to publish certificates: one in DER, several in PEM, or a PKCS#7 message
/// without other contents (RFC 5280, section 4.2.2.1; RFC 2797). It needs no password.
package enum CertificateBundle {
    /// Maximum number of certificates that ``certificates(in:)`` reads.
    package static let maximumCount = 64

    /// Why a part of a file cannot be read, as a sentence.
    package struct Unreadable: Error {
        package let message: String
    }

    /// The certificates, in the order of the file; empty if there are none. Malformed certificates are left out.
    package static func certificates(in bytes: [UInt8]) -> [Certificate] {
        results(in: bytes, maximum: maximumCount).compactMap { try? $0.get() }
    }

    /// The certificates in the order of the file, and why others cannot be read.
    ///
    /// - Parameter maximum: the number of certificates after which the rest of the file is not read.
    package static func results(in bytes: [UInt8], maximum: Int = .max) -> [Result<Certificate, Unreadable>] {
        var results: [Result<Certificate, Unreadable>] = []
        var count = 0
        func add(_ der: [UInt8], _ place: String) {
            guard count < maximum else { return }
            results.append(
                Result { try Certificate(der: der) }
                    .mapError { Unreadable(message: "cannot read the certificate\(place): \($0)") })
            if case .success? = results.last { count += 1 }
        }
        func addMessage(_ bytes: [UInt8]) {
            do {
                for der in try PKCS7Message(bytes).certificates() { add(der, " in the PKCS#7 message") }
            } catch {
                results.append(.failure(Unreadable(message: "cannot read the PKCS#7 message: \(error)")))
            }
        }
        if DERReader.isSequence(bytes) {
            if (try? Certificate(der: bytes)) == nil { addMessage(bytes) } else { add(bytes, "") }
            return results
        }
        for result in PEM.blocks(in: bytes) {
            guard count < maximum else { break }
            switch result {
            case .failure(let error):
                results.append(.failure(Unreadable(message: "cannot read the certificates: \(error)")))
            case .success(let block):
                if let der = block.certificateBytes {
                    add(der, " at line \(block.line)")
                } else if block.label == "PKCS7" || block.label == "CMS" {
                    addMessage(block.bytes)
                }
            }
        }
        return results
    }
}
