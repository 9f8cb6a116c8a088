internal import Encodings

extension SourceReader {
    /// The result of reading the value of a constant.
    enum Evaluation {
        /// - Parameters:
        ///   - height: number of levels of values in the value.
        ///   - count: number of values in it, including itself and the values in constants. Long texts count as several values.
        case value(SourceLiteral.Content, height: Int, count: Int)
        /// The value is too deep at this depth. It can be read where the depth is less.
        case tooDeep(Int)
    }

    struct Limit {
        let problem: PinSetFormatError.File
        /// The index of the token at which the limit was exceeded.
        let index: Int
    }

    static let maximumSharedValues = 1 << 20

    /// Number of strings in the source.
    package var literals: Int {
        source.tokens.count { if case .text = $0.kind { true } else { false } }
    }

    /// Checks that all values were read. Call it after the last value, because the values after a limit are unknown.
    ///
    /// - Throws: ``PinSetFormatError`` if the source exceeds a limit.
    package func checkLimits(as codec: (some PinSetCodec).Type) throws(PinSetFormatError) {
        guard let limit else { return }
        throw codec.error(.file(limit.problem), at: source.position(of: limit.index))
    }

    mutating func exceed(_ problem: PinSetFormatError.File, at index: Int) {
        limit = limit ?? Limit(problem: problem, index: index)
    }

    /// The value of a constant that is used at a token; nil if no such constant is defined.
    ///
    /// The value is read once. All its uses share it, so the time and the memory for a use do not depend on its size.
    mutating func constant(named name: String, at index: Int, depth: Int) -> SourceLiteral.Content? {
        guard let constant = constants[name], let first = constant else { return nil }
        switch evaluations[first] {
        case .value(let content, let height, let count):
            guard depth + 1 + height < Self.maximumDepth else {
                isTooDeep = true
                return .unknown
            }
            sharedValues += count
            guard sharedValues <= Self.maximumSharedValues else {
                exceed(.tooManyConstantValues(maximum: Self.maximumSharedValues), at: index)
                return .unknown
            }
            (valueCount, deepest) = (valueCount + count, max(deepest, depth + 1 + height))
            return content
        case .tooDeep(let limit) where depth >= limit:
            isTooDeep = true
            return .unknown
        case .tooDeep, nil: break
        }
        let (values, outerDeepest, wasTooDeep) = (valueCount, deepest, isTooDeep)
        (deepest, isTooDeep) = (depth + 1, false)
        let content = expression(at: first, depth: depth + 1).content
        evaluations[first] =
            isTooDeep ? .tooDeep(depth) : .value(content, height: deepest - depth - 1, count: valueCount - values)
        (deepest, isTooDeep) = (max(deepest, outerDeepest), isTooDeep || wasTooDeep)
        return content
    }
}
