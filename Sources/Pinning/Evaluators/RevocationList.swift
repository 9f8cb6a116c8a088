public import Encodings
internal import OpenSSL

/// A certificate revocation list (RFC 5280, section 5).
public struct RevocationList: Hashable, Sendable {
    /// The whole list in DER.
    public let der: [UInt8]

    /// Why bytes are no revocation list.
    public enum Failure: Error, Hashable, Sendable {
        /// A text without a list in it.
        case none
        /// A malformed block of PEM.
        case pem(PEMError)
        /// OpenSSL cannot decode it; its words.
        case malformed(String)
    }

    /// - Throws: ``Failure``.
    public init(der: [UInt8]) throws(Failure) {
        do throws(OpenSSLError) {
            _ = try RevocationLists.decoding([der])
        } catch {
            throw .malformed(error.text)
        }
        self.der = der
    }

    /// The lists of a file: one in DER, or any number in PEM; what a PEM file holds beside them is left out.
    ///
    /// - Throws: ``Failure`` for a file without a list, and where one cannot be read.
    public static func all(in bytes: [UInt8]) throws(Failure) -> [RevocationList] {
        guard bytes.first != 0x30 else { return [try RevocationList(der: bytes)] }
        var lists: [RevocationList] = []
        for result in PEM.blocks(in: bytes) {
            switch result {
            case .failure(let error): throw .pem(error)
            case .success(let block) where block.label == "X509 CRL": lists.append(try RevocationList(der: block.bytes))
            case .success: continue
            }
        }
        guard !lists.isEmpty else { throw .none }
        return lists
    }
}

extension RevocationList.Failure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .none: "there is no revocation list, in PEM or in DER"
        case .pem(let error): "\(error)"
        case .malformed(let text): "not a revocation list: \(text)"
        }
    }
}
