package import Encodings
package import KeyFiles
package import Pinning
package import PropertyLists
package import XMLDocuments

/// Why a set cannot be read or written in a format.
public struct PinSetFormatError: Error, Hashable, Sendable {
    /// Nil if no format was detected.
    public let format: PinSetFormat?
    /// Line and column, from 1; columns count Unicode scalars. Nil if the error has no position.
    public let line: Int?
    public let column: Int?
    package let reason: Reason

    package init(_ reason: Reason, format: PinSetFormat?, line: Int? = nil, column: Int? = nil) {
        (self.reason, self.format, self.line, self.column) = (reason, format, line, column)
    }

    package init(_ reason: Reason, format: PinSetFormat?, at position: SourcePosition?) {
        self.init(reason, format: format, line: position?.line, column: position?.column)
    }

    /// Creates an error with the position of `error`.
    package init(_ error: PinSetError, format: PinSetFormat) {
        self.init(.set(error), format: format, line: error.line, column: error.column)
    }

    /// An input that is required to read or write a set.
    public enum Need: Hashable, Sendable {
        /// The name of the format.
        case format
        /// The inputs with these names in ``ConversionInputs``.
        case host, certificates, names
    }

    /// Why a platform finds a host of the file for no connection: its text is not a host name. nil for other errors, also for a private
    /// key in place of a host: a warning would not be enough for it.
    package var unmatchableHost: HostNameError? {
        let error: HostNameError? =
            switch reason {
            case .host(let error), .wildcard(let error): error
            case .set(let error): if case .host(let name) = error.reason { name } else { nil }
            default: nil
            }
        return error?.privateKeyKind == nil ? error : nil
    }

    /// The missing input.
    public var need: Need? {
        switch reason {
        case .unknownFormat, .severalFormats: .format
        case .noHost: .host
        case .noCertificates(.keys), .noCertificates(.fingerprints): .certificates
        case .noNames: .names
        default: nil
        }
    }

    /// The warning about the host, if the format supports no host of the set.
    package var warning: ConversionWarning? {
        if case .nothingWritable(let warning) = reason { warning } else { nil }
    }

    package enum Reason: Hashable, Sendable {
        // MARK: The format

        /// The file is empty.
        case empty
        case tooLarge(bytes: Int, maximum: Int)
        case unknownFormat(tried: [PinSetFormat])
        /// The file is no pin set.
        case otherFile(OtherFile)
        case severalFormats([PinSetFormat])
        /// The format cannot be read. `readAs` is the format that reads the output.
        case writeOnly(readAs: PinSetFormat?)
        /// The format cannot update an existing file. `supported` lists the formats that can.
        case notWrittenIntoFiles(supported: [PinSetFormat])

        // MARK: Missing inputs

        case noHost(of: HostlessPart)
        case noCertificates(CertificateUse)
        /// Chromium's file of names.
        case noNames

        // MARK: Encodings and values

        case json(JSONError)
        case xml(XMLError)
        case propertyList(PropertyListError)
        case set(PinSetError)
        /// A pin or its label contains a private key, or is a part of one.
        case privateKey(PrivateKeyKind)
        case pin(PinSpellingError)
        /// A pin in a spelling that pinctl reads and this format does not allow.
        case pinSpelling(String, Pin)
        case host(HostNameError)
        /// A host with an asterisk, in a format that has a separate setting for subdomains.
        case wildcard(HostNameError)
        case type(of: Part, found: String, expected: ValueType)
        case missing(String, in: Part)
        case notDay(String, for: Part)
        /// The value of `key` is not a day.
        case dayExpected(key: String, found: String)
        case notSeconds(key: String)
        case hostTwice(String, first: String)
        case noHosts(Part)
        /// The file has no dictionary of hosts under `key`. `other` is the format of the pins that the file contains.
        case noDomains(key: String, isPropertyList: Bool, other: PinSetFormat?)
        case emptyPins(Part, matchesNothing: Bool)

        // MARK: Writing

        case allPinsRetired(host: String)
        /// The format supports no host of the set. The warning is the last one.
        case nothingWritable(ConversionWarning?)
        /// The set has no entry for the host.
        case noEntry(host: String)
        /// The pins of a host that is not in the set cannot be removed, because its dictionary has a key that is not of the format.
        case otherKeyOfHost(String, host: String)

        // MARK: Several formats

        case file(File)

        // MARK: One format

        case android(Android)
        case literal(Literal)
        case ambiguousSource(SourceAmbiguity.Problem)
        case okHttp(OkHttp)
        case hpkp(HPKP)
        case curl(Curl)
        case tlsa(TLSA)
        case chromium(Chromium)
        case wultra(Wultra)
    }

    /// A part of a file that does not contain a host name.
    package enum HostlessPart: Hashable, Sendable {
        case pins, header, record
        /// A certificate file, with the names of its certificate.
        case certificate(names: [String])
    }

    /// Why a format needs certificates.
    package enum CertificateUse: Hashable, Sendable {
        /// Alamofire compares keys, which it reads from certificates.
        case keys
        /// Fingerprints are hashes of certificates.
        case fingerprints
        /// No given certificate has a pin of the host. `isLeaf` is true if the format has only pins of the server's own key.
        case noneMatches(host: String, isLeaf: Bool)
    }

