internal import Encodings
package import Pinning

extension PinSetFormatError {
    /// A sentence in lower case without its full stop: what was given and what was expected.
    public var message: String {
        switch reason {
        case .empty: "the input is empty: expected a pin set"
        case .tooLarge(let bytes, let maximum):
            "the pin set has \(bytes) bytes, and the most that is read is \(maximum)"
        case .unknownFormat(let tried):
            "this is no pin set in any known format; tried \(tried.map(\.rawValue).joined(separator: ", "))"
        case .severalFormats(let formats):
            "this may be \(formats.map(\.rawValue.quotedExcerpt).joined(conjunction: "or"))"
        case .writeOnly: "\(formatName) is written and not read"
        case .notWrittenIntoFiles: "\(formatName) is not written into a file that is there already"

        case .noHost(of: .pins): "the pins do not say which host they are for"
        case .noHost(of: .header): "the header does not say which host it is for"
        case .noHost(of: .record): "the record does not say which host it is for"
        case .noHost(of: .certificate(let names)):
            "a certificate file does not say for which host it is pinned"
                + (names.isEmpty
                    ? "" : "; the certificate is for \(names.map(\.quotedExcerpt).joined(conjunction: "and"))")
        case .noCertificates(.keys):
            "\(formatName) needs the certificates, because a pin set has only the hashes of their keys"
        case .noCertificates(.fingerprints):
            "\(formatName) has fingerprints of certificates, and a pin set has pins of keys: one comes of the other only"
                + " by the certificates"
        case .noCertificates(.noneMatches(let host, let isLeaf)):
            "no certificate that was given has a pin of \(host.quotedExcerpt)" + (isLeaf ? " for its own key" : "")
        case .noNames: "Chromium's JSON has names of pins, and the pins are in a file beside it"

        case .json(let error): error.message
        case .xml(let error): error.message
        case .propertyList(let error): error.message
        case .set(let error): error.message
        case .pin(let error): error.message
        case .pinSpelling(let text, _):
            "\(text.quotedExcerpt) is not base64 alone, the only spelling that this format has"
        case .host(let error), .wildcard(let error): error.message
        case .type(let part, let found, let expected): "\(part.text) is \(found), not \(expected.text)"
        case .missing(let key, let part): "\(part.text) has no \(key.quotedExcerpt)"
        case .notDay(let text, let part): "\(text.quotedExcerpt) is no day for \(part.text)"
        case .dayExpected(let key, let found):
            "\(key.quotedExcerpt) is \(found.quotedExcerpt), which is not a day"
        case .notSeconds(let key): "\(key.quotedExcerpt) is not a whole number of seconds since 1970"
        case .hostTwice(let host, let first):
            "the host \(host.quotedExcerpt) occurs twice: first as \(first.quotedExcerpt)"
        case .noHosts(let part): "\(part.text) pins no host"
        case .noDomains(let key, let isPropertyList, _):
            (isPropertyList ? "the property list has no" : "there is no") + " \(key.quotedExcerpt)"
        case .emptyPins(let part, let matchesNothing):
            "\(part.text) is empty" + (matchesNothing ? ", so that no certificate matches" : "")

        case .allPinsRetired(let host):
            "every pin of \(host.quotedExcerpt) is retired, so that no certificate matches, which no format can say"
        case .nothingWritable: "nothing of the set can be written as \(formatName)"
        case .noEntry(let host): "the set has no pins for \(host.quotedExcerpt)"

        case .file(let problem): problem.message
        case .android(let problem): problem.message
        case .literal(let problem): problem.message
        case .okHttp(let problem): problem.message
        case .hpkp(.noHeader): "there is no Public-Key-Pins header"
        case .hpkp(.noPins): "the header has no \"pin-sha256\""
        case .curl(.noPrefix(let text)): "\(text.quotedExcerpt) does not begin with \"sha256//\""
        case .curl(.noPins): "there are no pins"
        case .tlsa(let problem): problem.message
        case .chromium(let problem): problem.message
        case .wultra(let problem): problem.message
        }
    }

