internal import Encodings
internal import KeyFiles
internal import PinSetCodec
internal import Pinning

/// P-256 keys that sign and verify fingerprints.
enum WultraKey {
    /// The private key in DER.
    static func privateKey(_ file: [UInt8]) throws(PinSetFormatError) -> [UInt8] {
        _ = try subjectPublicKeyInfo(of: file, for: .signing)
        guard !DERReader.isSequence(file) else { return file }
        for case .success(let block) in PEM.blocks(in: file) where block.label.hasSuffix("PRIVATE KEY") {
            return block.bytes
        }
        throw WultraFormat.error(.wultra(.keyEncoding))
    }

    /// The `SubjectPublicKeyInfo` of a private key.
    static func publicKey(ofPrivateKey file: [UInt8]) throws(PinSetFormatError) -> [UInt8] {
        try subjectPublicKeyInfo(of: file, for: .signing)
    }

    /// The `SubjectPublicKeyInfo`.
    static func publicKey(_ file: [UInt8]) throws(PinSetFormatError) -> [UInt8] {
        try subjectPublicKeyInfo(of: file, for: .verifying)
    }

    private static func subjectPublicKeyInfo(
        of file: [UInt8], for use: PinSetFormatError.Wultra.KeyUse
    ) throws(PinSetFormatError) -> [UInt8] {
        let results = KeyFile.read(file)
        var problem: PinSetFormatError.Wultra.KeyProblem?
        for result in results {
            switch result {
            case .success(let object) where object.kind == use.kind:
                guard object.key.curve == "P-256" else {
                    let type = [object.key.type, object.key.curve].compactMap { $0 }.joined(separator: " ")
                    throw WultraFormat.error(.wultra(.keyType(use, found: type)))
                }
                return Array(object.subjectPublicKeyInfo)
            case .success(let object): problem = problem ?? .kind(object.kind)
            case .failure(let error): problem = problem ?? .file(error)
            }
        }
        throw WultraFormat.error(.wultra(.unusableKey(use, problem ?? .noKey)))
    }
}
