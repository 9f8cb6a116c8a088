internal import Encodings
package import KeyFiles
internal import Pinning
internal import PropertyLists
internal import XMLDocuments

extension PinSetFormatError {
    /// A sentence in lower case without its full stop: what was given and what was expected.
    public var message: String {
        switch reason {
        case .empty: "the input is empty: expected a pin set"
        case .tooLarge(let bytes, let maximum):
            "the pin set has \(bytes) bytes; the maximum is \(maximum)"
        case .unknownFormat(let tried):
            "the file is not a pin set in a known format; tried \(tried.map(\.rawValue).joined(separator: ", "))"
        case .otherFile(let kind): "the file is \(kind.name): expected a pin set"
        case .severalFormats(let formats):
            "the format is ambiguous: the file may be \(formats.map(\.rawValue.quotedExcerpt).joined(conjunction: "or"))"
        case .writeOnly: "pinctl writes \(formatName) but cannot read it"
        case .notWrittenIntoFiles: "pinctl cannot write \(formatName) into an existing file"

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
            "\(formatName) contains hashes of certificates, and a pin set contains hashes of keys: the conversion"
                + " needs the certificates"
        case .noCertificates(.noneMatches(let host, let isLeaf)):
            "no given certificate has a pin of \(host.quotedExcerpt)" + (isLeaf ? " for the server's own key" : "")
        case .noNames: "Chromium's JSON contains only the names of the pins; the pins are in a second file"

        case .json(let error): error.message
        case .xml(let error): error.message
        case .propertyList(let error): error.message
        case .set(let error): error.message
        case .privateKey(let kind): "a pin or its label contains \(kind.rawValue)"
        case .pin(let error): error.message
        case .pinSpelling(let text, _):
            "\(text.quotedExcerpt) is not plain base64, the only spelling that this format allows"
        case .host(let error), .wildcard(let error): error.message
        case .type(let part, let found, let expected): "\(part.text) is \(found), not \(expected.text)"
        case .missing(let key, let part): "\(part.text) has no \(key.quotedExcerpt)"
        case .notDay(let text, let part): "\(part.text) is \(text.quotedExcerpt), which is not a day"
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
            "every pin of \(host.quotedExcerpt) is retired, so no certificate matches; no format can express this"
        case .nothingWritable(let warning):
            "\(formatName) supports no host of the set" + (warning.map { ": \($0.description)" } ?? "")
        case .noEntry(let host): "the set has no pins for \(host.quotedExcerpt)"
        case .otherKeyOfHost(let key, let host):
            "the pins of \(host.quotedExcerpt) cannot be removed: its dictionary also has the key \(key.quotedExcerpt), and"
                + " the platform rejects a host without pins"

        case .file(let problem): problem.message
        case .android(let problem): problem.message
        case .literal(let problem): problem.message
        case .ambiguousSource(let problem): problem.message
        case .okHttp(let problem): problem.message
        case .hpkp(.noHeader): "there is no Public-Key-Pins header"
        case .hpkp(.noPins): "the header has no \"pin-sha256\""
        case .curl(.noPrefix): "the line does not begin with \"sha256//\""
        case .curl(.singleQuotes):
            "in a configuration file, single quotation marks are a part of the string, so curl uses it as the name of a file"
        case .curl(.noPins): "the file contains no pins"
        case .tlsa(let problem): problem.message
        case .chromium(let problem): problem.message
        case .wultra(let problem): problem.message
        }
    }

