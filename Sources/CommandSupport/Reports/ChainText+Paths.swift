internal import Encodings
package import Pinning

extension ChainText {
    /// The valid paths, with the certificates that all of them contain, and the pins that all of them contain.
    ///
    /// - Parameter pinMark: the mark of each pin, because it may be an attacker's; nil for pins of a trusted chain.
    package func paths(_ paths: ValidPaths, pinMark: String?) -> String {
        guard !paths.paths.isEmpty else { return "" }
        let all = paths.paths.flatMap { $0 }
        let roleColumns = max(Self.roleColumns, all.map(\.roleDescription.columns).max() ?? 0)
        let nameColumns = all.map { name(of: $0.certificate).columns }.max() ?? 0
        var text = ""
        for (index, path) in paths.paths.enumerated() {
            text += Self.indentation + style(.strong, "path \(index + 1) of \(paths.paths.count)") + "\n"
            if index >= paths.builtCount {
                text += sentence(
                    "because of key identifiers, OpenSSL does not build this path, but other clients do, such as Java",
                    .careful)
            }
            for entry in path {
                let isCommon = paths.paths.count > 1 && paths.haveInCommon(entry.certificate)
                let subject = name(of: entry.certificate)
                text += Self.indentation + Self.indentation + entry.roleDescription.padded(to: roleColumns) + Self.gap
                text +=
                    isCommon ? subject.padded(to: nameColumns) + Self.gap + style(.quiet, "in all paths") : subject
                text += "\n"
            }
        }
        if !paths.isComplete { text += sentence("there are more paths: the search reached its limit", .careful) }
        let keys = paths.commonKeys
        text += Self.indentation + style(.strong, "pins that all paths contain") + "\n"
        for key in keys {
            let roles = key.roles.map(\.rawValue).joined(separator: " or ")
            text += Self.indentation + Self.indentation + roles.padded(to: roleColumns) + Self.gap
            text += name(of: key.certificate) + "\n" + Self.indentation + Self.indentation
            text += style(.quiet, "pin".padded(to: roleColumns)) + Self.gap + key.pin.base64
            text += (pinMark.map { " \($0)" } ?? "") + "\n"
        }
        return text
    }

    private func name(of certificate: Certificate) -> String { (certificate.subject?.displayName ?? "").escaped }
}
