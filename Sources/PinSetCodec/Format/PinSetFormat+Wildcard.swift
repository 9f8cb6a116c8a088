internal import Encodings
internal import Pinning

extension PinSetFormat {
    /// How the format writes the subdomains of `*.example.com`; nil if the text is not a wildcard before a host name.
    package func step(inPlaceOf pattern: String) -> String? {
        let pattern = pattern.withoutUserInfo
        guard let host = pattern.without(prefix: "**.") ?? pattern.without(prefix: "*."),
            (try? HostName.normalized(String(host))) != nil
        else { return nil }
        switch rawValue {
        case "android": return "write <domain includeSubdomains=\"true\">\(host)</domain>"
        case "apple", "expo": return "write \(String(host).quotedExcerpt) with \"NSIncludesSubdomains\""
        case "trustkit": return "write \(String(host).quotedExcerpt) with \"TSKIncludeSubdomains\""
        default:
            return traits.capabilities.subdomains == [.none]
                ? "write \(String(host).quotedExcerpt); this format has no setting for subdomains"
                : "write \(String(host).quotedExcerpt), and use the format's setting for subdomains"
        }
    }
}
