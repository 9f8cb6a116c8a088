/// What the two formats that live in property lists have in common.
extension PinSetCodec {
    static func propertyList(_ bytes: [UInt8]) throws(PinSetFormatError) -> PropertyList {
        do throws(PropertyListError) {
            return try PropertyList(bytes)
        } catch {
            throw Self.error(error)
        }
    }

    static func error(_ error: PropertyListError) -> PinSetFormatError {
        PinSetFormatError(format, at: error.position, message: error.message, hint: error.hint)
    }

    /// A file of its own.
    static func document(_ root: PropertyListValue) throws(PinSetFormatError) -> [UInt8] {
        do throws(PropertyListError) {
            return try XMLPropertyListWriter.document(root)
        } catch {
            throw Self.error(error)
        }
    }

    static func replacingRoot(
        of list: PropertyList, with root: PropertyListValue
    ) throws(PinSetFormatError) -> [UInt8] {
        do throws(PropertyListError) {
            return try list.replacingRoot(with: root)
        } catch {
            throw Self.error(error)
        }
    }

    /// The dictionary `domains` of a file with the hosts of `wanted` in it. Hosts that the file alone has stay as they are.
    ///
    /// - Parameter update: what becomes of the file's value of a host, nil if it has none.
    static func merging(
        _ wanted: [PinSet.Entry], into domains: PropertyListValue, losses: inout FormatLosses,
        update: (PinSet.Entry, PropertyListValue?) -> PropertyListValue
    ) -> PropertyListValue {
        var domains = domains
        var hosts: [String: PinSet.Entry] = [:]
        for entry in wanted { hosts[entry.name] = entry }
        var members = domains.members ?? []
        for index in members.indices {
            let host = members[index].key
            let name = try? HostName.normalized(host)
            if let name, let entry = hosts.removeValue(forKey: name) {
                members[index].value = update(entry, members[index].value)
            } else {
                losses.add("the file has this host and the set has not: it stays in the file", host: host)
            }
        }
        for entry in wanted where hosts.removeValue(forKey: entry.name) != nil {
            members.append(PropertyListMember(key: entry.name, value: update(entry, nil)))
        }
        domains.content = .dictionary(members)
        return domains
    }
}

extension PropertyListValue {
    /// The value under `path` of dictionaries in dictionaries.
    func value(at path: ArraySlice<String>) -> Self? {
        guard let key = path.first else { return self }
        return self[key]?.value(at: path.dropFirst())
    }

    /// The same with `value` there; dictionaries that are missing on the way are made.
    func setting(_ path: ArraySlice<String>, to value: Self) -> Self {
        guard let key = path.first else { return value }
        let inner = self[key] ?? .dictionary([])
        return setting(key, to: inner.setting(path.dropFirst(), to: value))
    }

    func position(in bytes: [UInt8]) -> XMLPosition? {
        place.map { XMLPosition(of: $0.range.lowerBound, in: bytes) }
    }
}
