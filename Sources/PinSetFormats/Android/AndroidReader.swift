internal import Encodings
internal import PinSetCodec
internal import Pinning
internal import XMLDocuments

/// Reads the elements of a `network_security_config.xml` by the rules of the platform. A single error makes the platform reject the
/// whole file, and the app does not start (Android Developers, "Network security configuration").
struct AndroidReader {
    let document: XMLDocument
    var warnings = ConversionWarnings()
    /// The domains found so far: normalized names, and the names as written.
    private var hosts: [ExactText: String] = [:]
    /// The line index of the document. It is created when a warning needs it.
    private var lines: SourceLineIndex?

    init(document: XMLDocument) {
        self.document = document
    }

    private mutating func line(of offset: Int) -> Int {
        let index = lines ?? SourceLineIndex(document.bytes)
        lines = index
        return index.line(of: offset)
    }

    mutating func parts() throws(PinSetFormatError) -> [AndroidConfiguration.Part] {
        var parts: [AndroidConfiguration.Part] = []
        var seen: Set<String> = []
        for child in document.root.children {
            switch child.localName {
            case "domain-config": parts.append(try part(child))
            case "base-config", "debug-overrides":
                guard seen.insert(child.localName).inserted else {
                    throw error(.secondElement(child.name), at: child)
                }
                if let pins = child.children.first(where: { $0.localName == "pin-set" || $0.localName == "domain" }) {
                    throw error(.misplacedElement(pins.name, in: child.name), at: pins)
                }
                warnings.add(child.localName == "base-config" ? .notRepresented("<base-config>") : .debugOverrides)
                if child.localName == "base-config", Self.overridesPins(child) { warnings.add(.pinsOverridden) }
            default: warnings.add(.unknownElement(child.name))
            }
        }
        return parts
    }

    private mutating func part(_ element: XMLElement) throws(PinSetFormatError) -> AndroidConfiguration.Part {
        var domains: [AndroidConfiguration.Domain] = []
        var pins: AndroidConfiguration.Pins?
        var enforcement: AndroidConfiguration.Enforcement?
        var parts: [AndroidConfiguration.Part] = []
        // The platform ignores attributes for tools and the declarations of their prefixes.
        var others = element.attributes.filter { !$0.name.has(":") }.map {
            ConversionWarning.Reason.notRepresented($0.name.quotedExcerpt)
        }
        for child in element.children {
            switch child.localName {
            case "domain": domains.append(try domain(child))
            case "pin-set":
                guard pins == nil else {
                    throw error(.secondPinSet, at: child)
                }
                pins = try pinSet(child)
            case "trustkit-config":
                let (found, lost) = try self.enforcement(child)
                enforcement = found
                others += lost
            case "domain-config": parts.append(try part(child))
            case "trust-anchors":
                others.append(Self.overridesPins(child) ? .pinsOverridden : .notRepresented("<trust-anchors>"))
            default: others.append(.unknownElement(child.name))
            }
        }
        guard !domains.isEmpty else {
            throw error(.noDomain, at: element)
        }
        var known: Set<ConversionWarning.Reason> = []
        others = others.filter { known.insert($0).inserted }
        // There is one warning for each host, or a single one if there are too many hosts.
        let isMuch = others.count > Self.maximumWarnings / domains.count
        for host in isMuch ? [nil] : domains.map({ Optional($0.host) }) {
            for other in others { warnings.add(other, of: host) }
        }
        return .init(element: element, domains: domains, pins: pins, enforcement: enforcement, parts: parts)
    }

    private static let maximumWarnings = 1000

    /// Whether an element, or one inside it, exempts trust anchors from the pins.
    private static func overridesPins(_ element: XMLElement) -> Bool {
        element.children.contains { child in
            child.attribute("overridePins").map { PlatformBool.android($0.value) == true } ?? false
                || child.localName == "trust-anchors" && overridesPins(child)
        }
    }

    private mutating func domain(_ element: XMLElement) throws(PinSetFormatError) -> AndroidConfiguration.Domain {
        if let child = element.children.first {
            throw error(.elementInDomain(child.name), at: child)
        }
        guard !element.hasDividedText else { throw error(.dividedText(element.name), at: element) }
        let host = Self.trimmed(element.text)
        var name = host.lowercased()
        var nameToWrite: String?
        var problem: HostNameError?
        do throws(HostNameError) {
            let normalized = try HostName.normalized(host)
            if IPAddress(normalized) != nil { name = normalized }
            if !name.isSame(as: normalized) { nameToWrite = normalized }
        } catch {
            guard error.privateKeyKind == nil else {
                let position = document.position(of: element.range.lowerBound)
                throw PinSetFormatError(error, format: AndroidFormat.format, at: position)
            }
            problem = error
        }
        if let first = hosts.updateValue(host, forKey: ExactText(name)) {
            throw error(.domainTwice(host.withoutUserInfo, first: first.withoutUserInfo), at: element)
        }
        var includesSubdomains = bool("includeSubdomains", of: element, host: host)
        if includesSubdomains, IPAddress(name) != nil {
            warnings.add(.subdomainsOfAddress, of: host)
            includesSubdomains = false
        }
        return .init(
            element: element, host: host, name: name, nameToWrite: nameToWrite, problem: problem,
            includesSubdomains: includesSubdomains)
    }

