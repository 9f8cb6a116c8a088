internal import Arguments
internal import Pinning

/// Why an object has no hash.
enum HashFailure: Error {
    case unreadable(CommandError)
    case unusable(MaterialError)
    /// The hash of a certificate was asked for, and this is something else.
    case noCertificate(MaterialObject.Kind)
}

/// One object of one file, or what stands in its place.
struct HashItem {
    let path: String
    /// It is not the first of its file.
    let isSecondary: Bool
    let result: Result<MaterialObject, HashFailure>

    /// The file as it is named in output; what comes second in a bundle is `FILE#2`.
    var name: String {
        guard isSecondary, let number else { return path }
        return "\(path)#\(number)"
    }

    var number: Int? {
        switch result {
        case .success(let object): object.number
        case .failure(.unusable(let error)): error.number
        case .failure: nil
        }
    }

    /// The same, but a failure where there is no certificate.
    var requiringCertificate: HashItem {
        guard case .success(let object) = result, object.certificate == nil else { return self }
        return HashItem(path: path, isSecondary: isSecondary, result: .failure(.noCertificate(object.kind)))
    }

    /// What to say of it on standard error; nil where it has its hash.
    var message: String? {
        guard case .failure(let failure) = result else { return nil }
        switch failure {
        case .unreadable(let error):
            return Message.error(error.message, hint: error.hint)
        case .unusable(let error):
            let hint = error.problem == .needsPassword ? "--password-file FILE gives one" : error.hint
            return Message.error("\(shownName): \(error.message)", hint: hint)
        case .noCertificate(let kind):
            return Message.error(
                "\(shownName): this is a \(kind.rawValue), and \"--of certificate\" hashes certificates",
                hint: "--of spki gives its pin"
            )
        }
    }

    private var shownName: String { path == "-" ? "standard input" : name.quoted }
}
