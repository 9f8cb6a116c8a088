internal import Encodings
internal import PinSetCodec

/// Finds where a configuration has `NSPinnedDomains`. Expo copies only `expo.ios.infoPlist` to the `Info.plist`.
struct ExpoLocation {
    /// The keys from the outermost object to the object with `NSPinnedDomains`. Without the key `expo`, the outermost object itself is
    /// the configuration (expo 6587c492, packages/@expo/config/src/Config.ts, `reduceExpoObject`).
    static let path = ["expo", "ios", "infoPlist", AppleFormat.securityKey]

    private let source: SourceText
    /// Whether the file is JSON5, where every place is visible.
    private let isJSON: Bool
    /// The opening brackets of the objects with a key `expo`.
    private let objectsWithExpo: Set<Int>

    /// A deeper place is not followed to the outermost object.
    private static let maximumDepth = 16

    init(_ source: SourceText) {
        self.source = source
        isJSON = source.isSign(0, "{")
        objectsWithExpo = Set(
            source.indices(of: "expo").filter { source.isSign($0 + 1, ":") && !source.isWord($0 + 2, "null") }
                .compactMap { source.openBracket(around: $0) })
    }

    /// The path of a key in another place, from where Expo does not copy it to `NSAppTransportSecurity`.
    ///
    /// - Parameter index: the index of the key's token.
    /// - Returns: nil for the right place, and for a place in source code that is not visible, such as that of a constant.
    func otherPlace(of index: Int) -> String? {
        var keys: [String] = []
        var bracket = source.openBracket(around: index)
        for _ in 0..<Self.maximumDepth {
            guard let open = bracket else { break }
            if isJSON ? open == 0 : isExported(open) {
                let path = Array(keys.reversed())
                return isRight(path, inRoot: open) ? nil : path.joined(separator: ".")
            }
            if let key = key(before: open) {
                keys.append(source.isSign(open, "[") ? key + "[]" : key)
            } else if !isJSON {
                // An element of an array has no key.
                guard source.isSign(open - 1, ",") || source.isSign(open - 1, "["),
                    let list = source.openBracket(around: open), source.isSign(list, "[")
                else { return nil }
            }
            bracket = source.openBracket(around: open)
        }
        return isJSON ? keys.reversed().joined(separator: ".") : nil
    }

    private func isRight(_ path: [String], inRoot root: Int) -> Bool {
        if path == Self.path { return true }
        guard !isJSON else { return path == Array(Self.path.dropFirst()) && !objectsWithExpo.contains(root) }
        // The object of a module can be a part of the configuration, which another module adds to it.
        return path == Array(Self.path.suffix(path.count))
            || path.first != "expo" && path.suffix(3) == Self.path.suffix(3)
    }

    /// The key of a value in an object literal: `key: {`, `"key": [`.
    private func key(before open: Int) -> String? {
        guard source.isSign(open - 1, ":"), source.isSign(open - 3, "{") || source.isSign(open - 3, ",") else {
            return nil
        }
        return source.word(open - 2) ?? source.text(open - 2)
    }

    /// Whether an object is what a module exports, or what the function that it exports returns: `module.exports = {`,
    /// `export default ({ config }) => ({`.
    private func isExported(_ open: Int) -> Bool {
        guard source.isSign(open, "{") else { return false }
        var before = open - 1
        while source.isSign(before, "("), before > open - Self.maximumDepth { before -= 1 }
        if source.isWord(before, "return") {
            // The body of the function, around blocks such as that of `if`.
            var block = source.openBracket(around: open)
            for _ in 0..<Self.maximumDepth {
                guard let body = block, source.isSign(body, "{") else { return false }
                if let start = start(ofFunction: body) { return isExport(start - 1) }
                block = source.openBracket(around: body)
            }
            return false
        }
        if source.isSign(before, ">"), source.isSign(before - 1, "=") {
            guard let start = start(ofArrow: before - 1) else { return false }
            before = start - 1
        }
        return isExport(before)
    }

    /// The first token of the function whose arrow begins here: that of its parameters, or `async`.
    private func start(ofArrow arrow: Int) -> Int? {
        guard let start = start(ofParameters: arrow - 1) else { return nil }
        return source.isWord(start - 1, "async") ? start - 1 : start
    }

    /// The first token of the parameters of a function, which end at a token, or before the type of the result in TypeScript.
    private func start(ofParameters last: Int) -> Int? {
        var end = last
        if source.word(end) != nil, source.isSign(end - 1, ":") { end -= 2 }
        guard source.isSign(end, ")") else { return end }
        return (1...64).lazy.map { end - $0 }.first { source.closingBracket(of: $0) == end }
    }

    /// The first token of the function with a body; nil for the block of another statement.
    private func start(ofFunction body: Int) -> Int? {
        if source.isSign(body - 1, ">"), source.isSign(body - 2, "=") { return start(ofArrow: body - 2) }
        guard let start = start(ofParameters: body - 1), start < body - 1 else { return nil }
        var before = start - 1
        if source.word(before) != nil, !source.isWord(before, "function") { before -= 1 }
        guard source.isWord(before, "function") else { return nil }
        return source.isWord(before - 1, "async") ? before - 1 : before
    }

    private func isExport(_ before: Int) -> Bool {
        if source.isWord(before, "default") { return source.isWord(before - 1, "export") }
        return source.isSign(before, "=") && source.isWord(before - 1, "exports") && source.isSign(before - 2, ".")
            && source.isWord(before - 3, "module")
    }
}
