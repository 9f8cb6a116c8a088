import Foundation
import TestSupport
import Testing

/// Runs pinctl with a library that interferes with one of its system calls (Tests/FaultInjection/faults.c).
struct FaultInjection {
    enum Action: Equatable, Sendable {
        /// The call fails with this errno.
        case failure(Int32)
        /// A write(2) writes half of its bytes.
        case shortWrite
        /// SIGKILL before or after the call.
        case killBefore, killAfter
        /// Before the call, an editor replaces the target by a rename, or appends to the target.
        case replace(edit: String, target: String)
        case append(edit: String, target: String)
        /// Before the call, an editor tries to open the target. After the call it opens the target and appends to it.
        case lateAppend(edit: String, target: String)
    }

    static let isSupported: Bool = {
        #if os(Linux)
            return true
        #else
            return false
        #endif
    }()

    private static let library = Result<String, any Error> {
        let folder = try TemporaryFolder("faults")
        let source = Repository.path("Tests/FaultInjection/faults.c")
        _ = try ChildProcess.output(of: ["clang", "-shared", "-fPIC", "-o", folder.path("faults.so"), source, "-ldl"])
        return folder.path("faults.so")
    }

    /// Compiles a library that replaces name resolution (Tests/FaultInjection/lookup.c).
    static func lookUpLibrary(in folder: TemporaryFolder) throws -> String {
        let source = Repository.path("Tests/FaultInjection/lookup.c")
        let library = folder.path("lookup.so")
        _ = try ChildProcess.output(of: ["clang", "-shared", "-fPIC", "-o", library, source, "-ldl"])
        return library
    }

    /// The folder in which calls are counted.
    let folder: TemporaryFolder

    private var variables: [String: String] {
        get throws {
            let path = folder.path.hasSuffix("/") ? String(folder.path.dropLast()) : folder.path
            return TestEnvironment.base.merging(["LD_PRELOAD": try Self.library.get(), "FAULT_FOLDER": path]) { $1 }
        }
    }

    /// The names of the calls of a run on files in the folder.
    func calls(of arguments: [String]) throws -> (calls: [String], outcome: ChildProcess.Outcome) {
        let outside = try TemporaryFolder("log")
        defer { outside.remove() }
        let outcome = try ChildProcess.run(
            [PinctlRun.executable] + arguments,
            environment: variables.merging(["FAULT_LOG": outside.path("log")]) { $1 })
        return (try outside.text("log").split(separator: "\n").map(String.init), outcome)
    }

    func run(_ arguments: [String], _ action: Action, at number: Int) throws -> ChildProcess.Outcome {
        var faults = ["FAULT_AT": "\(number)"]
        switch action {
        case .failure(let code): faults["FAULT_ACTION"] = "\(code)"
        case .shortWrite: faults["FAULT_ACTION"] = "short"
        case .killBefore: faults["FAULT_ACTION"] = "kill"
        case .killAfter: faults["FAULT_ACTION"] = "killed"
        case .replace(let edit, let target):
            faults.merge(["FAULT_ACTION": "replace", "FAULT_EDIT": edit, "FAULT_TARGET": target]) { $1 }
        case .append(let edit, let target):
            faults.merge(["FAULT_ACTION": "append", "FAULT_EDIT": edit, "FAULT_TARGET": target]) { $1 }
        case .lateAppend(let edit, let target):
            faults.merge(["FAULT_ACTION": "late", "FAULT_EDIT": edit, "FAULT_TARGET": target]) { $1 }
        }
        return try ChildProcess.run([PinctlRun.executable] + arguments, environment: variables.merging(faults) { $1 })
    }
}
