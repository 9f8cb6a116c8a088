internal import CommandSupport
internal import Encodings
internal import KeyFiles
internal import Pinning

/// Why an object has no hash.
enum HashFailure: Error {
    case unreadable(CommandError)
    case unusable(KeyFileError)
    /// `--of certificate` was given, and the object is not a certificate. The value is its kind.
    case noCertificate(String)
}

/// An object of a file, or a pin on the command line.
enum HashSource {
    case object(KeyFileObject)
    case pin(Pin)

    var pin: Pin {
        switch self {
        case .object(let object): object.pin
        case .pin(let pin): pin
        }
    }

    var certificate: Certificate? {
        if case .object(let object) = self { object.certificate } else { nil }
    }

    /// The kind in words.
    var kind: String {
        switch self {
        case .object(let object): object.kind.rawValue
        case .pin: "pin"
        }
    }

    /// Whether the key is known to be that of a CA.
    var isAuthority: Bool { certificate?.isCA ?? (KnownAuthorities.details(of: pin) != nil) }
}

/// One object of one file, or the error of reading it.
struct HashItem {
    let path: String
    /// Whether it is the second or a later object of its file.
    let isSecondary: Bool
    let result: Result<HashSource, HashFailure>

    /// Name in the output: the path, and a number for the second and later objects: `FILE#2`.
    var name: String {
        guard isSecondary, let number else { return path }
        return "\(path)#\(number)"
    }

    var number: Int? {
        switch result {
        case .success(.object(let object)): object.number
        case .success(.pin): nil
        case .failure(.unusable(let error)): error.number
        case .failure: nil
        }
    }

    /// This item if it is a certificate, otherwise a failure.
    var requiringCertificate: HashItem {
        guard case .success(let source) = result, source.certificate == nil else { return self }
        return HashItem(path: path, isSecondary: isSecondary, result: .failure(.noCertificate(source.kind)))
    }

    /// The message for standard error; nil if the object has a hash.
    var message: String? {
        guard case .failure(let failure) = result else { return nil }
        switch failure {
        case .unreadable(let error):
            return Message.error(error.message, hint: error.hint ?? pinHint)
        case .unusable(let error):
            let hint = error.problem == .needsPassword ? "use --password-file FILE" : error.hint
            return Message.error("\(shownName): \(error.message)", hint: hint)
        case .noCertificate(let kind):
            return Message.error(
                "\(shownName): \"--of certificate\" hashes certificates, and this is a \(kind)",
                hint: "use --of spki to print its pin"
            )
        }
    }

    /// Why the argument is not a pin, if it begins as one. It was then taken for the name of a file.
    private var pinHint: String? {
        guard path.begins(with: "sha256/") else { return nil }
        do throws(PinSpellingError) {
            _ = try Pin(spelling: path)
            return nil
        } catch {
            return "correct the argument if it is a pin: \(error.message)"
        }
    }

    private var shownName: String { path == "-" ? "standard input" : name.quoted }
}
