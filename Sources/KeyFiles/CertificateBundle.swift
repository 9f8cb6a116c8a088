internal import Encodings
internal import OpenSSL
package import Pinning

/// Reads the certificates of a file whose only purpose is to publish certificates: one in DER, several in PEM, or a PKCS#7 message
/// without other contents (RFC 5280, section 4.2.2.1; RFC 2797). It needs no password.
package enum CertificateBundle {
    /// Maximum number of certificates that are read.
    package static let maximumCount = 64

    /// The certificates, in the order of the file; empty if there are none. Malformed certificates are left out.
    package static func certificates(in bytes: [UInt8]) -> [Certificate] {
        if DERReader.isSequence(bytes) {
            if let certificate = try? Certificate(der: bytes) { return [certificate] }
            return certificates(inMessage: bytes)
        }
        var found: [Certificate] = []
        for case .success(let block) in PEM.blocks(in: bytes) {
            guard found.count < maximumCount else { break }
            if let der = block.certificateBytes, let certificate = try? Certificate(der: der) {
                found.append(certificate)
            } else if block.label == "PKCS7" || block.label == "CMS" {
                found += certificates(inMessage: block.bytes)
            }
        }
        return Array(found.prefix(maximumCount))
    }

    /// A part of a file that cannot be read.
    package struct Unreadable: Error, CustomStringConvertible {
        package let description: String
    }

    /// All certificates, in the order of the file.
    ///
    /// - Throws: if one of them is malformed.
    package static func allCertificates(in bytes: [UInt8]) throws(Unreadable) -> [Certificate] {
        if DERReader.isSequence(bytes) {
            if let certificate = try? Certificate(der: bytes) { return [certificate] }
            return try allCertificates(inMessage: bytes)
        }
        var found: [Certificate] = []
        for result in PEM.blocks(in: bytes) {
            let block: PEMBlock
            do {
                block = try result.get()
            } catch {
                throw Unreadable(description: "cannot read the certificates: \(error)")
            }
            if let der = block.certificateBytes {
                do {
                    found.append(try Certificate(der: der))
                } catch {
                    throw Unreadable(description: "cannot read the certificate at line \(block.line): \(error)")
                }
            } else if block.label == "PKCS7" || block.label == "CMS" {
                found += try allCertificates(inMessage: block.bytes)
            }
        }
        return found
    }

    private static func allCertificates(inMessage bytes: [UInt8]) throws(Unreadable) -> [Certificate] {
        do {
            return try PKCS7Message(bytes).certificates().map { try Certificate(der: $0) }
        } catch {
            throw Unreadable(description: "cannot read the certificates of the PKCS#7 message: \(error)")
        }
    }

    private static func certificates(inMessage bytes: [UInt8]) -> [Certificate] {
        do throws(ContainerError) {
            let message = try PKCS7Message(bytes)
            return message.certificates().prefix(maximumCount).compactMap { try? Certificate(der: $0) }
        } catch {
            return []
        }
    }
}