    /// The next step, if there is one.
    public var hint: String? {
        switch reason {
        case .unknownFormat: "name the format to see what is wrong with the file"
        case .severalFormats: "name the format"
        case .writeOnly(nil): "keep the pin set in a format that is read, such as pins.json"
        case .writeOnly(let other?): "read it as \(other.rawValue.quotedExcerpt)"
        case .notWrittenIntoFiles(let supported):
            supported.isEmpty ? nil : "\(supported.map(\.rawValue).joined(conjunction: "and")) are"
        case .json(let error): error.hint
        case .xml(let error): error.hint
        case .propertyList(let error): error.hint
        case .set(let error): error.hint
        case .pin(let error): error.hint
        case .pinSpelling(_, let pin): "write \(pin.base64.quotedExcerpt)"
        case .host(let error): error.hint
        case .wildcard: "write the host, and that its subdomains are included"
        case .type(_, _, .dictionaryOf(let key)): "write a dictionary with the one key \(key.quotedExcerpt)"
        case .notDay: "write it as \"2027-06-01\""
        case .dayExpected: "write a day, \"2027-06-01\""
        case .hostTwice: "put the pins of both into one entry"
        case .noDomains(_, true, let other?): "it has TrustKit's pins: read it as \(other.rawValue.quotedExcerpt)"
        case .noDomains(_, false, let other?):
            "it has pins of App Transport Security: read it as \(other.rawValue.quotedExcerpt)"
        case .emptyPins(_, let matchesNothing):
            matchesNothing ? "remove the key, or add a pin" : "add a pin, or remove the host"
        case .allPinsRetired: "remove the host, or add a pin in use"
        case .nothingWritable(let warning): warning?.description
        case .file(let problem): problem.hint
        case .android(let problem): problem.hint
        case .literal(.valueExpected):
            "read the configuration from a property list, or write the pins into the source themselves"
        case .okHttp(let problem): problem.hint
        case .hpkp(.noHeader):
            "it looks like: Public-Key-Pins: pin-sha256=\"…\"; pin-sha256=\"…\"; max-age=5184000"
        case .curl(.noPrefix): "curl also takes a file of a public key there; its pin is what a set holds"
        case .curl(.noPins): "they look like: sha256//…;sha256//…"
        case .tlsa(.noRecords(let warning)):
            warning?.message ?? "they look like: _443._tcp.example.com. IN TLSA 3 1 1 …"
        case .tlsa(.noService): "a TLSA record belongs to a port and a protocol: _443._tcp.example.com"
        case .chromium(.names(.notValue)):
            "after a name comes sha256/…, a public key in PEM, or a certificate in PEM"
        case .chromium(.names(.notName)):
            "names are ASCII letters, digits and underscores, and begin with a capital letter"
        case .wultra(.noCertificateMatches(let warning)): warning?.message
        case .wultra(.unusableKey(let use, _)):
            "it is a \(use.kind.rawValue) on P-256, in PEM or DER, not encrypted"
        default: nil
        }
    }

    private var formatName: String { "\"\(format?.rawValue ?? "")\"" }
}

extension PinSetFormatError: CustomStringConvertible {
    /// `12:9: message`, to append to a file name; only the message if there is no position.
    public var description: String {
        guard let line else { return message }
        guard let column else { return "\(line): \(message)" }
        return "\(line):\(column): \(message)"
    }
}

extension PinSetFormatError.Part {
    fileprivate var text: String {
        switch self {
        case .file: "the file"
        case .set: "the pin set"
        case .root: "the root"
        case .fingerprint: "a fingerprint"
        case .key(let key): key.quotedExcerpt
        case .member(let part): "a member of \(part.text)"
        case .host(let host): host.quotedExcerpt
        case .entry(let host): "the entry of \(host.quotedExcerpt)"
        case .value(let host): "the value of \(host.quotedExcerpt)"
        case .keyOfHost(let key, let host): "\(key.quotedExcerpt) of \(host.quotedExcerpt)"
        case .pinOfHost(let host): "a pin of \(host.quotedExcerpt)"
        case .element(let name): "<\(name)>".quotedExcerpt
        }
    }
}

