internal import Arguments
internal import Pinning

/// The certificates of one file, in its order.
enum CertificateFile {
    /// Reads every certificate of a PEM bundle, or the one of a DER file; what a bundle holds beside them is left out.
    ///
    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - noun: what each certificate is there for, in messages: "trust anchor".
    /// - Throws: ``CommandError`` for a file without certificates, and for what cannot be read whole.
    static func certificates(at path: String, each noun: String, _ console: Console) throws(CommandError)
        -> [Certificate]
    {
        let name = InputFile.name(of: path)
        let bytes = try InputFile.bytes(at: path, console)
        guard bytes.first != 0x30 else {
            do {
                return [try Certificate(der: bytes)]
            } catch {
                throw CommandError("\(name) is no \(noun): \(error)")
            }
        }
        var found: [Certificate] = []
        for result in PEM.blocks(in: bytes) {
            switch result {
            case .failure(let error):
                throw CommandError("cannot read the \(noun)s in \(name): \(error)")
            case .success(let block):
                guard let der = block.certificateBytes else { continue }
                do {
                    found.append(try Certificate(der: der))
                } catch {
                    throw CommandError("cannot read the \(noun) at line \(block.line) of \(name): \(error)")
                }
            }
        }
        guard !found.isEmpty else { throw CommandError("\(name) holds no certificate, in PEM or in DER") }
        return found
    }
}
