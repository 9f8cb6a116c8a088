internal import Encodings

/// The logins of a `.netrc` file (ftp(1), "THE .netrc FILE"; the quotes and comments are those of curl).
public struct Netrc: Sendable {
    /// A violation of the syntax. The words of the file are not part of it, because they may be secrets.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        public enum Reason: Hashable, Sendable {
            /// The file is larger than ``Netrc/maximumSize``.
            case tooLarge
            /// Expected `machine`, `default`, `login`, `password`, `account` or `macdef`.
            case unexpectedWord
            /// `login`, `password` or `account` precedes the first `machine` or `default`.
            case noMachine
            /// The value of the last word is missing.
            case missingValue
            /// The closing quote is missing on the line.
            case unclosedQuote
            /// A name is not UTF-8.
            case encoding
        }

        public let reason: Reason
        /// From 1.
        public let line: Int

        public var description: String {
            switch reason {
            case .tooLarge: "the file is larger than \(Netrc.maximumSize >> 10) KiB"
            case .unexpectedWord:
                "line \(line): expected machine, default, login, password, account or macdef; a password with a space needs quotes"
            case .noMachine: "line \(line): expected machine or default before the login"
            case .missingValue: "line \(line): the last word needs a value"
            case .unclosedQuote: "line \(line): the closing quote is missing"
            case .encoding: "line \(line): a name is not UTF-8"
            }
        }
    }

    /// Maximum size of a file in bytes.
    public static let maximumSize = 1 << 20

    struct Entry: Sendable {
        /// In lower case; nil for the entry `default`.
        let machine: String?
        var login: String?
        var password: PasswordCredential?
    }

    let entries: [Entry]

    /// - Throws: ``Failure``.
    public init(parsing bytes: [UInt8]) throws(Failure) {
        var parser = try NetrcParser(bytes)
        entries = try parser.parse()
    }

    /// The first login for a host: that of its `machine`, or of an earlier `default`.
    ///
    /// - Parameters:
    ///   - host: a name or an address. Upper and lower case are equal.
    ///   - user: the user whose password is needed; nil for any user.
    /// - Returns: a user name with its password, or without one if the entry has none; nil if there is no login for the host.
    public func credential(for host: String, user: String? = nil) -> Credential? {
        let name = host.lowercased()
        for entry in entries where entry.machine == nil || entry.machine == name {
            guard let login = entry.login, user == nil || user == login else { continue }
            return entry.password.map { Credential($0) } ?? Credential(user: login)
        }
        return nil
    }
}

extension Netrc: CustomReflectable {
    /// Only the number of logins, so that `dump` and a debugger show no password.
    public var customMirror: Mirror { Mirror(self, children: ["count": entries.count]) }
}
