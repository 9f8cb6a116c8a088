internal import Encodings
package import Pinning

/// Reads the certificates of one file.
package enum CertificateFile {
    /// Reads all certificates of a PEM bundle in file order, or the certificate of a DER file. Other PEM blocks are skipped.
    ///
    /// - Parameters:
    ///   - path: A file path, or `-` for standard input if there is a console.
    ///   - noun: What the certificates are in messages, such as "trust anchor".
    ///   - console: The console for a path on the command line; nil for a path in a file, which must be a regular file.
    /// - Throws: ``CommandError`` if the file has no certificate, or if one cannot be read.
    package static func certificates(at path: String, each noun: String, _ console: Console?) throws(CommandError)
        -> [Certificate]
    {
        try anchors(at: path, each: noun, console).map(\.certificate)
    }

    /// Reads these certificates with their trust settings, which only a block with the label `TRUSTED CERTIFICATE` has.
    package static func anchors(at path: String, each noun: String, _ console: Console?) throws(CommandError)
        -> [TrustAnchor]
    {
        let name = InputFile.name(of: path)
        let bytes =
            if let console {
                try InputFile.bytes(at: path, for: .certificatesOrSecrets, console)
            } else {
                try InputFile.bytes(at: path, for: .certificatesOrSecrets)
            }
        guard !DERReader.isSequence(bytes) else {
            do {
                return [TrustAnchor(try Certificate(der: bytes))]
            } catch {
                throw CommandError("\(name) is not a \(noun): \(error)")
            }
        }
        var found: [TrustAnchor] = []
        for result in PEM.blocks(in: bytes) {
            switch result {
            case .failure(let error):
                throw CommandError("cannot read the \(noun)s in \(name): \(error)")
            case .success(let block):
                do {
                    guard let anchor = try block.trustAnchor() else { continue }
                    found.append(anchor)
                } catch {
                    throw CommandError("cannot read the \(noun) at line \(block.line) of \(name): \(error)")
                }
            }
        }
        do {
            try TrustAnchors.requireReadableTrustSettings(in: bytes)
        } catch {
            throw CommandError("cannot read the \(noun)s in \(name): \(error)")
        }
        guard !found.isEmpty else { throw CommandError("\(name) contains no certificate in PEM or DER") }
        return found
    }
}
