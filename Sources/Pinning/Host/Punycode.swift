/// The encoding of Unicode in host names (RFC 3492).
enum Punycode {
    // The parameters of section 5.
    private static let base: UInt32 = 36
    private static let tMin: UInt32 = 1
    private static let tMax: UInt32 = 26
    private static let skew: UInt32 = 38
    private static let damp: UInt32 = 700
    private static let initialBias: UInt32 = 72
    private static let initialN: UInt32 = 0x80

    /// Maximum number of characters of a label. Longer labels do not fit DNS, and encoding takes quadratic time.
    private static let maximumInputLength = 256

    /// Encodes one label, without the prefix `xn--` (section 6.3); nil if the label is too long.
    static func encode(_ label: [Unicode.Scalar]) -> String? {
        guard label.count <= maximumInputLength else { return nil }
        var output = label.filter { $0.value < 0x80 }.map { UInt8(truncatingIfNeeded: $0.value) }
        var handled = UInt32(output.count)
        let basicCount = handled
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var n = initialN
        var delta: UInt32 = 0
        var bias = initialBias
        while handled < label.count {
            guard let next = label.lazy.map(\.value).filter({ $0 >= n }).min() else { return nil }
            let (step, overflows) = (next - n).multipliedReportingOverflow(by: handled + 1)
            guard !overflows, delta <= UInt32.max - step else { return nil }
            delta += step
            n = next
            for scalar in label {
                if scalar.value < n { delta += 1 }
                guard scalar.value == n else { continue }
                append(delta, bias: bias, to: &output)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            n += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Decodes one label, without the prefix `xn--` (section 6.2); nil if it is not the encoding of a label.
    static func decode(_ text: some StringProtocol) -> [Unicode.Scalar]? {
        let bytes = Array(text.utf8)
        guard bytes.count <= maximumInputLength, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        let end = bytes.lastIndex(of: UInt8(ascii: "-"))
        var output = bytes.prefix(end ?? 0).map { Unicode.Scalar($0) }
        var rest = bytes.dropFirst(end.map { $0 + 1 } ?? 0)[...]
        var n = initialN
        var index: UInt32 = 0
        var bias = initialBias
        while !rest.isEmpty {
            let old = index
            var weight: UInt32 = 1
            var position = base
            while true {
                guard let digit = rest.popFirst().flatMap(value(of:)) else { return nil }
                let (step, overflows) = digit.multipliedReportingOverflow(by: weight)
                guard !overflows, index <= UInt32.max - step else { return nil }
                index += step
                let threshold = position <= bias ? tMin : min(tMax, position - bias)
                guard digit >= threshold else { break }
                let (next, isTooLarge) = weight.multipliedReportingOverflow(by: base - threshold)
                guard !isTooLarge else { return nil }
                weight = next
                position += base
            }
            let count = UInt32(output.count) + 1
            bias = adapted(index - old, count: count, isFirst: old == 0)
            guard n <= UInt32.max - index / count else { return nil }
            n += index / count
            index %= count
            guard let scalar = Unicode.Scalar(n) else { return nil }
            output.insert(scalar, at: Int(index))
            index += 1
        }
        return output
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit) - 97
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit) - 65
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit) - 48 + 26
        default: nil
        }
    }

    /// Appends a number of variable length. The bias determines the threshold of each digit.
    private static func append(_ delta: UInt32, bias: UInt32, to output: inout [UInt8]) {
        var rest = delta
        var position = base
        while true {
            let threshold = position <= bias ? tMin : min(tMax, position - bias)
            guard rest >= threshold else { break }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            position += base
        }
        output.append(digit(rest))
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 26 ? value + 97 : value - 26 + 48)
    }

    private static func adapted(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / count
        var result: UInt32 = 0
        while delta > (base - tMin) * tMax / 2 {
            delta /= base - tMin
            result += base
        }
        return result + (base - tMin + 1) * delta / (delta + skew)
    }
}
