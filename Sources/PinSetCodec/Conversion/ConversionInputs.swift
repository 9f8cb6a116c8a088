public import Pinning

/// Additional inputs for reading or writing a format. Most formats need none.
public struct ConversionInputs: Sendable {
    /// Host of the pins that are read or written, for formats that name no host (`hpkp`, `curl`, `tlsa`).
    public var host: String?
    /// Other files of the source code, with the constants that the file uses (`okhttp`): Kotlin, Java, or Android's string resources.
    public var sources: [[UInt8]]
    /// Pinned certificates, for formats without SPKI pins (`alamofire`, `wultra`).
    public var certificates: [Certificate]
    /// Chromium's file of pin names.
    public var names: [UInt8]?
    /// P-256 private key, PEM or DER, that signs the output (`wultra`).
    public var signingKey: [UInt8]?
    /// P-256 public key, PEM or DER, that verifies the signatures of the file (`wultra`).
    public var verifyingKey: [UInt8]?
    /// Time of writing, for formats that contain it (`chromium`).
    public var date: Timestamp?

    /// The file that is replaced. Its valid signatures of fingerprints that stay are kept (`wultra`).
    package var previous: [UInt8]?

    public init(
        host: String? = nil, sources: [[UInt8]] = [], certificates: [Certificate] = [], names: [UInt8]? = nil,
        signingKey: [UInt8]? = nil,
        verifyingKey: [UInt8]? = nil, date: Timestamp? = nil
    ) {
        self.host = host
        self.sources = sources
        self.certificates = certificates
        self.names = names
        self.signingKey = signingKey
        self.verifyingKey = verifyingKey
        self.date = date
    }
}
