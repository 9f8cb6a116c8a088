internal import CSystem

/// Environment variables of a run.
package enum Environment {
    /// Those that the process was started with.
    case process
    /// Exactly these.
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
