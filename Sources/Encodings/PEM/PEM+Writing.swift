extension PEM {
    private static let lineLength = 64

    /// A certificate in PEM (RFC 7468, section 5.1), with lines of 64 characters.
    public static func certificate(_ der: [UInt8]) -> String { block("CERTIFICATE", der) }

    /// A `SubjectPublicKeyInfo` in PEM (RFC 7468, section 13).
    package static func publicKey(_ der: some Collection<UInt8>) -> String { block("PUBLIC KEY", der) }

    private static func block(_ label: String, _ der: some Collection<UInt8>) -> String {
        var text = "-----BEGIN \(label)-----\n"
        var rest = Base64.encode(der)[...]
        while !rest.isEmpty {
            text += rest.prefix(lineLength) + "\n"
            rest = rest.dropFirst(lineLength)
        }
        return text + "-----END \(label)-----\n"
    }
}
