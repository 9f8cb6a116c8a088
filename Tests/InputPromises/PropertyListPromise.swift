internal import Encodings
internal import PropertyLists

/// The promise of an edit of an XML property list, checked with random changes: the result has the new values, and if no
/// value of an array is removed, each value has its own label.
package enum PropertyListPromise {
    /// The reason why an edit of `bytes` breaks the promise; nil if it does not, or if `bytes` is no XML property list.
    package static func violation(in bytes: [UInt8]) -> String? {
        guard let list = try? PropertyList(bytes), list.form == .xml else { return nil }
        var choices = InputChoices(bytes)
        let new = changed(list.root, depth: 0, &choices)
        guard let output = try? list.replacingRoot(with: new) else { return "the new values cannot be written" }
        let text = String(decoding: output, as: UTF8.self)
        guard let result = try? PropertyList(output).root else { return "the output does not read\n\(text)" }
        var old: [Int: [Int]] = [:]
        collectArrays(list.root, &old)
        return problem(of: result, expected: new, old).map { "\($0)\n\(text)" }
    }

    /// Collects the offsets of the values of each array, by the offset of the array.
    private static func collectArrays(_ value: PropertyListValue, _ arrays: inout [Int: [Int]]) {
        if let values = value.array, let ranges = value.sourceRanges {
            arrays[ranges.range.lowerBound] = values.compactMap { $0.sourceRanges?.range.lowerBound }
            for value in values { collectArrays(value, &arrays) }
        }
        for member in value.members ?? [] { collectArrays(member.value, &arrays) }
    }

    /// Maximum depth of a change, which keeps the new values below the maximum depth of a property list.
    private static let maximumDepth = 32

    private static func changed(
        _ value: PropertyListValue, depth: Int, _ choices: inout InputChoices
    ) -> PropertyListValue {
        guard depth < maximumDepth else { return value }
        var result = value
        if let values = value.array {
            result.content = .array(changed(values, depth: depth, &choices))
        } else if let members = value.members {
            let members = changed(members, depth: depth, &choices)
            // A file without tags around the members needs a member.
            if !members.isEmpty { result.content = .dictionary(members) }
        }
        return result
    }

    private static func changed(
        _ values: [PropertyListValue], depth: Int, _ choices: inout InputChoices
    ) -> [PropertyListValue] {
        let removes = Bool.random(using: &choices)
        let labels = Bool.random(using: &choices)
        var result: [PropertyListValue] = []
        for value in values {
            if Int.random(in: 0..<3, using: &choices) == 0 { result += [newString(&choices)] }
            guard !removes || Bool.random(using: &choices) else { continue }
            var value = changed(value, depth: depth + 1, &choices)
            if labels, Bool.random(using: &choices) { value.comment = "changed \(result.count)" }
            result.append(value)
        }
        while Bool.random(using: &choices) { result.append(newString(&choices)) }
        if Int.random(in: 0..<4, using: &choices) == 0 { result.shuffle(using: &choices) }
        return result
    }

    private static func changed(
        _ members: [PropertyListMember], depth: Int, _ choices: inout InputChoices
    ) -> [PropertyListMember] {
        var result: [PropertyListMember] = []
        for var member in members where Int.random(in: 0..<6, using: &choices) > 0 {
            member.value =
                Int.random(in: 0..<8, using: &choices) == 0
                ? newArray(&choices) : changed(member.value, depth: depth + 1, &choices)
            result.append(member)
        }
        let key = "new \(members.count)"
        if Bool.random(using: &choices), !members.contains(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
            result.append(PropertyListMember(key: key, value: newArray(&choices)))
        }
        return result
    }

    private static func newString(_ choices: inout InputChoices) -> PropertyListValue {
        let number = Int.random(in: 0..<100, using: &choices)
        return .string("\(number)", comment: Bool.random(using: &choices) ? "label \(number)" : nil)
    }

    private static func newArray(_ choices: inout InputChoices) -> PropertyListValue {
        .array((0..<Int.random(in: 0..<5, using: &choices)).map { _ in newString(&choices) })
    }

    private static func problem(
        of value: PropertyListValue, expected: PropertyListValue, _ old: [Int: [Int]]
    ) -> String? {
        if let values = value.array, let wanted = expected.array, values.count == wanted.count {
            // A comment that stays when the value after it is removed is before the next value.
            let kept = wanted.compactMap { $0.sourceRanges?.range.lowerBound }
            let checksLabels = expected.sourceRanges.map { old[$0.range.lowerBound] == kept } ?? true
            for (value, wanted) in zip(values, wanted) {
                guard !checksLabels || value.comment == wanted.comment else {
                    return "wrong label: \(value.comment ?? "none"), expected: \(wanted.comment ?? "none")"
                }
                if let problem = problem(of: value, expected: wanted, old) { return problem }
            }
            return nil
        }
        if let members = value.members, let wanted = expected.members, members.count == wanted.count {
            for member in wanted {
                guard let found = members.first(where: { $0.key.utf8.elementsEqual(member.key.utf8) }) else {
                    return "a key is missing"
                }
                if let problem = problem(of: found.value, expected: member.value, old) { return problem }
            }
            return nil
        }
        return value == expected ? nil : "wrong value"
    }
}
