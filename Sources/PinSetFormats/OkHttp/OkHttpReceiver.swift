/// The type of the object whose `add` a call uses, as far as the source code shows it.
enum OkHttpReceiver: Equatable {
    /// A `CertificatePinner.Builder`.
    case builder
    /// An object of another type, with the name of the type.
    case other(String)
    /// An object whose type the file does not show.
    case unknown
}

/// The names that a file gives to types: imports, aliases and declarations.
struct OkHttpTypeNames {
    /// Names of `CertificatePinner`.
    var pinners: Set<String> = ["CertificatePinner"]
    /// Other names of `CertificatePinner.Pin`.
    var pins: Set<String> = []
    /// Names of `CertificatePinner.Builder` without a dot.
    var builders: Set<String> = []
    /// Names of classes, interfaces and objects that the file declares.
    var declared: Set<String> = []
    /// Names of functions that the file declares. In Kotlin, a call of a function can look like a constructor.
    var functions: Set<String> = []
    /// The names of the types that these functions return, or nil if they are not known.
    var results: [String: [String]?] = [:]
    /// Type parameters and other names whose type is not known.
    var unknown: Set<String> = ["Builder", "Any", "Object"]

    /// The type with a name of one or more words.
    func receiver(_ path: [String]) -> OkHttpReceiver {
        guard let last = path.last, last.first?.isUppercase == true else { return .unknown }
        if path.count > 1, last == "Builder", pinners.contains(path[path.count - 2]) { return .builder }
        if path.count == 1, builders.contains(last) { return .builder }
        if declared.contains(last) { return .other(path.joined(separator: ".")) }
        // One letter is the name of a type parameter.
        if path.count == 1, last.utf8.count == 1 || unknown.contains(last) { return .unknown }
        return pinners.contains(last) ? .unknown : .other(path.joined(separator: "."))
    }

    /// Adds the name that an import or an alias gives to a type.
    mutating func add(_ path: [String], as name: String?) {
        guard let last = path.last else { return }
        if last == "CertificatePinner" { pinners.insert(name ?? last) }
        guard path.count > 1, pinners.contains(path[path.count - 2]) else { return }
        if last == "Builder" { builders.insert(name ?? last) }
        if last == "Pin", let name { pins.insert(name) }
        // All members of the class.
        if last == "*" { builders.insert("Builder") }
    }
}
