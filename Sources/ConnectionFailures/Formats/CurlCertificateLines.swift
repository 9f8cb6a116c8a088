internal import Encodings

/// The lines about certificates in the output of `curl --verbose`, for all errors of a log.
struct CurlCertificateLines {
    /// The indices of lines that begin a certificate or another run of curl.
    private var starts: [Int] = []
    /// The indices of lines with a field that follows the subject.
    private var fields: [Int] = []

    init(_ log: LogText) {
        for (index, line) in log.lines.enumerated() {
            if ["* Server certificate:", "* Proxy certificate:", "curl "].contains(where: line.contains) {
                starts.append(index)
            } else if ["start date: ", "expire date: ", "issuer: "].contains(where: { line.curlField($0) != nil }) {
                fields.append(index)
            }
        }
    }

    /// Whether other fields of the certificate follow a line, before the next certificate. curl writes its error last, so an error at this
    /// line is a part of a name with line feeds.
    func continues(after index: Int) -> Bool {
        guard let field = Self.next(in: fields, after: index) else { return false }
        return Self.next(in: starts, after: index).map { field < $0 } ?? true
    }

    private static func next(in indices: [Int], after index: Int) -> Int? {
        var (low, high) = (0, indices.count)
        while low < high {
            let middle = (low + high) / 2
            if indices[middle] > index { high = middle } else { low = middle + 1 }
        }
        return low < indices.count ? indices[low] : nil
    }
}
