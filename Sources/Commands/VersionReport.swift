internal import CommandSupport
internal import Encodings
internal import Fetching

/// The output of `pinctl --version`.
enum VersionReport {
    static func text() -> String {
        let commit = ToolVersion.commit.map { " (\($0))" } ?? ""
        let built =
            TLSLibrary.builtVersion == TLSLibrary.runningVersion ? "" : ", built with \(TLSLibrary.builtVersion)"
        return "pinctl \(ToolVersion.current)\(commit)\nOpenSSL \(TLSLibrary.runningVersion)\(built)\n"
    }

    static func json() -> [UInt8] {
        var writer = JSONWriter(.pretty)
        writer.object { report in
            report.field("version", ToolVersion.current)
            report.field("commit", ToolVersion.commit)
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
