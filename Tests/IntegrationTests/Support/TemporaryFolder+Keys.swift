import TestSupport

extension TemporaryFolder {
    /// The pin of a private key in the folder, according to openssl.
    func pin(ofKey file: String, password: String? = nil) throws -> String {
        let pass = password.map { "-passin 'pass:\($0)'" } ?? ""
        let shell =
            "openssl pkey -in \(file) \(pass) -pubout -outform DER | openssl dgst -sha256 -binary | openssl base64 -A"
        return String(decoding: try ChildProcess.output(of: ["sh", "-c", shell], folder: url), as: UTF8.self)
    }
}
