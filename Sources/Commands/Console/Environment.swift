internal import CSystem

/// The variables that the process was started with.
enum Environment {
    static func value(of name: String) -> String? {
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe String(cString: text)
    }
}
