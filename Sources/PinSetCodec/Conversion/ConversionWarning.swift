public import Pinning

/// A setting that has no equivalent in a format, or a part of a file that a pin set cannot represent.
///
/// Readers and writers report each one; none is dropped silently.
public struct ConversionWarning: Hashable, Sendable {
    /// The host as written; nil for a warning on the whole file.
    public let host: String?
    public let reason: Reason

    package init(host: String? = nil, _ reason: Reason) {
        (self.host, self.reason) = (host, reason)
    }

    /// The certificates that a pin matches in a format that does not support the role of the pin.
    public enum PinScope: Hashable, Sendable {
        case anyCertificate, anyAuthority, leafOnly, authoritiesOnly
    }

    /// How a platform treats a pin with an unexpected spelling, or without exactly 32 bytes.
    public enum PinEffect: Hashable, Sendable {
        /// It rejects the whole file, or stops the app.
        case rejectsFile
        case neverMatches
        /// It skips the pin.
        case isIgnored
    }

    public enum Reason: Hashable, Sendable {
        // MARK: Settings of a pin set without an equivalent

        case addressNotSupported
        case tooFewPins(minimum: Int, count: Int)
        case reportOnlyNotSupported
        /// Only TrustKit reads the setting.
        case reportOnlyIsForTrustKit
        case anchorsNotSupported
        case endpointsNotSupported
        case retiredPin(PinSet.PinnedKey)
        case labelsNotSupported(PinSet.PinnedKey)
        case labelIsName(PinSet.PinnedKey, name: String)
        case labelRewritten(PinSet.PinnedKey, label: String)
        case notAfterNotSupported(PinSet.PinnedKey)
        case labelsInBinaryFile
        case subdomainsNotSupported(PinSet.Subdomains, written: PinSet.Subdomains)
        case expiryNotSupported(Timestamp)
        case expiryRounded(Timestamp, to: Timestamp)
        case roleNotSupported(PinSet.PinnedKey, PinScope)
        /// A pin of a CA, in a format that has only pins of the leaf certificate.
        case pinOfAuthority(PinSet.PinnedKey)
        case noLeafPin
        /// A pin of the leaf certificate, in a format that has only pins of CAs.
        case pinOfLeaf(PinSet.PinnedKey)
        case noAuthorityPin
        /// All pins of this role are backups, in a format that has only pins of this role.
        case noActivePin(PinSet.AllowedRole)

        // MARK: Rules of a platform

        /// A list that would contain only backups. `others` is whether the written list has a backup.
        case backupListLeftOut(PinSet.PinnedKey, others: Bool)
        /// Apple's systems require a match in both lists.
        case bothListsMustMatch
        case hostListsUnited(with: String)
        case pinsPooled(with: String)
        case subdomainsHidden(of: String)
        /// Different pins for several hosts, in a format whose program does not tell hosts apart.
        case hostsNotToldApart(count: Int)
        case hostWithUnderscore
        case noPublicSuffix(String)
        case twoPinsForTrustKit
        case trustKitReportsOnly

        // MARK: Certificates

        /// The platform accepts every chain that validates, and compares fingerprints only with others.
        case validChainsNotCompared
        case noCertificate(PinSet.PinnedKey)
        case certificateOfAuthority(PinSet.PinnedKey)
        case pinAsCertificates(PinSet.PinnedKey, count: Int)
        case noCertificateForFingerprint(String)
        case certificateAsPin(fingerprint: String)
        /// A text that the platform cannot match with any certificate.
        case neverMatches(String, line: Int?)
        /// The format has one fingerprint for each host.
        case onlyOneFingerprint(PinSet.PinnedKey)
        /// The file's pins apply to client certificates, not to server certificates.
        case clientCertificates(line: Int)
        case signaturesNotVerified
        case notSigned
        /// The platform looks a fingerprint up by the common name of its certificate.
        case foundByCommonName(String)
        case noCommonName(PinSet.PinnedKey)

        // MARK: Parts of a file that a pin set cannot represent

