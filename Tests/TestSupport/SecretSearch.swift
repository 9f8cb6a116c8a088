package import Foundation
internal import Testing

/// A search for secrets in everything that a run of pinctl leaves: its output, its messages, and the files that it wrote.
///
/// ``ChildProcess`` makes one for every run of the built command, so no test has to ask for it. The secrets of a run are those that
/// its arguments and its environment name: the first line of each `--…password-file`, the passwords in the URLs of proxies, and the
/// lines of private keys. A password may be an argument only if pinctl warns of it.
package struct SecretSearch: Equatable, Sendable {
    /// A shorter text would also occur by chance.
    private static let minimumLength = 5
    private static let maximumFileSize = 1 << 22
    private static let keyOptions = ["--key", "--from-key", "--cert", "--sign"]

    private let secrets: Set<String>
    private let arguments: [String]
    /// The files that contain the secrets.
    private let sources: Set<String>
    private let folder: URL?
    private let start: Date

    /// - Parameters:
    ///   - arguments: the words after the name of the program.
    ///   - folder: the working folder, in which new and changed files are searched; nil to search none.
    /// - Returns: nil if the run has no secret.
    package init?(of arguments: [String], environment: [String: String], folder: URL?) {
        var secrets: Set<String> = []
        var sources: Set<String> = []
        for (option, value) in Self.options(in: arguments) {
            if option.hasSuffix("password-file") {
                sources.insert(Self.url(value, in: folder).path)
                secrets.formUnion(Self.lines(of: value, in: folder).prefix(1))
            } else if option == "--proxy" {
                secrets.formUnion(Self.password(in: value))
            } else if Self.keyOptions.contains(option) {
                sources.insert(Self.url(value, in: folder).path)
                secrets.formUnion(Self.privateLines(of: value, in: folder))
            }
        }
        for (name, value) in environment where name.lowercased().hasSuffix("_proxy") {
            secrets.formUnion(Self.password(in: value))
        }
        secrets = secrets.filter { $0.utf8.count >= Self.minimumLength }
        guard !secrets.isEmpty else { return nil }
        (self.secrets, self.sources, self.arguments, self.folder) = (secrets, sources, arguments, folder)
        // The times of files have a lower resolution than the clock on some systems.
        start = Date(timeIntervalSinceNow: -1)
    }

    /// Searches what a run left, and records an issue for each place with a secret.
    package func check(_ end: ChildProcess.End, output: [UInt8], errors: [UInt8]) {
        for leak in leaks(end, output: output, errors: errors) {
            Issue.record("a secret of \(arguments.prefix(2)) is in \(leak)")
        }
    }

    /// The places with a secret.
    package func leaks(_ end: ChildProcess.End, output: [UInt8], errors: [UInt8]) -> [String] {
        var places: [String] = []
        if contains(output) { places.append("standard output") }
        if contains(errors) { places.append("standard error") }
        let warns = String(decoding: errors, as: UTF8.self).contains("was visible to other users of this machine")
        // A usage error comes before the warning.
        if !warns, end != .exit(2), contains(Array(arguments.joined(separator: "\n").utf8)) {
            places.append("the arguments, without a warning")
        }
        for url in writtenFiles where !sources.contains(url.path) {
            guard let bytes = try? Data(contentsOf: url), contains([UInt8](bytes)) else { continue }
            places.append("the file \(url.lastPathComponent)")
        }
        return places
    }

    private func contains(_ bytes: [UInt8]) -> Bool {
        let data = Data(bytes)
        return secrets.contains { secret in
            [secret, Data(secret.utf8).base64EncodedString()].contains { data.range(of: Data($0.utf8)) != nil }
        }
    }

    /// The files in the working folder that were changed since the start of the run.
    private var writtenFiles: [URL] {
        guard let folder,
            let all = FileManager.default.enumerator(
                at: folder, includingPropertiesForKeys: [.contentModificationDateKey, .fileSizeKey, .isRegularFileKey])
        else { return [] }
        return all.compactMap { $0 as? URL }.filter { url in
            guard
                let values = try? url.resourceValues(forKeys: [
                    .contentModificationDateKey, .fileSizeKey, .isRegularFileKey,
                ]), values.isRegularFile == true, (values.fileSize ?? 0) <= Self.maximumFileSize
            else { return false }
            return values.contentModificationDate.map { $0 >= start } ?? false
        }
    }

    // MARK: The secrets of a command line

    /// The long options with a value.
    private static func options(in arguments: [String]) -> [(String, String)] {
        arguments.indices.compactMap { index in
            let word = arguments[index]
            guard word.hasPrefix("--") else { return nil }
            if let sign = word.firstIndex(of: "=") { return (String(word[..<sign]), String(word[sign...].dropFirst())) }
            return index + 1 < arguments.count ? (word, arguments[index + 1]) : nil
        }
    }

    /// The password in the URL of a proxy, as written and decoded.
    private static func password(in url: String) -> [String] {
        guard let at = url.lastIndex(of: "@") else { return [] }
        let start = url.range(of: "://")?.upperBound ?? url.startIndex
        guard start <= at, let colon = url[start..<at].firstIndex(of: ":") else { return [] }
        let text = String(url[url.index(after: colon)..<at])
        return [text, text.removingPercentEncoding ?? text]
    }

    private static func url(_ path: String, in folder: URL?) -> URL {
        if let folder, !path.hasPrefix("/") { return folder.appending(path: path) }
        return URL(filePath: path)
    }

    /// The lines of a regular file.
    private static func lines(of path: String, in folder: URL?) -> [String] {
        let url = url(path, in: folder)
        guard (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true,
            let data = try? Data(contentsOf: url)
        else { return [] }
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }

    /// The full lines of private keys in PEM that are not encrypted.
    private static func privateLines(of path: String, in folder: URL?) -> [String] {
        var isPrivate = false
        return lines(of: path, in: folder).filter { line in
            if line.hasPrefix("-----") { isPrivate = line.hasSuffix("PRIVATE KEY-----") && !line.contains("ENCRYPTED") }
            return isPrivate && line.utf8.count == 64
        }
    }
}
