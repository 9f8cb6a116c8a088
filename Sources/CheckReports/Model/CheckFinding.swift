internal import Encodings
package import PinSetMaintenance
package import Pinning

/// A problem or a remark.
package struct CheckFinding {
    package typealias Severity = LintFinding.Severity

    /// Code in kebab case; part of the interface.
    package let code: String
    package let severity: Severity
    package var host: String?
    package var pin: Pin?
    /// One sentence in lower case, without a full stop.
    package let message: String
    /// A short form of the message, such as `root changed: X → Y`, if the message has lists.
    package var title: String?
    /// Next step, if there is one.
    package var hint: String?
    /// Path of the file that the finding is about, as given; nil if it is about a server only.
    package var file: String?
    /// Line in the file, from 1.
    package var line: Int?
    /// Whether pinctl could not make the check, so that the result is unknown.
    package var isInconclusive = false
    /// Number of findings that this one counts as: more than 1 if it is a sentence about findings that are left out.
    package let count: Int

    package init(
        code: String, severity: Severity, host: String? = nil, pin: Pin? = nil, message: String, hint: String? = nil,
        file: String? = nil, line: Int? = nil, isInconclusive: Bool = false, count: Int = 1
    ) {
        self.code = code
        self.severity = severity
        // A copy or a set can have a URL with a user and a password in place of a host.
        self.host = host?.withoutUserInfo
        self.pin = pin
        self.message = message.withoutUserInfoInURLs
        self.hint = hint?.withoutUserInfoInURLs
        self.file = file
        self.line = line
        self.isInconclusive = isInconclusive
        self.count = count
    }
}
