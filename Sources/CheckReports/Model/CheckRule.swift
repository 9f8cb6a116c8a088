/// The description of a finding code.
package struct CheckRule {
    package let code: String
    /// One sentence in lower case, without a full stop.
    package let summary: String

    package init(code: String, summary: String) {
        self.code = code
        self.summary = summary
    }
}
