internal import Encodings
internal import FileConflicts
package import PinSetCodec
internal import PinSetFormats
internal import PinSetMaintenance
package import Pinning

/// The platforms of the copies that a sync manifest names.
package struct ManifestPlatforms {
    /// One platform, with the hosts of its copies.
    package struct Member {
        package let platform: Platform
        /// Normalized hosts; nil for all hosts of the set.
        package var hosts: Set<String>?

        /// Whether a copy contains the entry.
        package func covers(_ entry: PinSet.Entry) -> Bool { hosts?.contains(entry.name) ?? true }
    }

    /// Name of the manifest that is found without an option.
    package static let fileName = "pinctl-sync.json"

    /// The path of the manifest.
    package let path: String
    package private(set) var members: [Member] = []

    /// The manifest of a set: the file `pinctl-sync.json` in the folder of the set or in the current folder, if it names the set. Nil
    /// without such a file.
    ///
    /// - Parameter warn: Receives a sentence about a manifest that cannot be read.
    package init?(of setPath: String, warn: (String) -> Void) {
        guard setPath != "-", let set = PathKey(resolving: setPath) else { return nil }
        for folder in [FilePath.parent(of: setPath), "."] {
            let path = folder == "." ? Self.fileName : PinSetFile.resolved(Self.fileName, beside: folder + "/.")
            guard InputFile.exists(at: path) else { continue }
            let manifest: SyncManifest
            do throws(SyncManifestError) {
                guard let bytes = try? InputFile.bytes(at: path) else {
                    warn("\(path.quoted) cannot be read, so its platforms are not judged")
                    continue
                }
                manifest = try SyncManifest(json: bytes)
            } catch {
                warn("\(path.quoted) is not a manifest, so its platforms are not judged: \(error.message)")
                continue
            }
            guard PathKey(resolving: PinSetFile.resolved(manifest.set, beside: path)) == set else { continue }
            self.init(path: path, manifest, warn)
            return
        }
        return nil
    }

    private init(path: String, _ manifest: SyncManifest, _ warn: (String) -> Void) {
        self.path = path
        for copy in manifest.copies {
            // The run does not read these files, but no output must replace them.
            for name in copy.certificates + [copy.signingKey].compactMap({ $0 }) {
                FileUse.reads(fileAt: PinSetFile.resolved(name, beside: path))
            }
            let file = PinSetFile.resolved(copy.file, beside: path)
            let contents = InputFile.exists(at: file) ? try? InputFile.bytes(at: file) : nil
            let platforms = Self.platforms(of: copy, named: file, contents)
            for platform in platforms { add(platform, copy.hosts) }
            // The file name of several formats does not show the platform.
            if platforms.isEmpty, contents == nil, copy.format == nil {
                warn(
                    "\(file.quoted) cannot be read, and \(path.quoted) has no format for it, so its platforms are not judged"
                )
            }
        }
    }

    private mutating func add(_ platform: Platform, _ hosts: [String]) {
        let names = hosts.isEmpty ? nil : Set(hosts.map { (try? HostName.normalized($0)) ?? $0 })
        guard let index = members.firstIndex(where: { $0.platform == platform }) else {
            members.append(Member(platform: platform, hosts: names))
            return
        }
        members[index].hosts = members[index].hosts.flatMap { known in names.map(known.union) }
    }

    /// The platforms of a copy: those of its format that read this file, or all if none of them has a reader for files. Android's file
    /// is also for TrustKit if it names TrustKit.
    private static func platforms(
        of copy: SyncManifest.Copy, named path: String, _ contents: [UInt8]?
    ) -> [Platform] {
        let name = FilePath.name(of: path)
        let recognized = contents.flatMap { try? PinSetFormat.recognized(in: $0) }
        guard let format = copy.format ?? recognized ?? FormatRegistry.current.format(forFileName: name) else {
            return []
        }
        guard let contents else { return format.platforms }
        let readers = format.platforms.filter { platform in
            ((try? platform.configuration(ofFile: contents, format: format)) ?? nil) != nil
        }
        let isForTrustKit = format == .android && contents.has("<trustkit-config")
        return (readers.isEmpty ? format.platforms : readers) + (isForTrustKit ? [.trustkitAndroid] : [])
    }
}

extension PinSetFormat {
    /// The platforms that use files of the format. A format that only writes source code has those of the format that reads it.
    package var platforms: [Platform] {
        let own = traits.platforms
        guard own.isEmpty, let codec = traits.readBy else { return own }
        return PinSetFormat(codec).traits.platforms
    }
}