    private mutating func pinSet(_ element: XMLElement) throws(PinSetFormatError) -> AndroidConfiguration.Pins {
        var expires: Timestamp?
        if let attribute = element.attribute("expiration") {
            expires = PlatformDate.simpleDateFormat(attribute.value)
            if expires == nil {
                let line = line(of: attribute.range.lowerBound)
                warnings.add(.dayNotRead(attribute.value, key: attribute.name, line: line, .rejectsFile))
            }
        }
        var pins: [PinSet.PinnedKey] = []
        var items: [(item: XMLListEditor.Item, element: PinListUpdate.Element)] = []
        for child in element.labelledChildren(in: document.bytes) {
            guard child.element.localName == "pin" else {
                warnings.add(.unknownElement(child.element.name))
                continue
            }
            items.append((child.item, PinDecoding.android.element(Self.trimmed(child.element.text))))
            if let pin = try pin(child.element) { pins.append(PinSet.PinnedKey(pin: pin, note: child.label)) }
        }
        return .init(element: element, expires: expires, pins: pins, items: items)
    }

    /// The pin of an element. If the text is not a pin, returns nil and adds a warning.
    private mutating func pin(_ element: XMLElement) throws(PinSetFormatError) -> Pin? {
        guard let digest = element.attribute("digest") else {
            throw error(.noDigest, at: element)
        }
        guard digest.value.uppercased() == "SHA-256" else {
            throw error(.digest(digest.value), offset: digest.range.lowerBound)
        }
        if let child = element.children.first {
            throw error(.elementInPin(child.name), at: child)
        }
        // A comment ends the text (XmlDom.cpp of aapt2), and after one text only the end tag is allowed (XmlConfigSource.java).
        guard !element.hasDividedText else { throw error(.dividedText(element.name), at: element) }
        let text = Self.trimmed(element.text)
        // This test avoids computing the line, which takes time and is only needed for a warning.
        if let pin = try? Pin(spelling: text), pin.base64 == text { return pin }
        let line = line(of: element.range.lowerBound)
        return warnings.pin(text, by: .android, of: nil, line: line)
    }

    /// Reads TrustKit's element, which Android ignores. TrustKit enforces pins only if the element says so.
    private func enforcement(
        _ element: XMLElement
    ) throws(PinSetFormatError) -> (AndroidConfiguration.Enforcement, lost: [ConversionWarning.Reason]) {
        let enforces = element.attribute("enforcePinning").map { PlatformBool.java($0.value) } ?? false
        var lost = element.attributes.map(\.name).filter { $0 != "enforcePinning" }.map {
            ConversionWarning.Reason.notRepresented("\($0.quotedExcerpt) of TrustKit")
        }
        if element.children.contains(where: { $0.localName == "report-uri" }) {
            lost.append(.notRepresented("<report-uri> of TrustKit"))
        }
        if !enforces {
            lost.append(.enforcedByAndroid)
        }
        return (.init(element: element, enforces: enforces), lost)
    }

    /// The value of a Boolean attribute; false if it is absent.
    private mutating func bool(_ name: String, of element: XMLElement, host: String) -> Bool {
        guard let attribute = element.attribute(name) else { return false }
        if let bool = PlatformBool.android(attribute.value) { return bool }
        warnings.add(.notTrueOrFalse(key: name, kind: attribute.value.quotedExcerpt), of: host)
        return false
    }

    private func error(_ problem: PinSetFormatError.Android, at element: XMLElement) -> PinSetFormatError {
        error(problem, offset: element.range.lowerBound)
    }

    private func error(_ problem: PinSetFormatError.Android, offset: Int) -> PinSetFormatError {
        AndroidFormat.error(.android(problem), at: document.position(of: offset))
    }

    private static func trimmed(_ text: String) -> String {
        var text = Array(text.utf8).drop(while: XMLReader.isWhiteSpace)
        while let last = text.last, XMLReader.isWhiteSpace(last) { text.removeLast() }
        return String(decoding: text, as: UTF8.self)
    }
}
