internal import Encodings
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning

/// The test whether a file contains only what pinctl writes. It looks at all bytes of the file, because the readers skip text that
/// they do not know.
extension PinSetCopy {
    /// Whether pinctl generated the whole file, although it has no markers.
    func isGenerated(_ file: [UInt8], beside: (String) -> [UInt8]?) -> Bool {
        switch format.traits.generatedFile {
        case .lines: return hasOnlyGeneratedLines(file)
        case .fingerprints:
            return (format.codec as? any FingerprintWritingCodec.Type)?.isGenerated(file) ?? false
        case .onlyKnownKeys: return WultraFormat.hasOnlyKnownKeys(file)
        case .certificates: return Self.hasOnlyCertificates(file)
        case .noUnknownKeys, .json, .identical: break
        }
        guard let reading = try? readUnnamed(file, beside: beside) else { return false }
        if case .noUnknownKeys = format.traits.generatedFile { return hasKeys(of: reading.set) }
        guard let again = try? reading.set.written(as: format, with: ConversionInputs(date: inputs.date)) else {
            return false
        }
        if case .json = format.traits.generatedFile {
            // Another spelling of a host is no other content: writing corrects it.
            let hasOtherContent = reading.warnings.contains { warning in
                if case .hostSpelling = warning.reason { false } else { true }
            }
            guard !hasOtherContent, let old = try? JSONDocument(file).root,
                let new = try? JSONDocument(again.main).root
            else { return false }
            return old.isContained(in: new)
        }
        guard format.traits.sidecar == nil else {
            let names = (try? fresh())?.files.lazy.compactMap(\.name).first.flatMap { beside($0) } ?? []
            return again.main == file && Self.hasSameNames(names, again)
        }
        return again.main == file
    }

    /// Checks that no companion file replaces a file that pinctl did not write. The names beside an existing copy were compared with
    /// the copy.
    func checkCompanions(of fresh: PinSetWriting, beside: (String) -> [UInt8]?) throws(PinSetCopyError) {
        for file in fresh.files {
            // The caller needs the contents of each file that it replaces, also with "overwrite".
            guard let name = file.name, let found = beside(name), found != file.bytes, !overwrites,
                !found.allSatisfy(\.isWhiteSpace)
            else { continue }
            let isGenerated =
                format.traits.sidecar == nil
                ? Self.isCompanion(found, like: file.bytes) : Self.hasSameNames(found, fresh)
            guard isGenerated else { throw .companionNotGenerated(name) }
        }
    }

    /// Whether a file contains exactly one certificate, with the key of the certificate `other`. The name of a companion file contains
    /// a hash, so another certificate with this key is an earlier companion file.
    private static func isCompanion(_ bytes: [UInt8], like other: [UInt8]) -> Bool {
        guard let certificate = try? Certificate(der: bytes), let other = try? Certificate(der: other) else {
            return false
        }
        return certificate.pin == other.pin
    }

    /// Whether an app reads each certificate in the folder of the copy, not only those that the copy names.
    package var hasCompanionsInFolder: Bool { format == .certificates }

    /// The names of the companion files for the set.
    package func companionNames() throws(PinSetCopyError) -> [String] { try fresh().files.compactMap(\.name) }

    /// Whether a file has the name that pinctl gives to the certificate in it, and the set has no pin of its key.
    func isObsolete(_ bytes: [UInt8], named name: String) -> Bool {
        guard let certificate = try? Certificate(der: bytes),
            CertificateFilesFormat.companionName(of: certificate) == name
        else { return false }
        return !set.entries.contains { entry in
            entry.pins.contains { $0.pin == certificate.pin && $0.state != .retired }
        }
    }

    // MARK: Lines

    /// A host and a port that have records.
    private struct Service: Hashable {
        let name: String
        let port: UInt16

        init(_ endpoint: PinSet.Endpoint) { (name, port) = (endpoint.name, endpoint.port) }
    }

    private func hasOnlyGeneratedLines(_ file: [UInt8]) -> Bool {
        let services = Set(set.entries.flatMap(\.endpoints).map(Service.init))
        var records: Set<ArraySlice<UInt8>> = []
        var heading: ArraySlice<UInt8>?
        for line in Self.lines(of: file) {
            if line.first == UInt8(ascii: "#") {
                guard heading == nil else { return false }
                heading = line
                continue
            }
            // Of two comments behind equal records, pinctl could keep only one.
            guard isGenerated(line: line, under: heading, of: services),
                heading != nil || records.insert(record(of: line)).inserted
            else { return false }
            heading = nil
        }
        return heading == nil
    }

