internal import Encodings
internal import PinSetCodec

extension HPKPHeader {
    /// Whether `max-age` is 0, which tells browsers to remove the pins of the host.
    var removesPins: Bool {
        let ages = directives.filter { $0.name == "max-age" }
        return !isReportOnly && ages.count == 1 && ages.allSatisfy(\.isZero)
    }

    /// The reason why a header does not conform to RFC 7469, section 2.1; nil if it conforms.
    var fault: String? {
        let ages = directives.filter { $0.name == "max-age" }
        if !isReportOnly {
            guard let age = ages.first?.value else { return "it has no max-age" }
            guard ages.count == 1 else { return "it has max-age twice (Chromium used the last one)" }
            guard !age.isEmpty, age.utf8.allSatisfy(\.isDigit) else { return "max-age is not a number of seconds" }
            guard !removesPins else { return "max-age=0 removes the pins" }
        }
        for directive in directives {
            switch directive.name {
            case "pin-sha256":
                guard directive.isQuoted else { return "the value of a pin is not quoted" }
                guard (try? Base64.decode(directive.value ?? ""))?.count == 32 else {
                    return "the pin \((directive.value ?? "").quotedExcerpt) is not base64 of 32 bytes"
                }
            case "includesubdomains" where directive.value != nil:
                return "includeSubDomains has a value (Chromium accepted it)"
            case "report-uri":
                guard directive.isQuoted, Self.isURL(directive.value ?? "") else {
                    return "report-uri is not a quoted URL (Firefox did not check it)"
                }
            default: break
            }
        }
        for name in ["includesubdomains", "report-uri"]
        where directives.count(where: { $0.name == name }) > 1 {
            return "it has \(name) twice (Chromium accepted it)"
        }
        return nil
    }

    private static func isURL(_ text: String) -> Bool {
        let text = text.lowercased()
        return ["http://", "https://"].contains { text.begins(with: $0) && text.utf8.count > $0.utf8.count }
    }
}

extension HPKPHeader.Directive {
    /// Whether the value is the number 0.
    var isZero: Bool { value.map { !$0.isEmpty && $0.utf8.allSatisfy { $0 == UInt8(ascii: "0") } } ?? false }
}
