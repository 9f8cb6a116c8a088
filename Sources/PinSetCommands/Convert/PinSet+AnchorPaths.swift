internal import CommandSupport
internal import FileConflicts
internal import Pinning

extension PinSet {
    /// The set with the paths in `anchors` for a file in another folder: there they name the same files.
    ///
    /// - Parameters:
    ///   - path: the file of the set, or `-` for standard input, whose paths are relative to the current folder.
    ///   - folder: the folder of the new file.
    func withAnchors(of path: String, inFolder folder: String) -> PinSet {
        guard entries.contains(where: { !$0.anchors.isEmpty }),
            FilePath.resolvedBytes(FilePath.parent(of: path)) != FilePath.resolvedBytes(folder)
        else { return self }
        let moved = entries.map { entry in
            let anchors = entry.anchors.map { RelativePath.of(PinSetFile.resolved($0, beside: path), from: folder) }
            return entry.with(anchors: anchors)
        }
        return (try? PinSet(entries: moved, unknown: unknown)) ?? self
    }
}

extension PinSet.Entry {
    fileprivate func with(anchors: [String]) -> Self {
        let entry = try? Self(
            host: host, name: name, subdomains: subdomains, expires: expires, enforce: enforce, anchors: anchors,
            endpoints: endpoints, pins: pins, position: position, unknown: unknown, isShorthand: isShorthand)
        return entry ?? self
    }
}
