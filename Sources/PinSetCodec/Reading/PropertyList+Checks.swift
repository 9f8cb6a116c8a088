internal import Encodings
internal import Pinning
package import PropertyLists

/// A value in a property list whose type the platform does not read.
package struct MistypedValue {
    /// The keys from the dictionary of a host to the value.
    package let path: [String]
    package let value: PropertyListValue
    package let expected: PinSetFormatError.ValueType

    package init(_ path: [String], _ value: PropertyListValue, not expected: PinSetFormatError.ValueType) {
        (self.path, self.value, self.expected) = (path, value, expected)
    }
}

extension String {
    /// Whether a text has the name of a build setting, which Xcode replaces by its value when it builds the app
    /// (Xcode, "Build settings reference", `INFOPLIST_EXPAND_BUILD_SETTINGS`).
    package var hasBuildSetting: Bool { has("$(") || has("${") }
}

/// Checks of an existing file, in which a new value would replace a value that cannot be read.
extension PropertyListPinSetCodec {
    /// Checks that no value would be lost: the types on the path to the dictionary of hosts and in the dictionaries of `wanted`, and that
    /// each of these hosts has only one key.
    static func check(
        _ root: PropertyListValue, path: [String], wanted: [WritableEntry], in bytes: [UInt8]
    ) throws(PinSetFormatError) {
        for count in path.indices.map({ $0 + 1 }) {
            guard let value = root.value(at: path.prefix(count)) else { return }
            guard value.members == nil else { continue }
            throw error(.key(keyPath(path.prefix(count))), is: value, not: .dictionary, in: bytes)
        }
        var keys: [String: String] = [:]
        let hosts = Set(wanted.map(\.host))
        for member in root.value(at: path[...])?.members ?? [] {
            guard let name = try? HostName.normalized(member.key), hosts.contains(name) else { continue }
            let memberPath = path + [member.key]
            if let first = keys.updateValue(member.key, forKey: name) {
                throw error(
                    .hostTwice(keyPath(memberPath), first: keyPath(path + [first])),
                    at: member.value.position(in: bytes))
            }
            guard member.value.members != nil else {
                throw error(.key(keyPath(memberPath)), is: member.value, not: .dictionary, in: bytes)
            }
            if let found = mistypedValue(in: member.value) {
                throw error(.key(keyPath(memberPath + found.path)), is: found.value, not: found.expected, in: bytes)
            }
        }
    }

    /// The keys with colons between them, as PlistBuddy has them.
    private static func keyPath(_ keys: some Sequence<String>) -> String {
        keys.map(\.withoutUserInfo).joined(separator: ":")
    }
}