    /// The next step, if there is one.
    public var hint: String? {
        switch reason {
        case .otherFile(let kind): kind.hint
        case .unknownFormat: "name the format to see what is wrong with the file"
        case .severalFormats: "name the format"
        case .writeOnly(nil): "keep the pin set in a format that pinctl can read, such as pins.json"
        case .writeOnly(let other?): "read it as \(other.rawValue.quotedExcerpt)"
        case .notWrittenIntoFiles(let supported):
            supported.isEmpty
                ? nil
                : "use one of the formats that support it: \(supported.map(\.rawValue).joined(conjunction: "and"))"
        case .json(let error): error.hint
        case .xml(let error): error.hint
        case .propertyList(let error): error.hint
        case .set(let error):
            if case .host(let name) = error.reason { wildcardStep(name) ?? error.hint } else { error.hint }
        case .pin(let error): error.hint
        case .pinSpelling(_, let pin): "write \(pin.base64.quotedExcerpt)"
        case .host(let error): wildcardStep(error) ?? error.hint
        case .wildcard: "write the host without the asterisk, and use the format's setting for subdomains"
        case .type(_, _, .dictionaryOf(let key)): "write a dictionary that contains only the key \(key.quotedExcerpt)"
        case .notDay: "write a day as \"2027-06-01\""
        case .dayExpected: "write a day as \"2027-06-01\""
        case .hostTwice: "move the pins of both into one entry"
        case .noDomains(_, true, let other?): "the file has TrustKit's pins: read it as \(other.rawValue.quotedExcerpt)"
        case .noDomains(_, false, let other?):
            "the file has pins of App Transport Security: read it as \(other.rawValue.quotedExcerpt)"
        case .emptyPins(_, let matchesNothing):
            matchesNothing ? "remove the key, or add a pin" : "add a pin, or remove the host"
        case .allPinsRetired: "remove the host, or add a pin in use"
        case .otherKeyOfHost: "add the host to the set, or remove it from the file"
        case .nothingWritable(let warning): warning?.step
        case .noCertificates(.noneMatches(_, let isLeaf)): ConversionWarning.certificateStep(isLeaf: isLeaf)
        case .file(let problem): problem.hint
        case .android(let problem): problem.hint
        case .literal(.valueExpected):
            "write the pins as literals in the source, or move the configuration to a property list"
        case .literal(.dividedName): "write the word on one line"
        case .ambiguousSource(let problem): problem.hint
        case .okHttp(let problem): problem.hint
        case .hpkp(.noHeader):
            "write a header like this: Public-Key-Pins: pin-sha256=\"…\"; pin-sha256=\"…\"; max-age=5184000"
        case .curl(.noPrefix):
            "use the pin of the key: a pin set cannot contain curl's other form, the path of a public key file"
        case .curl(.singleQuotes): "use double quotation marks"
        case .curl(.noPins): "write pins like this: sha256//…;sha256//…"
        case .tlsa(.noRecords): "write a record like this: _443._tcp.example.com. IN TLSA 3 1 1 …"
        case .tlsa(.noService): "write the port and the protocol before the host: _443._tcp.example.com"
        case .privateKey(.privateKey), .tlsa(.privateKey(.privateKey)):
            "remove it, and replace the key if others could read the file"
        case .privateKey(.pkcs12), .tlsa(.privateKey(.pkcs12)): "remove it"
        case .chromium(.names(.notValue)):
            "write sha256/…, a public key in PEM or a certificate in PEM after the name"
        case .chromium(.names(.notName)):
            "use a name of ASCII letters, digits and underscores that begins with a capital letter"
        case .wultra(.noCertificateMatches): "use the certificates that the servers use now"
        case .wultra(.unusableKey(let use, _)):
            "use an unencrypted P-256 \(use.kind.rawValue) in PEM or DER"
        default: nil
        }
    }

    /// The step for a host with an asterisk in the syntax of the format; nil for other errors, and for pins.json.
    private func wildcardStep(_ error: HostNameError) -> String? {
        guard error.reason == .wildcard, let format, !format.traits.isNative else { return nil }
        return format.step(inPlaceOf: error.host)
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
        case .compiled: "this is binary XML, as in an .apk; pinctl reads only XML text"
        case .wrongRoot(let name): "the root is \(Self.tag(name)), not \"<network-security-config>\""
        case .secondElement(let name): "there is a second \(Self.tag(name))"
        case .misplacedElement(let name, let parent): "\(Self.tag(name)) is not allowed in \(Self.tag(parent))"
        case .secondPinSet: "there is a second \"<pin-set>\" in one \"<domain-config>\""
        case .noDomain: "there is no \"<domain>\" in this \"<domain-config>\""
        case .elementInDomain(let name): "\(Self.tag(name)) is not allowed in \"<domain>\", which contains only a host"
        case .elementInPin(let name): "\(Self.tag(name)) is not allowed in \"<pin>\", which contains only a pin"
        case .dividedText(let name): "a comment divides the text of \(Self.tag(name)); Android rejects the file"
        case .wildcard(let error, _): error.message
        case .domainTwice(let host, let first):
            "the domain \(host.quotedExcerpt) occurs twice: first as \(first.quotedExcerpt)"
        case .tooManyPins: "the domains that share pins have more than \(SharedPinCount.maximum) pins together"
        case .noDigest: "a pin has no \"digest\""
        case .digest(let name): "\(name.quotedExcerpt) is not \"SHA-256\", the only supported digest"
        case .notBool(let text, let attribute):
            "\(attribute.quotedExcerpt) is \(text.quotedExcerpt), not \"true\" or \"false\""
        case .pinsNotRemovable(let host, let parent):
            "the pins of \(host.quotedExcerpt) cannot be removed: the set pins it with \(parent.quotedExcerpt), and this"
                + " \"<domain-config>\" has other settings for it"
        }
    }

    fileprivate var hint: String? {
        switch self {
        case .compiled: "use the file in the project's res/xml, or decode the .apk: apktool d APP.apk"
        case .misplacedElement: "move it into a <domain-config>"
        case .wildcard(_, let host): "write <domain includeSubdomains=\"true\">\(host)</domain>"
        case .dividedText: "move the comment before the element"
        case .noDigest: "write <pin digest=\"SHA-256\">"
        case .pinsNotRemovable: "add the host to the set, or remove its <domain> from the file"
        default: nil
        }
    }

    private static func tag(_ name: String) -> String { "<\(name)>".quotedExcerpt }
}