    /// The subject of an error.
    package indirect enum Part: Hashable, Sendable {
        case file, set, root, fingerprint
        case key(String)
        case member(of: Part)
        case host(String)
        /// The entry of a host in JSON.
        case entry(String)
        /// The value of a host in a property list.
        case value(String)
        case keyOfHost(String, String)
        case pinOfHost(String)
        /// An element of XML.
        case element(String)
    }

    package enum ValueType: Hashable, Sendable {
        case object, array, string, bool, dictionary
        /// A dictionary that contains only this key.
        case dictionaryOf(key: String)
    }
}

extension PinSetFormatError {
    package enum Android: Hashable, Sendable {
        /// XML in the binary form that an app's package contains.
        case compiled
        case wrongRoot(String)
        case secondElement(String)
        case misplacedElement(String, in: String)
        case secondPinSet
        case noDomain
        case elementInDomain(String)
        case elementInPin(String)
        /// A comment divides the text of an element, and the platform accepts only one text.
        case dividedText(String)
        /// `*.example.com`. `host` is the name without the asterisks.
        case wildcard(HostNameError, host: String)
        case domainTwice(String, first: String)
        /// Domains can share the pins of an element, so a small file can have very many pins.
        case tooManyPins
        case noDigest
        case digest(String)
        case notBool(String, attribute: String)
        /// The set pins the host through the entry of `parent`, and the element also has settings other than pins.
        case pinsNotRemovable(host: String, parent: String)
    }

    /// A literal in source text.
    package enum Literal: Hashable, Sendable {
        case missingKey(String)
        case tooDeep(maximum: Int)
        case valueExpected
        case keyExpected
        case keyTwice(String)
        case commaExpected(found: Found)
        case unclosedComment
        case unclosedString
        /// A backslash at the end of a line of Objective-C divides a word.
        case dividedName

        package enum Found: Hashable, Sendable {
            case end, string
            case name(String)
        }
    }

    package enum OkHttp: Hashable, Sendable {
        case tooLong(maximum: Int)
        case tooManyPins
        case tooManyLoops(maximum: Int)
        /// The warning is the first one of the file.
        case noPins(ConversionWarning?)
        case refusedPin(String)
        case refusedPattern(String)
        case patternOfAddress(String)
        case patternNotHost(String)
    }

    package enum HPKP: Hashable, Sendable {
        case noHeader, noPins
    }

    package enum Curl: Hashable, Sendable {
        /// A line that is not a string of pins. It can be another option of a configuration file, such as one with a password.
        case noPrefix
        /// A value in single quotation marks in a configuration file.
        case singleQuotes
        case noPins
    }

    package enum TLSA: Hashable, Sendable {
        /// The warning is the first one of the file.
        case noRecords(ConversionWarning?)
        case noService(String)
        /// `numbers` are usage, selector and matching type.
        case notPublicKey(numbers: String)
        case notCertificate(numbers: String, CertificateError)
        case malformed
        case length(declared: Int, found: Int)
        case tooShort
        case notHex
        /// The owner of a record or an origin is a part of a private key, which can continue over several lines.
        case privateKey(PrivateKeyKind)
        /// The name has more than the maximum number of bytes.
        case longName(maximum: Int)
        case unopenedParenthesis
        case unclosedParenthesis
        case unclosedQuote
    }

    package enum Chromium: Hashable, Sendable {
        case pinSetTwice(String)
        case unknownPin(String)
        case unknownPinSet(String)
        case names(Names)

        /// An error in the file of names. The text of a wrong line is not a part of it, because another file can have a password there.
        package enum Names: Hashable, Sendable {
            /// A line of a private key.
            case privateKey
            case notSeconds, notValue, notName, noValue
            case nameTwice(String)
            case unclosedBlock
            case emptyBlock
            /// A PEM block that is neither a certificate nor a public key.
            case wrongObject(KeyFileObject.Kind)
            case unreadable(KeyFileError)
        }
    }

    package enum Wultra: Hashable, Sendable {
        case notFingerprint(String)
        case notSigned(host: String)
        case wrongSignature(host: String)
        /// No given certificate has a fingerprint of the file. The warning is the first one.
        case noCertificateMatches(ConversionWarning?)
        /// OpenSSL's reason.
        case cannotSign(String)
        case keyEncoding
        case keyType(KeyUse, found: String)
        case unusableKey(KeyUse, KeyProblem)

        package enum KeyUse: Hashable, Sendable {
            case signing, verifying
        }

        package enum KeyProblem: Hashable, Sendable {
            case noKey
            case kind(KeyFileObject.Kind)
            case file(KeyFileError)
        }
    }
}

extension PinSetCodec {
    package static func error(
        _ reason: PinSetFormatError.Reason, at position: SourcePosition? = nil
    ) -> PinSetFormatError {
        PinSetFormatError(reason, format: format, at: position)
    }

    package static func error(_ reason: PinSetFormatError.Reason, line: Int?) -> PinSetFormatError {
        PinSetFormatError(reason, format: format, line: line)
    }
}