    /// Whether pinctl would write this line for some pin set.
    ///
    /// - Parameter heading: the comment on the line before, which is the host of the line in a file for several hosts.
    private func isGenerated(
        line: ArraySlice<UInt8>, under heading: ArraySlice<UInt8>?, of services: Set<Service>
    ) -> Bool {
        var bytes = Array(line)
        if let heading {
            let host = String(decoding: heading.dropFirst(2), as: UTF8.self)
            // A comment of one word is a host only if it looks like one.
            guard heading.starts(with: "# ".utf8), let name = try? HostName.normalized(host),
                name.contains(where: { ".:".contains($0) }) || name == "localhost" || set.indices[name] != nil
            else { return false }
            bytes = heading + [UInt8(ascii: "\n")] + line
        }
        guard let reading = try? read(line: bytes) else { return false }
        // A record of a service that the set does not name belongs to another program.
        guard reading.set.entries.flatMap(\.endpoints).allSatisfy({ services.contains(Service($0)) }) else {
            return false
        }
        if let heading, reading.set.entries.first.map({ !heading.dropFirst(2).elementsEqual($0.host.utf8) }) ?? true {
            return false
        }
        let again = try? reading.set.written(as: format, with: ConversionInputs(date: inputs.date))
        let written = again.map { Self.lines(of: $0.main) } ?? []
        return written.count == 1 && written.allSatisfy { record(of: $0) == record(of: line) }
    }

    /// A line without its comment, which is the label of a pin, in formats that have comments.
    func record(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard format.traits.capabilities.notes == .comments else { return line }
        return line.prefix(upTo: line.firstRange(ignoringCase: " ; ")?.lowerBound ?? line.endIndex)
    }

    static func lines(of file: [UInt8]) -> [ArraySlice<UInt8>] {
        file.split(separator: UInt8(ascii: "\n")).map(\.trimmed).filter { !$0.isEmpty }
    }

    // MARK: Other formats

    /// Whether the file consists of certificates, in DER or in PEM without other text.
    private static func hasOnlyCertificates(_ file: [UInt8]) -> Bool {
        if DERReader.isSequence(file) {
            var reader = DERReader(file)
            while !reader.isAtEnd {
                guard let element = try? reader.next(), (try? Certificate(der: Array(file[element.range]))) != nil
                else { return false }
            }
            return true
        }
        var text: [UInt8] = []
        for result in PEM.blocks(in: file) {
            guard let der = try? result.get().certificateBytes, (try? Certificate(der: der)) != nil else {
                return false
            }
            text += PEM.certificate(der).utf8
        }
        return text.filter { !$0.isWhiteSpace } == file.filter { !$0.isWhiteSpace }
    }

    /// Whether a file of names has the names of `writing`. It also contains the time when it was written.
    private static func hasSameNames(_ names: [UInt8], _ writing: PinSetWriting) -> Bool {
        let others = lines(of: writing.files.first { $0.name != nil }?.bytes ?? [])
        let names = lines(of: names)
        return names.count == others.count
            && !zip(names, others).contains { $0 != $1 && !$0.allSatisfy(\.isDigit) }
    }

    /// Whether this set has all unknown keys of another set, with the same values.
    private func hasKeys(of other: PinSet) -> Bool {
        let keys = Set(set.unknownMembers)
        return other.unknownMembers.allSatisfy(keys.contains)
    }
}

extension JSONValue {
    /// Whether `other` has all keys of this value with the same values. Host names as keys may have different spellings, and arrays
    /// of strings may differ.
    fileprivate func isContained(in other: JSONValue) -> Bool {
        switch (content, other.content) {
        case (.object(let members), .object(let others)):
            var values: [String: JSONValue] = [:]
            for member in others { values[member.key] = member.value }
            return members.allSatisfy { member in
                let value = values[member.key] ?? (try? HostName.normalized(member.key)).flatMap { values[$0] }
                return value.map(member.value.isContained) ?? false
            }
        case (.array(let values), .array):
            return values.allSatisfy { if case .string = $0.content { true } else { false } }
        default: return content == other.content
        }
    }
}

extension PinSet {
    /// The keys that pinctl does not know: the location and the JSON value of each.
    fileprivate var unknownMembers: [String] {
        func texts(_ members: [JSONMember], _ location: String) -> [String] {
            members.map { member in
                var writer = JSONWriter(.compact)
                writer.value(member.value)
                return "\(location) \(member.key) \(String(decoding: writer.output, as: UTF8.self))"
            }
        }
        return texts(unknown, "")
            + entries.flatMap { entry in
                texts(entry.unknown, entry.name)
                    + entry.pins.flatMap { texts($0.unknown, "\(entry.name) \($0.pin.base64)") }
            }
    }
}
