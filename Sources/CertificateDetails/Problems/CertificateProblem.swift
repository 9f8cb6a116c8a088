/// A defect or a risk of a certificate, with the field that it is about.
package struct CertificateProblem: Hashable, Sendable {
    package let code: Code
    package let field: Field
    /// The reason as a sentence without a full stop.
    package let message: String

    package init(_ code: Code, _ field: Field, _ message: String) {
        (self.code, self.field, self.message) = (code, field, message)
    }

    package var severity: Severity { code.severity }

    package enum Severity: String, Sendable {
        /// Clients reject the certificate.
        case error
        /// Some clients reject the certificate, or will soon.
        case warning
    }

    /// The part of the certificate.
    package enum Field: Hashable, Sendable {
        case serialNumber, validity, key, signature, names, version
        /// An extension, by its position in the list of extensions.
        case `extension`(Int)
    }

    /// A stable word for programs; part of the JSON output.
    package enum Code: String, CaseIterable, Sendable {
        case unreadableDates = "unreadable-dates"
        case notYetValid = "not-yet-valid"
        case expired
        case expiresSoon = "expires-soon"
        case longValidity = "long-validity"
        case weakKey = "weak-key"
        case weakSignature = "weak-signature"
        case noNames = "no-names"
        case wrongPurpose = "wrong-purpose"
        case noBasicConstraints = "no-basic-constraints"
        case constraintsNotCritical = "basic-constraints-not-critical"
        case noCertificateSigning = "no-certificate-signing"
        case serialNumber = "serial-number"
        case unknownCriticalExtension = "unknown-critical-extension"
        case malformedExtension = "malformed-extension"
        case repeatedExtension = "repeated-extension"
        case omittedExtensions = "omitted-extensions"
        case precertificate

        package var severity: Severity {
            switch self {
            case .unreadableDates, .notYetValid, .expired, .weakKey, .weakSignature, .noNames, .wrongPurpose,
                .noBasicConstraints, .noCertificateSigning, .unknownCriticalExtension, .malformedExtension,
                .repeatedExtension, .precertificate:
                .error
            case .expiresSoon, .longValidity, .constraintsNotCritical, .serialNumber, .omittedExtensions: .warning
            }
        }
    }
}
