internal import CommandSupport
internal import Encodings
internal import KeyFiles
internal import Pinning

/// An output format of hashes.
protocol HashReport: AnyObject {
    var start: String { get }
    var end: String { get }
    func output(for item: HashItem) -> [UInt8]
}

extension HashReport {
    var start: String { "" }
    var end: String { "" }
}

/// Hashes, one per line, with the file name if there are several files.
final class HashPinReport: HashReport {
    private let isSingleFile: Bool
    private let subject: HashCommand.Subject
    private let spelling: PinSpelling
    private let answers: PinAnswer?

    /// - Parameter answers: adds the owner of the key to each pin of the command line; nil to print only the pin.
    init(isSingleFile: Bool, subject: HashCommand.Subject, spelling: PinSpelling, answers: PinAnswer?) {
        (self.isSingleFile, self.subject) = (isSingleFile, subject)
        (self.spelling, self.answers) = (spelling, answers)
    }

    func output(for item: HashItem) -> [UInt8] {
        guard case .success(let source) = item.result else { return [] }
        if let answers, case .pin(let pin) = source {
            return Array("\(pin.base64)  \(answers.sentence(about: pin))\n".utf8)
        }
        let hash =
            switch subject {
            case .spki: spelling.text(of: source.pin, isAuthority: source.isAuthority)
            case .certificate: Base64.encode(source.certificate?.sha256 ?? [])
            }
        return Array((isSingleFile ? "\(hash)\n" : "\(hash)  \(item.name.escaped)\n").utf8)
    }
}

/// A report for people: the kind of each object and its hash.
final class HashTextReport: HashReport {
    private let style: Style
    private let text: ChainText
    private let subject: HashCommand.Subject
    private let names: AuthorityNames
    private let answers: PinAnswer

    init(_ console: Console, _ color: ColorChoice, _ subject: HashCommand.Subject) {
        style = Style(color, on: console)
        self.subject = subject
        text = ChainText(style: style, width: console.width, now: .now)
        names = AuthorityNames([SystemTrust.source(console.environment)])
        answers = PinAnswer(console)
    }

    func output(for item: HashItem) -> [UInt8] {
        guard case .success(let source) = item.result else { return [] }
        var block = style(.strong, item.name.escaped) + "  " + source.kind + "\n"
        switch source {
        case .object(let object): block += text.row(of: object, showing: subject, names)
        case .pin(let pin):
            block += text.sentence(answers.sentence(about: pin), .quiet)
            block += ChainText.indentation + style(.quiet, "pin") + ChainText.gap + pin.base64 + "\n"
        }
        return Array(block.utf8)
    }
}

/// JSON: a list of objects.
final class HashJSONReport: HashReport {
    private var isFirst = true
    private let names: AuthorityNames

    init(_ console: Console) { names = AuthorityNames([SystemTrust.source(console.environment)]) }

    var start: String { JSONList.start(schema: "pinctl/hash/1", list: "objects") }
    var end: String { JSONList.end }

    func output(for item: HashItem) -> [UInt8] {
        defer { isFirst = false }
        let element = JSONList.element { writer in writer.object { $0.fields(of: item, names) } }
        return isFirst ? element : Array(JSONList.separator.utf8) + element
    }
}

extension JSONWriter {
    fileprivate mutating func fields(of item: HashItem, _ names: AuthorityNames) {
        field("file", item.path)
        field("number", item.number ?? 1)
        switch item.result {
        case .failure(let failure):
            for name in ["kind", "pin", "knownAs", "key", "certificate"] { null(name) }
            self.failure("error", (failure.code, failure.sentence))
        case .success(.pin(let pin)):
            field("kind", "pin")
            field(pin, knownAs: names.name(of: pin))
            for name in ["key", "certificate", "error"] { null(name) }
        case .success(.object(let object)):
            field("kind", object.kind.rawValue)
            let known = object.certificate == nil ? names.name(of: object.pin) : KnownAuthorities.name(of: object.pin)
            field(object.pin, knownAs: known)
            field("key", object.key)
            if let certificate = object.certificate {
                self.object("certificate") { $0.fields(of: certificate) }
            } else {
                null("certificate")
            }
            null("error")
        }
    }
}

extension HashFailure {
    fileprivate var sentence: String {
        switch self {
        case .unreadable(let error): error.message
        case .unusable(let error): error.message
        case .noCertificate(let kind): "this is a \(kind), not a certificate"
        }
    }
}
