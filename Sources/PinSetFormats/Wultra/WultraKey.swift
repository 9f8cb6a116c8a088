internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Keys on P-256 that sign fingerprints, and verify them.
enum WultraKey {
    /// The private key in DER.
    static func privateKey(_ file: [UInt8]) throws(PinSetFormatError) -> [UInt8] {
        _ = try subjectPublicKeyInfo(of: file, kind: .privateKey, "the key to sign with")
        guard file.first != 0x30 else { return file }
        for case .success(let block) in PEM.blocks(in: file) where block.label.hasSuffix("PRIVATE KEY") {
            return block.bytes
        }
        throw PinSetFormatError(format: .wultra, message: "the key to sign with is neither PEM nor DER")
    }

    /// The `SubjectPublicKeyInfo`.
    static func publicKey(_ file: [UInt8]) throws(PinSetFormatError) -> [UInt8] {
        try subjectPublicKeyInfo(of: file, kind: .publicKey, "the key to verify with")
    }

    private static func subjectPublicKeyInfo(
        of file: [UInt8], kind: KeyFileObject.Kind, _ subject: String
    ) throws(PinSetFormatError) -> [UInt8] {
        let results = KeyFile.read(file)
        var problem: String?
        for result in results {
            switch result {
            case .success(let object) where object.kind == kind:
                guard object.key.curve == "P-256" else {
                    let type = [object.key.type, object.key.curve].compactMap { $0 }.joined(separator: " ")
                    throw PinSetFormatError(format: .wultra, message: "\(subject) is \(type), and P-256 is expected")
                }
                return Array(object.subjectPublicKeyInfo)
            case .success(let object): problem = problem ?? "this is a \(object.kind.rawValue)"
            case .failure(let error): problem = problem ?? error.message
            }
        }
        throw PinSetFormatError(
            format: .wultra, message: "\(subject) cannot be used: \(problem ?? "the file has no key")",
            hint: "it is a \(kind.rawValue) on P-256, in PEM or DER, not encrypted")
    }
}