extension PinSetFormatError.Literal {
    fileprivate var message: String {
        switch self {
        case .missingKey(let key): "the source has no \(key.quotedExcerpt) with a dictionary as its value"
        case .tooDeep(let maximum): "arrays and dictionaries are nested more than \(maximum) levels deep"
        case .valueExpected: "expected a value"
        case .keyExpected: "expected a key"
        case .keyTwice(let key): "the key \(key.withoutUserInfo.quotedExcerpt) occurs twice in one dictionary"
        case .commaExpected(.end): "expected \",\" or a closing bracket, but the text ends"
        case .commaExpected(.string): "expected \",\" or a closing bracket, found a string"
        case .commaExpected(.name(let name)): "expected \",\" or a closing bracket, found \(name.quotedExcerpt)"
        case .unclosedComment: "the comment is not closed"
        case .unclosedString: "the string is not closed"
        case .dividedName: "a backslash divides this word over two lines"
        }
    }
}

extension PinSetFormatError.OkHttp {
    fileprivate var message: String {
        switch self {
        case .tooLong(let maximum): "the source is longer than \(maximum) bytes"
        case .tooManyPins:
            "the hosts and constants of the source share more than \(SharedPinCount.maximum) pins"
        case .tooManyLoops(let maximum): "the source has more than \(maximum) loops over lists of known values"
        case .noPins(let warning):
            "there are no pins for a host in this text" + (warning.map { ": \($0.message)" } ?? "")
        case .refusedPin(let text): "OkHttp refuses the pin \(text.quotedExcerpt)"
        case .refusedPattern(let pattern): "OkHttp refuses the pattern \(pattern.quotedExcerpt)"
        case .patternOfAddress(let pattern):
            "\(pattern.quotedExcerpt) is a pattern with an IP address, which has no subdomains"
        case .patternNotHost(let pattern): "\(pattern.quotedExcerpt) is not a host name"
        }
    }

    fileprivate var hint: String? {
        switch self {
        case .noPins(let warning):
            switch warning?.reason {
            case .unknownPattern, .unknownPin:
                "name the file that defines the value: pinctl convert --constants FILE"
            default: "use a call like CertificatePinner.Builder().add(\"example.com\", \"sha256/…\")"
            }
        case .refusedPin: "write a pin as \"sha256/\" and 44 characters of base64"
        case .refusedPattern:
            "use an asterisk only as the whole leftmost label: \"*.example.com\" or \"**.example.com\""
        default: nil
        }
    }
}

extension PinSetFormatError.TLSA {
    fileprivate var message: String {
        switch self {
        case .noRecords(let warning):
            "the file contains no TLSA record that a pin set can represent" + (warning.map { ": \($0.message)" } ?? "")
        case .noService(let owner): "\(owner.quotedExcerpt) has no port and protocol"
        case .notPublicKey(let numbers): "the data of \"\(numbers)\" is not a SubjectPublicKeyInfo in DER"
        case .notCertificate(let numbers, let error): "the data of \"\(numbers)\" is not a certificate: \(error)"
        case .malformed:
            "a TLSA record has a usage, a selector and a matching type, then data in hexadecimal digits"
        case .length(let declared, let found): "the record declares \(declared) bytes of data but has \(found)"
        case .tooShort: "the record is too short"
        case .notHex: "the record's data is not pairs of hexadecimal digits"
        case .privateKey(let kind): "a name is a part of \(kind.rawValue)"
        case .longName(let maximum): "a name has more than \(maximum) bytes"
        case .unopenedParenthesis: "there is a \")\" without a \"(\" before it"
        case .unclosedParenthesis: "there is a \"(\" without a \")\" after it"
        case .unclosedQuote: "a quotation mark has no closing mark on its line"
        }
    }
}

extension PinSetFormatError.Chromium {
    fileprivate var message: String {
        switch self {
        case .pinSetTwice(let name): "the pin set \(name.quotedExcerpt) occurs twice"
        case .unknownPin(let name): "\(name.quotedExcerpt) is not in the file of names"
        case .unknownPinSet(let name): "there is no pin set \(name.quotedExcerpt) in \"pinsets\""
        case .names(let problem): "in the file of names: \(problem.message)"
        }
    }
}

extension PinSetFormatError.Chromium.Names {
    fileprivate var message: String {
        switch self {
        case .privateKey: "the line is a part of a private key"
        case .notSeconds: "the line is not a time in seconds since 1970"
        case .notValue: "the line is not the value of a pin"
        case .notName: "the line is not the name of a pin"
        case .noValue: "the name on this line has no value after it"
        case .nameTwice(let name): "the name \(name.quotedExcerpt) occurs twice"
        case .unclosedBlock: "the PEM block has no end"
        case .emptyBlock: "the PEM block is empty"
        case .wrongObject(let kind): "expected a certificate or a public key, found a \(kind.rawValue)"
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
        case .noCertificateMatches(let warning):
            "none of the given certificates has one of the fingerprints" + (warning.map { ": \($0.message)" } ?? "")
        case .cannotSign(let reason): "cannot sign with this key: \(reason)"
        case .keyEncoding: "\(KeyUse.signing.text) is neither PEM nor DER"
        case .keyType(let use, let found): "\(use.text) is \(found), not P-256"
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
