package import Encodings
package import Pinning

extension PinSetFormatError {
    /// Problems that occur in the files of several formats.
    package enum File: Hashable, Sendable {
        case yaml(YAMLError)
        /// The warning is the first one of the file; `example` shows pins in this format.
        case noPins(ConversionWarning?, example: String)
        /// A text that makes a program fail at its start.
        case rejected(String, by: String, expected: String)
        /// No given certificate has a fingerprint of the file. The warning is the first one.
        case noFingerprintMatches(ConversionWarning?)
        /// The file contains neither PEM nor DER.
        case noCertificate
        /// A PEM block whose label is not that of a certificate.
        case notCertificate(label: String)
        case certificate(CertificateError)
        case pem(PEMError)
        case der(DERError)
        /// Hosts share more pins than a reader accepts.
        case tooManySharedPins
        /// The names of constants in source code stand for more values than a reader accepts.
        case tooManyConstantValues(maximum: Int)
        /// Constants and brackets of source code contain each other so often that a reader does not read them all.
        case tooManyRepetitions(maximum: Int, of: SourceUnit)
    }

    package enum SourceUnit: Hashable, Sendable {
        case bytes, values
    }
}

extension PinSetFormatError.File {
    var message: String {
        switch self {
        case .yaml(let error): error.message
        case .noPins(let warning, _):
            "the file contains no pins that pinctl can read" + (warning.map { ": \($0.message)" } ?? "")
        case .rejected(let text, let program, _): "\(program) rejects \(text.quotedExcerpt)"
        case .noFingerprintMatches(let warning):
            "no given certificate has one of the fingerprints" + (warning.map { ": \($0.message)" } ?? "")
        case .noCertificate: "the file contains no certificate in PEM or DER"
        case .notCertificate(let label): "the PEM block \(label.quotedExcerpt) is not a certificate"
        case .certificate(let error): "the certificate cannot be read: \(error)"
        case .pem(let error): "the PEM cannot be read: \(error)"
        case .der(let error): "the file is not a certificate in DER: \(error)"
        case .tooManySharedPins: "the hosts that share pins have more than \(SharedPinCount.maximum) pins together"
        case .tooManyConstantValues(let maximum):
            "the names of constants in the source stand for more than \(maximum) values or for very long texts"
        case .tooManyRepetitions(let maximum, let unit):
            "pinctl would read more than \(maximum) \(unit) of the source again, for constants and brackets in each other"
        }
    }

    var hint: String? {
        switch self {
        case .noPins(_, let example): example
        case .rejected(_, _, let expected): "write \(expected)"
        case .noFingerprintMatches: "use the certificates that the servers use now"
        default: nil
        }
    }
}
