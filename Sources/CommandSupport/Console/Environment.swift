internal import CSystem

/// Environment variables of a run.
package enum Environment {
    /// The environment of the process.
    case process
    /// The given variables and no others.
    case variables([String: String])

    package subscript(name: String) -> String? {
        switch self {
        case .process:
            guard let text = unsafe getenv(name) else { return nil }
            // A string with replaced bytes would name another file.
            return unsafe String(validatingCString: text)
        case .variables(let variables): return variables[name]
        }
    }
}
