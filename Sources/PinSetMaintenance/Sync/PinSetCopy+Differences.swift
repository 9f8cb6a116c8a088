internal import Encodings
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning
internal import PropertyLists

/// The comparison of a file with the set: the pins and settings, what the reader reports, and text that no reader reads.
extension PinSetCopy {
    func differences(
        of file: [UInt8], to expected: PinSetReading?, fresh: PinSetWriting, beside: (String) -> [UInt8]?
    ) throws(PinSetCopyError) -> [CopyDifference] {
        if let language = format.traits.language, let section = try? MarkedSection(in: file),
            section.isGenerated(
                like: Array(GeneratedSource(fresh.main).body.joined(separator: "\n").utf8), inExpressionOf: file,
                in: language)
        {
            let error = PinSetCopyError.sectionInExpression(line: section.firstLine)
            return [CopyDifference(.unreadable(error), line: error.line)]
        }
        var differences: [CopyDifference] = []
        if let expected {
            do throws(PinSetCopyError) {
                guard let reading = try read(file, beside: beside) else { return [] }
                differences = expected.set.differences(to: reading.set).map(inTermsOfSet)
                differences += conflicts(of: reading, with: expected, besides: differences)
                differences += try differencesOutsideMarkers(of: file, reading, to: expected, beside: beside)
                differences += try signatureDifferences(of: file)
                if let rejection = rejectionByName(of: file) { differences.append(rejection) }
                if differences.isEmpty { differences += rejections(of: file, besides: fresh.main) }
            } catch {
                differences = [CopyDifference(.unreadable(error), line: error.line)]
            }
        } else {
            let section = try MarkedSection(in: file)
            let source = GeneratedSource(fresh.main)
            let lines = section == nil ? source.head + source.body : source.body
            let text = section.map { file[$0.range] } ?? file[...]
            differences = Self.differences(of: text, from: section?.firstLine ?? 1, to: lines)
        }
        // The reader has already read the sidecar with the main file.
        for companion in fresh.files where format.traits.sidecar == nil {
            guard let name = companion.name, case let found = beside(name), found != companion.bytes else { continue }
            differences.append(CopyDifference(.companion(name, isThere: found != nil)))
        }
        return differences
    }

    /// A difference to the set as written, which is without what the format cannot express, as a difference to the set itself.
    private func inTermsOfSet(_ difference: CopyDifference) -> CopyDifference {
        guard let host = difference.host, let name = try? HostName.normalized(host), let index = set.indices[name]
        else {
            return difference
        }
        switch difference.kind {
        case .extraHost: return CopyDifference(.hostLeftOut, of: host, line: difference.line)
        case .enforce(false) where set.entries[index].enforce:
            return CopyDifference(.enforceNotPossible, of: host, line: difference.line)
        default: return difference
        }
    }

    /// Checks that writing does not remove the pins of a host of the set, which the program would then no longer pin.
    func checkHosts(_ differences: [CopyDifference], _ warnings: [ConversionWarning]) throws(PinSetCopyError) {
        for case let host? in differences.filter({ $0.kind == .hostLeftOut }).map(\.host) {
            let name = try? HostName.normalized(host)
            let reasons = warnings.filter { warning in
                warning.leavesOutHost && warning.host.map { (try? HostName.normalized($0)) == name } ?? false
            }
            // A host that the platform never pins loses nothing.
            if let reason = reasons.first, !reason.isOfPins { continue }
            throw .hostLeftOut(host: host, reasons.first)
        }
    }

    /// The differences for a file that its platform rejects, so that the app stops, although pinctl reads the set from it.
    ///
    /// A platform can also reject a file because of a host of the set, about which the writer warns: then no copy would be equal.
    private func rejections(of file: [UInt8], besides fresh: [UInt8]) -> [CopyDifference] {
        let platforms: [PinSetFormat: Platform] = [.android: .android, .trustkit: .trustkit]
        guard let readFormat, let platform = platforms[readFormat] else { return [] }
        func traps(in bytes: [UInt8]) -> [PlatformTrap] {
            let configuration = try? platform.configuration(ofFile: bytes, format: readFormat, with: inputs)
            return (configuration?.traps ?? []).filter { trap in
                trap.kind == .stopsApp && (others == .removed || isOfSet(trap.host))
            }
        }
        guard traps(in: fresh).isEmpty else { return [] }
        return traps(in: file).map { trap in
            let reason = ConversionWarning.Reason.uncheckedConnections(trap.message, line: trap.position?.line ?? 1)
            return CopyDifference(ConversionWarning(host: trap.host, reason))
        }
    }

    /// The difference for a file that its program reads in another way than pinctl because of its name.
    ///
    /// Envoy reads a file named `.json` as JSON, and pinctl reads it as YAML, of which JSON is a part (envoyproxy/envoy 00fc27cc,
    /// source/common/protobuf/utility.cc, `MessageUtil::loadFromFile`). The reader of Protocol Buffers also accepts a comma at the end
    /// of a list, single quotes, keys without quotes and line breaks in strings (protobuf 00cc17dc, json/internal/lexer.h), but no
    /// comments. JSON5 is close to that.
    ///
    /// If the start of a file is damaged, the formats that can also be in source code read it as that.
    private func rejectionByName(of file: [UInt8]) -> CopyDifference? {
        let name = fileName.lowercased()
        let isMistaken =
            switch readFormat?.rawValue {
            case "react-native", "react-native-ssl-manager", "expo": name.hasSuffix(".json") && JSONOutline(file) == nil
            case "trustkit": name.hasSuffix(".plist") && !PropertyList.isLikely(file)
            default: false
            }
        guard !isMistaken else {
            let found = name.hasSuffix(".json") ? "an object" : "a property list"
            return CopyDifference(
                ConversionWarning(
                    .fileRejected(by: "the program", "the file does not begin with \(found)", line: 1)))
        }
        guard format.rawValue == "envoy", name.hasSuffix(".json") else { return nil }
        do throws(JSONError) {
            _ = try JSON5.repeatedKey(in: file, on: [])
            return nil
        } catch {
            if case .controlCharacter = error.reason { return nil }
            let reason = ConversionWarning.Reason.fileRejected(
                by: "Envoy", error.message, line: error.position.line)
            return CopyDifference(ConversionWarning(reason))
        }
    }

