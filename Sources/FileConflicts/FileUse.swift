package import Arguments
internal import Synchronization

/// The files that a command reads, replaces and leaves behind.
///
/// Each function that opens an input registers it here, and each output that replaces a file registers and checks itself here. So
/// the check also covers inputs that no option names, such as the anchors of a pin set, and standard input.
package final class FileUse: Sendable {
    /// The files of the command that runs in this task or on this thread; nil outside a command.
    package static let running = TaskLocal<FileUse?>(wrappedValue: nil)

    private struct Output: Sendable {
        let path: String
        let target: OutputTarget
    }

    private struct State: Sendable {
        var inputs: Set<FileIdentity> = []
        /// Folders whose files are not in ``inputs`` yet. They are listed only if an output replaces a file.
        var inputFolders: [String] = []
        var outputs: [Output] = []
        var leftovers: [(path: String, error: Int32)] = []
        var lostAttributes: [LostAttribute] = []
    }

    /// An extended attribute that a file does not have any more.
    package struct LostAttribute: Equatable, Sendable {
        /// Nil for the owner or the permissions.
        package let name: String?
        package let path: String
        /// The `errno` of the call that could not read or set it.
        package let error: Int32
    }

    private let state = Mutex(State())

    package init() {}

    /// Registers an open file as an input of the running command.
    package static func reads(_ descriptor: Int32) {
        guard let use = running.get(), let identity = FileIdentity(of: descriptor) else { return }
        use.add(identity)
    }

    /// Registers a file as an input of the running command, which may read it later.
    package static func reads(fileAt path: String) {
        guard let use = running.get(), let identity = FileIdentity(at: path) else { return }
        use.add(identity)
    }

    /// Registers all files in a folder as inputs of the running command.
    package static func reads(folder: String) {
        running.get()?.state.withLock { $0.inputFolders.append(folder) }
    }

    /// Whether a path refers to an input of the running command.
    package static func isInput(fileAt path: String) -> Bool {
        do throws(FileConflict) { try running.get()?.checkIsNoInput(path) } catch { return true }
        return false
    }

    private func add(_ identity: FileIdentity) {
        state.withLock { _ = $0.inputs.insert(identity) }
    }

    /// Registers an output.
    ///
    /// - Parameter isInFolder: whether the command line names the folder of the output. Then the command does not register it before
    ///   the other outputs, and there may be many.
    /// - Throws: ``FileConflict`` if the path refers to an input or to another output.
    package func writes(_ path: String, isInFolder: Bool) throws(FileConflict) {
        guard let target = OutputTarget(path) else { return }
        try checkIsNoInput(path)
        let other = state.withLock { state in
            defer { if !isInFolder { state.outputs.append(Output(path: path, target: target)) } }
            return state.outputs.first { output in
                // The other output may exist only since then.
                (output.target == target || OutputTarget(output.path) == target)
                    && (isInFolder || PathKey(output.path) != PathKey(path))
            }
        }
        if let other { throw .outputs(other.path, path) }
    }

    /// Fails if a path refers to an input.
    package func checkIsNoInput(_ path: String) throws(FileConflict) {
        guard let identity = FileIdentity(at: path) else { return }
        let isInput = state.withLock { state in
            for folder in state.inputFolders {
                state.inputs.formUnion(FilePath.files(inFolder: folder).compactMap { FileIdentity(at: $0) })
            }
            state.inputFolders = []
            return state.inputs.contains(identity)
        }
        if isInput { throw .input(path) }
    }

    /// Registers a temporary file that the running command could not remove.
    ///
    /// - Parameter error: the `errno` of unlink(2).
    package static func leaves(_ path: String, _ error: Int32) {
        running.get()?.state.withLock { $0.leftovers.append((path, error)) }
    }

    /// The temporary files that could not be removed, with the `errno` of each.
    package var leftovers: [(path: String, error: Int32)] { state.withLock { $0.leftovers } }

    /// Registers an extended attribute of a file that the running command could not keep when it replaced the file.
    ///
    /// - Parameter error: the `errno` of the call that could not read or set it.
    package static func loses(_ name: String?, of path: String, _ error: Int32) {
        running.get()?.state.withLock { $0.lostAttributes.append(LostAttribute(name: name, path: path, error: error)) }
    }

    /// The extended attributes that files lost.
    package var lostAttributes: [LostAttribute] { state.withLock { $0.lostAttributes } }

    /// Fails if an output of the running command is also an input. An input may be registered after an output.
    package static func check() throws(FileConflict) {
        guard let use = running.get() else { return }
        for output in use.state.withLock({ $0.outputs }) { try use.checkIsNoInput(output.path) }
    }
}

extension FileUse {
    /// Fails if an output of a command line is also an input or another output of it, or if a file with passwords is also read as
    /// something else, whose errors and results would contain them. This needs no open file, so it finds most
    /// conflicts before the command begins.
    ///
    /// - Parameters:
    ///   - standardInput: the descriptor that `-` refers to as an input.
    ///   - standardOutput: the descriptor of the report; nil if it is no file.
    package static func check(
        _ values: Values, standardInput: Int32, standardOutput: Int32?
    ) throws(FileConflict) {
        let outputs = values.paths.filter { $0.use == .writes && $0.path != "-" }
        let inputs = values.paths.filter { $0.use != .writes }
        try checkPasswords(in: inputs, standardInput)
        let report = standardOutput.flatMap(FileIdentity.init(of:))
        if let report, let input = inputs.first(where: { identities(of: $0, standardInput).contains(report) }) {
            throw .redirectedInput(name(of: input))
        }
        for (index, output) in outputs.enumerated() {
            guard let target = OutputTarget(output.path) else { continue }
            if let other = outputs[..<index].first(where: { OutputTarget($0.path) == target }) {
                throw .outputOptions(other.location.text, output.location.text)
            }
            // With the name of a descriptor, its user wants both outputs in this file.
            if let report, target == .existing(report), !FilePath.isNameOfDescriptor(output.path) {
                throw .standardOutput(output.location.text)
            }
            for input in inputs {
                guard let identity = identity(of: input, standardInput), target == .existing(identity) else { continue }
                throw .inputOption(output: output.location.text, input: name(of: input))
            }
        }
    }

    private static func identity(of input: GivenPath, _ standardInput: Int32) -> FileIdentity? {
        input.path == "-" ? FileIdentity(of: standardInput) : FileIdentity(at: input.path)
    }

    /// The file of an input, or the files in its folder.
    private static func identities(of input: GivenPath, _ standardInput: Int32) -> [FileIdentity] {
        guard input.path != "-", FileIdentity(ofFolder: input.path) != nil else {
            return [identity(of: input, standardInput)].compactMap(\.self)
        }
        return FilePath.files(inFolder: input.path).compactMap(FileIdentity.init(at:))
    }

    private static func name(of input: GivenPath) -> String {
        input.location.text == "-" ? "standard input" : input.location.text
    }

    private static func checkPasswords(in inputs: [GivenPath], _ standardInput: Int32) throws(FileConflict) {
        for secret in inputs where secret.use == .readsPasswords {
            guard let known = identity(of: secret, standardInput) else { continue }
            // Each command reports by itself that standard input can be read only once.
            let others = inputs.filter { $0.use == .reads && !($0.path == "-" && secret.path == "-") }
            for input in others where identity(of: input, standardInput) == known {
                throw .passwords(secret.location.text, input.location.text)
            }
        }
    }
}
