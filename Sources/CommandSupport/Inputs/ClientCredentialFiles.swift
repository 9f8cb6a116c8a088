internal import Encodings
package import KeyFiles
internal import Pinning

/// The files of `--cert`, `--key` and `--key-password-file`.
package struct ClientCredentialFiles {
    private let certificate: String
    private let key: String?
    private let passwordFile: String?

    /// - Parameters:
    ///   - certificate: A file with a certificate in PEM or DER, or a PKCS#12 file.
    ///   - key: The file with the private key; nil if it is in the file of the certificate.
    package init(certificate: String, key: String?, passwordFile: String?) {
        (self.certificate, self.key, self.passwordFile) = (certificate, key, passwordFile)
    }

    /// Reads the certificate and its key. If the key needs a password and no file has it, asks for one on the terminal.
    package func credential(_ console: Console) throws(CommandError) -> ClientCredential {
        let password = try passwordFile.map { path throws(CommandError) in try PasswordFile.read(path, console) }
        let keys = PrivateKeyCollection()
        let objects = try read(certificate, password, keys, isKeyElsewhere: key != nil, console)
        let certificates = objects.compactMap(\.certificate)
        if let key {
            guard !certificates.isEmpty else { throw noCertificate }
            let others = PrivateKeyCollection()
            _ = try read(key, password, others, isKeyElsewhere: false, console)
            return try credential(of: certificates, others, key)
        }
        return try credential(of: certificates, keys, certificate)
    }

    private func credential(
        of certificates: [Certificate], _ keys: PrivateKeyCollection, _ file: String
    ) throws(CommandError) -> ClientCredential {
        let name = InputFile.name(of: file)
        do throws(ClientCredential.Problem) {
            return try ClientCredential(certificates, keys.keys)
        } catch {
            switch error {
            case .noCertificate: throw noCertificate
            case .noKey where key == nil:
                throw CommandError("\(name) contains no private key", hint: "use --key FILE")
            case .noKey:
                throw CommandError("\(name) contains no private key: expected the key of \"--cert \(certificate)\"")
            case .keyOfAnother(let certificate, let key):
                throw CommandError(
                    "the private key in \(name) does not belong to the certificate in \(InputFile.name(of: self.certificate)):"
                        + " the key has the pin \(key.base64), the certificate \(certificate.base64)")
            }
        }
    }

    private var noCertificate: CommandError {
        CommandError(
            "\(InputFile.name(of: certificate)) contains no certificate: expected a client certificate",
            hint: "use --cert with a certificate in PEM or DER, or with a PKCS#12 file")
    }

    /// Reads the objects of a file and collects its private keys.
    ///
    /// - Parameter isKeyElsewhere: Whether a private key in this file is not needed, so that it needs no password.
    private func read(
        _ path: String, _ password: Password?, _ keys: PrivateKeyCollection, isKeyElsewhere: Bool, _ console: Console
    ) throws(CommandError) -> [KeyFileObject] {
        let name = InputFile.name(of: path)
        var objects: [KeyFileObject] = []
        for result in try KeyFileInput.objects(in: path, password: password, keys: keys, console) {
            do throws(KeyFileError) {
                objects.append(try result.get())
            } catch {
                if isKeyElsewhere, error.problem == .needsPassword, !objects.isEmpty { continue }
                let hint = error.problem == .needsPassword ? "use --key-password-file FILE" : error.hint
                throw CommandError("\(name): \(error.message)", hint: hint)
            }
        }
        return objects
    }
}