    /// The parts of the copy that the set that was read from it does not represent, unless pinctl writes them for this set.
    ///
    /// - Parameter known: the differences of the sets. A host or a pin among them needs no difference for its fingerprints.
    private func conflicts(
        of reading: PinSetReading, with expected: PinSetReading, besides known: [CopyDifference]
    ) -> [CopyDifference] {
        let hosts = Set(known.filter { $0.kind == .missingHost || $0.code == .extraHost }.map(\.host))
        let pins = Set(known.filter { $0.code == .missingPin || $0.code == .extraPin }.map(\.host))
        func isNamed(_ warning: ConversionWarning) -> Bool {
            guard case .certificateAsPin = warning.reason else {
                return warning.isRequired && hosts.contains(warning.host)
            }
            return hosts.contains(warning.host) || pins.contains(warning.host)
        }
        let wanted = Set(expected.warnings.map(\.withoutLine))
        let found = Set(reading.warnings.map(\.withoutLine))
        // Of two names, at most one can have the host as its value.
        let names = Set(reading.warnings.compactMap(\.nameAsHost))
        let extra = reading.warnings.filter { warning in
            let isConflict = isConflict(warning) || names.count > 1 && warning.nameAsHost != nil
            return !wanted.contains(warning.withoutLine) && isConflict && !isNamed(warning)
        }
        let missing = expected.warnings.filter {
            $0.isRequired && !found.contains($0.withoutLine) && !isNamed($0)
        }
        return extra.map { CopyDifference($0) } + missing.map { CopyDifference(missing: $0) }
    }

    /// Whether a warning of the reader is a difference: it is about a host of the set, or about one that the copy must not contain.
    private func isConflict(_ warning: ConversionWarning) -> Bool {
        guard warning.isConflict else { return false }
        guard let host = warning.host else { return true }
        let name = try? HostName.normalized(host)
        // If the file does not contain the host of the set in its right spelling, the host is a difference too.
        if case .hostNotFound = warning.reason { return others == .removed }
        if let name, set.indices[name] != nil { return true }
        guard others == .removed else { return false }
        // An exception from the pins of a parent domain matters only if the set pins the host.
        guard warning.reason == .hostExcluded else { return true }
        return name.flatMap { set.entry(for: $0) } != nil
    }

    /// The differences of the whole file, as its platform compiles it, if the set is between markers. Other hosts outside the markers
    /// belong to the rest of the program.
    private func differencesOutsideMarkers(
        of file: [UInt8], _ section: PinSetReading, to expected: PinSetReading, beside: (String) -> [UInt8]?
    ) throws(PinSetCopyError) -> [CopyDifference] {
        guard isSource, let line = try MarkedSection(in: file)?.firstLine,
            let whole = try read(file, with: inputs, isWhole: true, beside: beside)
        else { return [] }
        let known = Set(section.warnings.map(\.withoutLine))
        let warnings = whole.warnings.filter { warning in
            // Two pinners are no conflict if the second one has other hosts.
            if case .builders = warning.reason { return false }
            return !known.contains(warning.withoutLine) && isConflict(warning) && isOfSet(warning.host)
        }
        var differences = warnings.map { CopyDifference($0) }
        for difference in section.set.differences(to: whole.set) {
            switch difference.kind {
            case .missingHost, .missingPin:
                return [CopyDifference(.unreadable(.sectionNotRead(line: line)), line: line)]
            case .extraPin, .subdomains, .expires, .enforce, .role, .state: differences.append(difference)
            default: break
            }
        }
        return differences
    }

    /// Whether a host outside the markers can change the pins of the set.
    private func isOfSet(_ host: String?) -> Bool {
        guard let host, let name = try? HostName.normalized(host) else { return true }
        return set.entry(for: name) != nil
    }

    /// The fingerprints without a valid signature, if the manifest names a key.
    private func signatureDifferences(of file: [UInt8]) throws(PinSetCopyError) -> [CopyDifference] {
        guard let key = inputs.signingKey, let codec = format.codec as? any SignedCodec.Type else { return [] }
        do throws(PinSetFormatError) {
            return try codec.invalidSignatures(in: file, key: key).map { signature in
                CopyDifference(
                    .signature(fingerprint: signature.fingerprint, isThere: signature.isThere), of: signature.host,
                    line: signature.line)
            }
        } catch {
            throw .format(error)
        }
    }

    /// What pinctl did not read in a file, or what its platform does not use, without the differences.
    func notes(on file: [UInt8], beside: (String) -> [UInt8]?) -> [ConversionWarning] {
        let notes = (try? read(file, beside: beside))?.warnings ?? []
        return notes.filter { $0.isWorthANote && (!$0.isConflict || isAboutKeptHost($0)) }
    }

    private func isAboutKeptHost(_ warning: ConversionWarning) -> Bool {
        guard others == .kept, let host = warning.host else { return false }
        if case .hostNotFound = warning.reason { return true }
        return (try? HostName.normalized(host)).map { set.indices[$0] == nil } ?? false
    }
}