extension PinSetFormatError.ValueType {
    fileprivate var text: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .bool: "true or false"
        case .dictionary, .dictionaryOf: "a dictionary"
        }
    }
}

extension PinSetFormatError.Android {
    fileprivate var message: String {
        switch self {
        case .compiled: "this is compiled, as files inside an .apk are, and only XML text is read"
        case .wrongRoot(let name): "the root is \(Self.tag(name)), not \"<network-security-config>\""
        case .secondElement(let name): "there is a second \(Self.tag(name))"
        case .misplacedElement(let name, let parent): "\(Self.tag(name)) cannot stand in \(Self.tag(parent))"
        case .secondPinSet: "there is a second \"<pin-set>\" in one \"<domain-config>\""
        case .noDomain: "there is no \"<domain>\" in this \"<domain-config>\""
        case .elementInDomain(let name): "\(Self.tag(name)) stands in \"<domain>\", where only a host belongs"
        case .elementInPin(let name): "\(Self.tag(name)) stands in \"<pin>\", where only a pin belongs"
        case .wildcard(let error, _): error.message
        case .domainTwice(let host, let first):
            "the domain \(host.quotedExcerpt) occurs twice: first as \(first.quotedExcerpt)"
        case .noDigest: "a pin has no \"digest\""
        case .digest(let name): "\(name.quotedExcerpt) is not \"SHA-256\", the only digest of pins"
        case .notBool(let text, let attribute):
            "\(text.quotedExcerpt) is neither \"true\" nor \"false\", for \(attribute.quotedExcerpt)"
        case .pinsNotRemovable(let host, let parent):
            "the pins of \(host.quotedExcerpt) cannot be removed: the set pins it with \(parent.quotedExcerpt), and this"
                + " \"<domain-config>\" says more of it than pins"
        }
    }

    fileprivate var hint: String? {
        switch self {
        case .compiled: "take the file from the project's res/xml, or decode the .apk: apktool d APP.apk"
        case .misplacedElement: "put it into a <domain-config>"
        case .wildcard(_, let host): "write <domain includeSubdomains=\"true\">\(host)</domain>"
        case .noDigest: "write <pin digest=\"SHA-256\">"
        case .pinsNotRemovable: "add the host to the set, or take its <domain> out of the file"
        default: nil
        }
    }

    private static func tag(_ name: String) -> String { "<\(name)>".quotedExcerpt }
}

extension PinSetFormatError.Literal {
    fileprivate var message: String {
        switch self {
        case .missingKey(let key): "there is no \(key.quotedExcerpt) with a dictionary behind it"
        case .tooDeep(let maximum): "more than \(maximum) arrays and dictionaries stand inside each other"
        case .valueExpected: "a value is expected"
        case .keyExpected: "a key is expected"
        case .keyTwice(let key): "the key \(key.quotedExcerpt) stands twice in one dictionary"
        case .commaExpected(.end): "\",\" or the end is expected, and the text ends"
        case .commaExpected(.string): "\",\" or the end is expected, not a string"
        case .commaExpected(.name(let name)): "\",\" or the end is expected, not \(name.quotedExcerpt)"
        case .unclosedComment: "the comment is not closed"
        case .unclosedString: "the string is not closed"
        }
    }
}

extension PinSetFormatError.OkHttp {
    fileprivate var message: String {
        switch self {
        case .tooLong(let maximum): "the source is longer than \(maximum) bytes"
        case .tooManyPins: "the source has more pins than can be meant"
        case .noPins: "there are no pins for a host in this text"
        case .refusedPin(let text): "OkHttp refuses the pin \(text.quotedExcerpt)"
        case .refusedPattern(let pattern): "OkHttp refuses the pattern \(pattern.quotedExcerpt)"
        case .patternOfAddress(let pattern):
            "\(pattern.quotedExcerpt) is a pattern of an IP address, which has no subdomains"
        case .patternNotHost(let pattern): "\(pattern.quotedExcerpt) is no host name"
        }
    }