        /// A key, an element or an attribute without an equivalent.
        case notRepresented(String)
        /// A part of the file that the reader does not understand, with the reason.
        case notRead(String, line: Int)
        /// A name that the reader does not know.
        case unknownKey(String)
        case unknownElement(String)
        case unknownKeyOfPin(String, PinSet.PinnedKey?)
        /// A key that differs from the platform's key only in the case of letters. The platform does not find it.
        case misspelledKey(String, String, line: Int?)
        case notTrueOrFalse(key: String, kind: String)
        case otherFormatInFile(PinSetFormat)
        case debugOverrides
        case enforcedByAndroid
        case subdomainsOfAddress
        case hostWithoutPins
        /// The platform never pins the host, even if the entry of a parent domain includes subdomains.
        case hostExcluded
        /// The file exempts the chains of some trust anchors from the pins.
        case pinsOverridden
        /// A setting, or a missing one, with which the program accepts connections without a comparison of the pins or without a validated
        /// chain, or does not use the pins. The text is a sentence about the program.
        case uncheckedConnections(String, line: Int)
        case maximumAge(String)
        case duplicateHeader(line: Int)
        /// A header that browsers ignore, because it has no pin or an invalid pin.
        case headerIgnored(line: Int)
        /// A header with valid pins that browsers ignore, because it does not conform to RFC 7469. The text is the reason.
        case headerNotConforming(String, line: Int)
        case headerInComment(line: Int)
        /// A failure report (RFC 7469, section 3), which contains pins but none of the other settings.
        case readFromReport
        /// The file has the layout of another library, with the same pins.
        case otherLayout(String)
        case service(String)
        case unknownRecord(String, line: Int)
        case recordWithoutPin(String, line: Int, ofCertificate: Bool)
        case recordOfCertificate(String, line: Int)
        /// A directive of a zone file that adds records.
        case recordsNotRead(directive: String, line: Int)
        /// A directive that adds the settings of another file.
        case includeNotRead(directive: String, line: Int)
        case listDate(Timestamp)
        case entriesWithoutPins(Int)
        case forbiddenPin(String)
        case reportAddress(String)
        case sha1Pin(String)
        case unpinnedCertificate(pin: String, subject: String)
        case builders(Int)
        case unknownPattern(String, line: Int)
        case unknownPin(String, line: Int)
        /// Pins that the code adds to an object with this type, which is not a `CertificatePinner.Builder`.
        case pinsOfOtherType(String, line: Int)
        case patternWithoutPins
        /// A pattern whose value is unknown. Its pins are read as pins of the host that the user named.
        case patternAsHost(String, line: Int)
        /// A pattern that OkHttp rejects.
        case patternLeftOut(String, line: Int, isRejected: Bool)
        /// A host for which the program throws an exception. The text completes "which …".
        case hostRejected(by: String, String, line: Int)
        /// A pin without the name of its digest, which OkHttp rejects.
        case pinWithoutPrefix(String, line: Int)
        /// The file has hosts with their pins, but not the code that compares them, or code that pinctl does not read.
        case codeNotRead
        /// Pins in a text that contains no call that uses them.
        case pinsWithoutCall(count: Int)
        case patternsUnited(host: String)
        case patternsAboveUnited(String, host: String)
        case patternWithoutHost(String)

        /// The file is valid but pins no host.
        case nothingPinned
        /// Pins or hosts of the file were left out, and nothing remains.
        case nothingRead
        /// A pin that is not spelled in the canonical way: the prefix that the format requires, and the base64. Without an effect, the
        /// platform accepts the spelling.
        case pinSpelling(String, Pin, prefix: String = "", line: Int?, PinEffect?)
        case pinLeftOut(PinSpellingError, line: Int?, PinEffect)
        /// A value in source code that is not a literal, such as a name or a call. Only the compiler knows it.
        case valueNotLiteral(String, key: String?, line: Int?)
        /// A second entry for the same host.
        case laterEntry(line: Int?)
        /// A host that no host name matches.
        case hostNeverMatches(HostNameError, line: Int?)
        case dayNotRead(String, key: String, line: Int?, PinEffect)
        /// A value whose type the platform does not read. `key` is nil for a pin.
        case valueIgnored(key: String?, found: String, expected: String, line: Int?)
        /// No pin of the host can match, and the platform rejects every connection to it.
        case hostBlocked(line: Int?)
        /// A host in a spelling that the platform does not look up, such as Unicode in place of A-labels.
        case hostNotFound(written: String, line: Int)
        /// A host in a spelling that the platform does not find. Its entry is read, and `written` is the spelling to write.
        case hostSpelling(written: String, line: Int?)
        /// A part of the string of `--pinnedpubkey` that curl up to 8.17 compares as one text, although it is not the text of a pin.
        case partNeverMatches(String, line: Int)
        /// The program of the format cannot read the file, and uses none of its pins.
        case fileRejected(by: String, String, line: Int)

        // MARK: Hosts of an existing file

        /// The file pins a host that the set does not contain.
        case otherHost(OtherHosts)
    }
}
