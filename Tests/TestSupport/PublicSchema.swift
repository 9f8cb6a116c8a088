/// What others say of a report: public schemas, and parsers that are not ours.
package enum PublicSchema {
    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    /// By OASIS's schema of SARIF 2.1.0.
    ///
    /// - Returns: a line for each thing that is wrong.
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

    /// By the schema of Jenkins' xUnit plugin.
    ///
    /// - Returns: what xmllint has against it.
    package static func errors(inJUnit document: [UInt8]) throws -> String {
        let command = ["xmllint", "--noout", "--nonet", "--schema", try path("junit-10.xsd"), "-"]
        let outcome = try ChildProcess.run(command, input: document)
        return outcome.end == .exit(0) ? "" : outcome.errors
    }

    /// Every sample of Prometheus text, by Prometheus's own client for Python: `NAME{LABEL='VALUE', …} VALUE`.
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

    /// The Python that `Scripts/setup test` installs modules for.
    private static let python = "/usr/bin/python3"

    private static func text(of command: [String], _ input: [UInt8]) throws -> String {
        let output = try ChildProcess.output(of: command, input: input)
        return String(decoding: output, as: UTF8.self)
    }

    private static func path(_ name: String) throws -> String {
        let path = Repository.path(".build/schemas/\(name)")
        guard Repository.has(path) else {
            throw Missing(description: "there is no \(path): run Scripts/setup test")
        }
        return path
    }
}
