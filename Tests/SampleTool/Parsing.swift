package import Arguments

/// The request in the words after `brew`, if they name a command and are valid.
package func brew(_ arguments: [String]) throws -> Values {
    guard case .command(_, let values) = try SampleTool.tool.parse(arguments) else {
        throw Unexpected(what: "\(arguments) is no command")
    }
    return values
}

package func make(_ arguments: String...) throws -> Values {
    try brew(["make"] + arguments)
}

/// The error of the words after `brew`.
package func refusal(_ arguments: [String]) throws -> ArgumentError {
    do throws(ArgumentError) {
        _ = try SampleTool.tool.parse(arguments)
    } catch {
        return error
    }
    throw Unexpected(what: "\(arguments) is accepted")
}

package struct Unexpected: Error {
    package let what: String
}
