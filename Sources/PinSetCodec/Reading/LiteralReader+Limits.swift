internal import Encodings
internal import PropertyLists

/// The limits for constants and repetitions, without which a short text could take any amount of time.
extension LiteralReader {
    /// Counts bytes that were read more than once.
    mutating func addRepeated(_ count: Int) {
        repeated += max(1, count)
        guard repeated >= maximumRepeated else { return }
        _ = exceed(.tooManyRepetitions(maximum: maximumRepeated, of: .bytes), at: offset)
    }

    /// The error of the first limit that was exceeded.
    mutating func exceed(_ limit: PinSetFormatError.File, at start: Int) -> PinSetFormatError {
        let error =
            limitError ?? PinSetFormatError(.file(limit), format: format, at: SourcePosition(of: start, in: bytes))
        limitError = error
        return error
    }

    /// - Throws: if a limit was exceeded, or if the arrays of the values have more texts than the file has strings, by more than
    ///   ``SharedPinCount/maximum``.
    mutating func checkLimits(of values: [PropertyListValue]) throws(PinSetFormatError) {
        if let limitError { throw limitError }
        func texts(in value: PropertyListValue) -> Int {
            switch value.content {
            case .array(let values): values.reduce(0) { $0 + ($1.string == nil ? texts(in: $1) : 1) }
            case .dictionary(let members): members.reduce(0) { $0 + texts(in: $1.value) }
            default: 0
            }
        }
        guard values.reduce(0, { $0 + texts(in: $1) }) <= literals + SharedPinCount.maximum else {
            let error = PinSetFormatError(.file(.tooManySharedPins), format: format)
            limitError = error
            throw error
        }
    }
}
