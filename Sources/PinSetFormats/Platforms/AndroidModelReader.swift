internal import Encodings
internal import PinSetCodec
internal import Pinning
internal import XMLDocuments

/// Reads a `network_security_config.xml` by the rules of Android's `XmlConfigSource` (frameworks/base, 2024).
///
/// Android skips unknown elements with everything inside them. For a single mistake, it rejects the whole file.
struct AndroidModelReader {
    /// The first mistake that makes Android reject the file.
    struct Failure: Error {
        let message: String
        let offset: Int
    }

    /// The settings that a `<domain-config>` inherits if it does not contain them.
    private struct Inherited {
        var pins: Set<Pin> = []
        var expires: Timestamp?
        var hasEmptyPinSet = false
        var hasOverridingAnchors = false
    }

    let document: XMLDocument
    private(set) var domains: [AndroidModel.Domain] = []
    private(set) var traps: [PlatformTrap] = []
    private var known: Set<ExactText> = []

    init(_ document: XMLDocument) { self.document = document }

    mutating func read() throws(Failure) {
        let root = document.root
        guard root.localName == "network-security-config" else {
            throw failure("the root element is \("<\(root.name)>".quotedExcerpt)", root)
        }
        var inherited = Inherited()
        var seen: Set<String> = []
        for child in root.children where child.localName == "base-config" || child.localName == "debug-overrides" {
            guard seen.insert(child.localName).inserted else {
                throw failure("there is a second \("<\(child.name)>".quotedExcerpt)", child)
            }
            for part in child.children where ["domain", "pin-set", "domain-config"].contains(part.localName) {
                throw failure(
                    "\("<\(part.name)>".quotedExcerpt) is not allowed in \("<\(child.name)>".quotedExcerpt)", part)
            }
            let anchors = try trustAnchors(of: child)
            if child.localName == "base-config" { inherited.hasOverridingAnchors = anchors ?? false }
        }
        for child in root.children where child.localName == "domain-config" { try read(child, inherited) }
    }

    private mutating func read(_ element: XMLElement, _ inherited: Inherited) throws(Failure) {
        var own = inherited
        let pinSets = element.children.filter { $0.localName == "pin-set" }
        guard pinSets.count < 2 else { throw failure("a <domain-config> has two <pin-set>", pinSets[1]) }
        if let pinSet = pinSets.first {
            // An empty <pin-set> replaces the inherited one, too.
            (own.pins, own.expires) = (try pins(of: pinSet), try expiration(of: pinSet))
            own.hasEmptyPinSet = own.pins.isEmpty
        }
        if let anchors = try trustAnchors(of: element) { own.hasOverridingAnchors = anchors }
        let domains = element.children.filter { $0.localName == "domain" }
        if let pinSet = pinSets.first {
            let host = domains.first.map { Self.trimmed($0.text) }
            addTrap(onOtherAttributesOf: pinSet, than: "expiration", similarTo: "expir", of: host)
        }
        guard !domains.isEmpty else { throw failure("a <domain-config> has no <domain>", element) }
        for domain in domains { try read(domain: domain, own) }
        for child in element.children where child.localName == "domain-config" { try read(child, own) }
    }

    private mutating func read(domain element: XMLElement, _ own: Inherited) throws(Failure) {
        guard element.children.isEmpty else { throw failure("a <domain> contains an element", element) }
        guard !element.hasDividedText else { throw failure("a comment divides the text of a <domain>", element) }
        let text = Self.trimmed(element.text)
        guard !text.isEmpty else { throw failure("a <domain> is empty", element) }
        let name = text.lowercased()
        guard known.insert(ExactText(name)).inserted else {
            throw failure("the domain \(text.withoutUserInfo.quotedExcerpt) occurs twice", element)
        }
        var includesSubdomains = false
        if let attribute = element.attribute("includeSubdomains") {
            if let value = PlatformBool.android(attribute.value) {
                includesSubdomains = value
            } else {
                traps.append(
                    PlatformTrap(
                        .misread, host: text,
                        "Android reads includeSubdomains=\(attribute.value.quotedExcerpt) as false",
                        hint: "write includeSubdomains=\"true\"", at: document.position(of: attribute.range.lowerBound))
                )
            }
        }
        addTrap(onOtherAttributesOf: element, than: "includeSubdomains", similarTo: "subdomain", of: text)
        domains.append(
            .init(
                text: text, name: name, includesSubdomains: includesSubdomains, pins: own.pins, expires: own.expires,
                hasEmptyPinSet: own.hasEmptyPinSet, hasOverridingAnchors: own.hasOverridingAnchors,
                offset: element.range.lowerBound))
    }

