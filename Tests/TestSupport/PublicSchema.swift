/// Validation of reports with public schemas and with parsers of other projects.
package enum PublicSchema {
    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    /// Validates with the SARIF 2.1.0 schema of OASIS.
    ///
    /// - Returns: one line for each error.
    package static func errors(inSARIF document: [UInt8]) throws -> String {
        let script = """
            import json, sys, jsonschema
            schema = json.load(open(sys.argv[1]))
            checker = jsonschema.FormatChecker()
            validator = jsonschema.Draft7Validator(schema, format_checker=checker)
            for error in validator.iter_errors(json.load(sys.stdin)):
                print("/".join(map(str, error.absolute_path)) + ": " + error.message)
            """
        return try text(of: [python, "-c", script, try path("sarif-2.1.0.json")], document)
    }

    /// Validates with the schema of Jenkins' xUnit plugin.
    ///
    /// - Returns: the errors that xmllint reports.
    package static func errors(inJUnit document: [UInt8]) throws -> String {
        let command = ["xmllint", "--noout", "--nonet", "--schema", try path("junit-10.xsd"), "-"]
        let outcome = try ChildProcess.run(command, input: document)
        return outcome.end == .exit(0) ? "" : outcome.errors
    }

    /// The samples of a Prometheus text, parsed with Prometheus' client for Python: `NAME{LABEL='VALUE', …} VALUE`.
    package static func samples(inPrometheus text: [UInt8]) throws -> [String] {
        let script = """
            import sys
            from prometheus_client.parser import text_string_to_metric_families as parse
            for family in parse(sys.stdin.buffer.read().decode()):
                assert family.type == "gauge" and family.documentation, family
                for sample in family.samples:
                    print(sample.name, sorted(sample.labels.items()), int(sample.value))
            """
        return try Self.text(of: [python, "-c", script], text).split(separator: "\n").map(String.init)
    }

    /// The Python interpreter for which `Scripts/setup test` installs modules.
    package static let python = "/usr/bin/python3"

    private static func text(of command: [String], _ input: [UInt8]) throws -> String {
        let output = try ChildProcess.output(of: command, input: input)
        return String(decoding: output, as: UTF8.self)
    }

    private static func path(_ name: String) throws -> String {
        let path = Repository.path(".build/schemas/\(name)")
        guard Repository.has(path) else {
            throw Missing(description: "\(path) does not exist: run Scripts/setup test")
        }
        return path
    }
}
