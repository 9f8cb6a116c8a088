public import Encodings

extension PEMBlock {
    /// The DER of the certificate in this block; nil in a block of something else.
    ///
    /// Beside the label of RFC 7468, section 5.1, the one from before it counts, and OpenSSL's own, under which trust
    /// settings follow the certificate (openssl-x509(1)) and are left out here.
    public var certificateBytes: [UInt8]? {
        switch label {
        case "CERTIFICATE", "X509 CERTIFICATE": return bytes
        case "TRUSTED CERTIFICATE":
            var reader = DERReader(bytes)
            guard let element = try? reader.next() else { return bytes }
            return Array(bytes[element.range])
        default: return nil
        }
    }
}
