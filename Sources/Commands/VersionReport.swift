internal import CommandSupport
internal import Encodings
internal import Fetching

/// The output of `pinctl --version --json`.
enum VersionReport {
    static func json() -> [UInt8] {
        var writer = JSONWriter(.pretty)
        writer.object { report in
            report.field("version", ToolVersion.current)
            report.object("openssl") { library in
                library.field("built", TLSLibrary.builtVersion)
                library.field("running", TLSLibrary.runningVersion)
                library.field("keyDecoding", KeyDecoding.current.rawValue)
            }
        }
        writer.endLine()
        return writer.output
    }
}
