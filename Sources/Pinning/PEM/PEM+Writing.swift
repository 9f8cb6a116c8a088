extension PEM {
    private static let lineLength = 64

    /// One certificate in PEM (RFC 7468, section 5.1): lines of 64 characters between its BEGIN and END.
    public static func certificate(_ der: [UInt8]) -> String {
        var text = "-----BEGIN CERTIFICATE-----\n"
        var rest = Base64.encode(der)[...]
        while !rest.isEmpty {
            text += rest.prefix(lineLength) + "\n"
            rest = rest.dropFirst(lineLength)
        }
        return text + "-----END CERTIFICATE-----\n"
    }
}
