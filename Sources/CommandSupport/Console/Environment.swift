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
            return unsafe String(cString: text)
        case .variables(let variables): return variables[name]
        }
    }
}
