internal import CommandSupport
internal import KeyFiles
internal import Pinning

extension HashFailure {
    /// The code of the failure in JSON output; part of the interface.
    var code: String {
        switch self {
        case .unreadable: "unreadable"
        case .noCertificate: "not-a-certificate"
        case .unusable(let error): error.problem.code
        }
    }
}

extension KeyFileError.Problem {
    fileprivate var code: String {
        switch self {
        case .empty, .whiteSpace: "empty"
        case .unsupportedFileType: "other-format"
        case .unrecognized, .unrecognizedBase64, .unrecognizedStructure, .unrecognizedLabel: "unrecognised"
        case .truncated: "truncated"
        case .trailingBytes, .der, .certificate, .pem, .damaged, .damagedRequest: "malformed"
        case .needsPassword: "password-needed"
        case .wrongPassword: "wrong-password"
        case .tooCostly: "too-costly"
        case .tooLarge: "too-large"
        case .unusableKey: "unusable-key"
        case .unsupportedEncryption: "unsupported-encryption"
        case .nothingInside: "nothing-inside"
        }
    }
}
