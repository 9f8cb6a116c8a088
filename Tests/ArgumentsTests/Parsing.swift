import Arguments
import Testing

/// The request of the words after `brew`, if they name a command and are valid.
func brew(_ arguments: [String]) throws -> Values {
    guard case .command(_, let values) = try SampleTool.tool.parse(arguments) else {
        throw Unexpected(what: "\(arguments) is no command")
    }
    return values
}

func make(_ arguments: String...) throws -> Values {
    try brew(["make"] + arguments)
}

/// The error of the words after `brew`.
func refusal(_ arguments: [String]) throws -> ArgumentError {
    do throws(ArgumentError) {
        _ = try SampleTool.tool.parse(arguments)
    } catch {
        return error
    }
    throw Unexpected(what: "\(arguments) is accepted")
}

struct Unexpected: Error {
    let what: String
}

/// An invalid line with its error message and hint.
struct Refused: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    let message: String
    let hint: String?

    init(_ arguments: [String], _ message: String, _ hint: String?) {
        self.arguments = arguments
        self.message = message
        self.hint = hint
    }

    var testDescription: String { arguments.joined(separator: " ") }

    func check(_ location: SourceLocation = #_sourceLocation) throws {
        let error = try refusal(arguments)
        #expect(error.message == message, sourceLocation: location)
        #expect(error.hint == hint, sourceLocation: location)
    }
}
