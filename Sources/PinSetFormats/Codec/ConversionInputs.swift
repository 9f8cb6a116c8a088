public import Pinning

/// What a format needs beside the set, or beside the file: most need nothing of it.
public struct ConversionInputs: Sendable {
    /// The host of a format that names none (`hpkp`, `curl`): whose pins are read, or which host's are written.
    public var host: String?
    /// The certificates themselves, for formats that hold no pins of keys (`alamofire`, `wultra`).
    public var certificates: [Certificate]
    /// The file of names that goes with Chromium's JSON.
    public var names: [UInt8]?
    /// The private key, in PEM or DER, that signs what is written (`wultra`): on P-256.
    public var signingKey: [UInt8]?
    /// The public key, in PEM or DER, that must have signed what is read (`wultra`): on P-256.
    public var verifyingKey: [UInt8]?
    /// The time of writing, for formats that state it (`chromium`).
    public var date: Timestamp?

    public init(
        host: String? = nil, certificates: [Certificate] = [], names: [UInt8]? = nil, signingKey: [UInt8]? = nil,
        verifyingKey: [UInt8]? = nil, date: Timestamp? = nil
    ) {
        self.host = host
        self.certificates = certificates
        self.names = names
        self.signingKey = signingKey
        self.verifyingKey = verifyingKey
        self.date = date
    }
}
