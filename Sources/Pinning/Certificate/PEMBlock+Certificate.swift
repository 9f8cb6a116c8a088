public import Encodings

extension PEMBlock {
    /// The DER of the certificate in this block; nil if the block has other contents.
    ///
    /// This property accepts the label of RFC 7468, section 5.1, the older label `X509 CERTIFICATE`, and OpenSSL's label `TRUSTED
    /// CERTIFICATE`. With the last one, trust settings follow the certificate (openssl-x509(1)); the result does not contain them.
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
