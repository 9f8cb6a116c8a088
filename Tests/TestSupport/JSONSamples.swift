import Foundation

/// JSON that pinctl wrote in the tests, kept for `Scripts/check-json`, which validates it with the published schema.
///
/// `Scripts/test` sets the variable `PINCTL_JSON_SAMPLES`; without it, nothing is kept.
package enum JSONSamples {
    /// Larger documents are not kept. They come from tests of many hosts, whose objects are all alike.
    private static let maximumLength = 1 << 20

    private static let folder = ProcessInfo.processInfo.environment["PINCTL_JSON_SAMPLES"]

    /// Keeps the standard output of a run that printed JSON and was not stopped early.
    package static func record(_ arguments: [String], status: Int32?, output: [UInt8]) {
        guard let folder, let status, (0...3).contains(status), !output.isEmpty, output.count <= maximumLength,
            output.last == UInt8(ascii: "\n"), let format = format(of: arguments), let command = arguments.first
        else { return }
        let name = "\(command.hasPrefix("-") ? "version" : command).\(UUID().uuidString).\(format)"
        try? Data(output).write(to: URL(filePath: folder).appending(path: name))
    }

    private static func format(of arguments: [String]) -> String? {
        if arguments.contains("--version"), arguments.contains("--json") { return "json" }
        for format in ["json", "ndjson"] {
            let follows = zip(arguments, arguments.dropFirst()).contains { option, value in
                (option == "--format" || option == "-f") && value == format
            }
            if follows || arguments.contains("--format=\(format)") || arguments.contains("-f\(format)") {
                return format
            }
        }
        return nil
    }
}
