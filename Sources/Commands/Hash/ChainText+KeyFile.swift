internal import CommandSupport
internal import Encodings
internal import KeyFiles
internal import Pinning

extension ChainText {
    /// One object of a file, and its hash on the next line.
    ///
    /// - Parameter names: Names for keys that have no certificate.
    func row(
        of object: KeyFileObject, showing subject: HashCommand.Subject, _ names: AuthorityNames
    ) -> String {
        let isPin = subject == .spki
        let hash = isPin ? object.pin.base64 : Base64.encode(object.certificate?.sha256 ?? [])
        var line = Self.indentation
        if let certificate = object.certificate {
            let (validity, emphasis) = Self.validity(of: certificate, now: now)
            line += style(.strong, (certificate.subject?.displayName ?? "").escaped) + Self.gap
            line += object.key.description + Self.gap + style(emphasis, validity) + "\n"
        } else {
            line += object.key.description + "\n"
        }
        let title = isPin ? "pin" : "sha256"
        let authority = object.certificate.map(\.unobviousAuthority) ?? names.name(of: object.pin)?.escaped
        let columns = Self.indentation.count + title.count + Self.gap.count + hash.count
        line += Self.indentation + style(.quiet, title) + Self.gap + hash
        return line + (isPin ? remark(authority, after: columns) : "") + "\n"
    }
}
