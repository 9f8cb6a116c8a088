package import Encodings
internal import Pinning

/// The frame of a JSON report: a schema and one list whose elements are written one by one.
package enum JSONList {
    package static func start(schema: String, list: String) -> String {
        "{\n  \"schema\": \"\(schema)\",\n  \"\(list)\": [\n"
    }

    package static let separator = ",\n"
    package static let end = "\n  ]\n}\n"

    /// One list element, indented.
    package static func element(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(.pretty, indentedBy: indentation)
        write(&writer)
        return writer.output
    }

    /// One element in compact JSON on its own line.
    package static func line(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(.compact)
        // The result of a host has 3 KB, so the array does not grow.
        writer.output.reserveCapacity(4000)
        write(&writer)
        writer.endLine()
        return writer.output
    }

    private static let indentation = 4
}