    /// Adds a trap for the first attribute that Android does not read. Attributes of other namespaces are for tools.
    ///
    /// - Parameter part: what a misspelt name of the attribute contains, in lower case.
    private mutating func addTrap(
        onOtherAttributesOf element: XMLElement, than known: String, similarTo part: String, of host: String?
    ) {
        let other = element.attributes.first { attribute in
            !attribute.name.isSame(as: known) && !attribute.name.begins(with: "xmlns")
                && (!attribute.name.has(":") || attribute.name.begins(with: "android:"))
        }
        guard let other else { return }
        let isMisspelt = other.name.lowercased().has(part)
        traps.append(
            PlatformTrap(
                .misread, host: host,
                "Android does not read the attribute \(other.name.quotedExcerpt) of <\(element.localName)>",
                hint: isMisspelt ? "write \(known)=\(other.value.quotedExcerpt)" : nil,
                at: document.position(of: other.range.lowerBound)))
    }

    /// Reads pins as `XmlConfigSource.parsePin` does: 32 bytes in any spelling.
    private func pins(of pinSet: XMLElement) throws(Failure) -> Set<Pin> {
        var pins: Set<Pin> = []
        for element in pinSet.children where element.localName == "pin" {
            guard let digest = element.attribute("digest") else { throw failure("a <pin> has no \"digest\"", element) }
            guard digest.value.uppercased() == "SHA-256" else {
                throw failure("the digest \(digest.value.quotedExcerpt) is not SHA-256", element)
            }
            let text = Self.trimmed(element.text)
            guard element.children.isEmpty, !text.isEmpty else {
                throw failure("a <pin> contains no digest", element)
            }
            guard !element.hasDividedText else { throw failure("a comment divides the text of a <pin>", element) }
            guard let bytes = PlatformBase64.android(text) else {
                throw failure("the pin \(text.quotedExcerpt) is not base64", element)
            }
            guard let pin = Pin(digest: bytes) else {
                throw failure("the pin \(text.quotedExcerpt) has \(bytes.count) bytes, not 32", element)
            }
            pins.insert(pin)
        }
        return pins
    }

    private func expiration(of pinSet: XMLElement) throws(Failure) -> Timestamp? {
        guard let attribute = pinSet.attribute("expiration") else { return nil }
        guard let day = PlatformDate.simpleDateFormat(attribute.value) else {
            throw failure("the expiration \(attribute.value.quotedExcerpt) is not a day", pinSet)
        }
        return day
    }

    /// Whether some anchors override the pins; nil if there is no `<trust-anchors>`.
    private func trustAnchors(of element: XMLElement) throws(Failure) -> Bool? {
        let lists = element.children.filter { $0.localName == "trust-anchors" }
        guard lists.count < 2 else {
            throw failure("\("<\(element.name)>".quotedExcerpt) has two <trust-anchors>", lists[1])
        }
        guard let list = lists.first else { return nil }
        var overrides = false
        for certificates in list.children where certificates.localName == "certificates" {
            guard let source = certificates.attribute("src")?.value else {
                throw failure("<certificates> has no \"src\"", certificates)
            }
            guard ["system", "user", "wfa"].contains(source) || source.begins(with: "@") else {
                throw failure("the src \(source.quotedExcerpt) of <certificates> is unknown", certificates)
            }
            overrides =
                overrides
                || certificates.attribute("overridePins").map { PlatformBool.android($0.value) == true } ?? false
        }
        return overrides
    }

    private func failure(_ message: String, _ element: XMLElement) -> Failure {
        Failure(message: message, offset: element.range.lowerBound)
    }

    /// The text without the white space that Java's `String.trim()` removes.
    static func trimmed(_ text: String) -> String {
        var scalars = text.unicodeScalars[...].drop { $0.value <= 0x20 }
        while let last = scalars.last, last.value <= 0x20 { scalars.removeLast() }
        return String(scalars)
    }
}