    fileprivate var hint: String? {
        switch self {
        case .noPins(let warning):
            warning?.message ?? "they are looked for in CertificatePinner.Builder().add(\"example.com\", \"sha256/…\")"
        case .refusedPin: "a pin is \"sha256/\" and 44 characters of base64"
        case .refusedPattern:
            "an asterisk stands for the leftmost label as a whole: \"*.example.com\" or \"**.example.com\""
        default: nil
        }
    }
}

extension PinSetFormatError.TLSA {
    fileprivate var message: String {
        switch self {
        case .noRecords: "there are no TLSA records that a pin set can hold"
        case .noService(let owner): "\(owner.quotedExcerpt) names no service"
        case .notPublicKey(let numbers): "the data of \"\(numbers)\" is no SubjectPublicKeyInfo in DER"
        case .notCertificate(let numbers, let error): "the data of \"\(numbers)\" is no certificate: \(error)"
        case .malformed:
            "a TLSA record has a usage, a selector and a matching type, then data in hexadecimal digits"
        case .length(let declared, let found): "the record says that it has \(declared) bytes, and it has \(found)"
        case .tooShort: "the record is too short"
        case .notHex: "the record's data is not pairs of hexadecimal digits"
        case .unopenedParenthesis: "there is a \")\" with no \"(\" before it"
        case .unclosedParenthesis: "there is a \"(\" with no \")\" after it"
        case .unclosedQuote: "there is a quote with no other after it on its line"
        }
    }
}

extension PinSetFormatError.Chromium {
    fileprivate var message: String {
        switch self {
        case .pinSetTwice(let name): "the pin set \(name.quotedExcerpt) stands twice"
        case .unknownPin(let name): "\(name.quotedExcerpt) is not in the file of names"
        case .unknownPinSet(let name): "there is no pin set \(name.quotedExcerpt) in \"pinsets\""
        case .names(let problem): "in the file of names: \(problem.message)"
        }
    }
}

extension PinSetFormatError.Chromium.Names {
    fileprivate var message: String {
        switch self {
        case .notSeconds(let text): "\(text.quotedExcerpt) is no time in seconds since 1970"
        case .notValue(let text): "\(text.bounded.quotedExcerpt) is not the value of a pin"
        case .notName(let text): "\(text.bounded.quotedExcerpt) is not the name of a pin"
        case .noValue(let name): "the name \(name.quotedExcerpt) has no value after it"
        case .nameTwice(let name): "the name \(name.quotedExcerpt) stands twice"
        case .unclosedBlock: "the PEM block has no end"
        case .emptyBlock: "the PEM block is empty"
        case .wrongObject(let kind): "a \(kind.rawValue) stands where a certificate or a public key belongs"
        case .unreadable(let error): error.message
        }
    }
}

extension PinSetFormatError.Wultra {
    fileprivate var message: String {
        switch self {
        case .notFingerprint(let text): "\(text.quotedExcerpt) is not the base64 of 32 bytes"
        case .notSigned(let host): "the fingerprint of \(host.quotedExcerpt) is not signed"
        case .wrongSignature(let host): "the fingerprint of \(host.quotedExcerpt) is not signed by this key"
        case .noCertificateMatches: "none of the certificates that were given has any of the fingerprints"
        case .cannotSign(let reason): "cannot sign with this key: \(reason)"
        case .keyEncoding: "\(KeyUse.signing.text) is neither PEM nor DER"
        case .keyType(let use, let found): "\(use.text) is \(found), and P-256 is expected"
        case .unusableKey(let use, .noKey): "\(use.text) cannot be used: the file has no key"
        case .unusableKey(let use, .kind(let kind)): "\(use.text) cannot be used: this is a \(kind.rawValue)"
        case .unusableKey(let use, .file(let error)): "\(use.text) cannot be used: \(error.message)"
        }
    }
}

extension PinSetFormatError.Wultra.KeyUse {
    fileprivate var text: String {
        switch self {
        case .signing: "the key to sign with"
        case .verifying: "the key to verify with"
        }
    }

    /// What the file of the key contains.
    package var kind: KeyFileObject.Kind {
        switch self {
        case .signing: .privateKey
        case .verifying: .publicKey
        }
    }
}
