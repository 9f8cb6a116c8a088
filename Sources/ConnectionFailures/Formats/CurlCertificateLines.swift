internal import Encodings

/// The lines about certificates in the output of `curl --verbose`, for all errors of a log.
struct CurlCertificateLines {
    /// The indices of lines that begin a certificate: two lines with a heading and the subject.
    private var starts: [Int] = []
    /// The indices of lines that follow the subject.
    private var fields: [Int] = []

    private static let headings = ["* Server certificate:", "* Proxy certificate:"]
    private static let names = [
        "start date: ", "expire date: ", "issuer: ", "subjectAltName: ", "SSL certificate verif",
        "public key hash: ", "Certificate level ",
    ]

    init(_ log: LogText) {
        for (index, line) in log.lines.enumerated() where line.contains("* ") {
            if Self.headings.contains(where: line.contains) {
                let next = log.lines.dropFirst(index + 1).prefix(2)
                if next.contains(where: { $0.curlField("subject: ") != nil }) { starts.append(index) }
            } else if line.contains("* SSL certificate verif")
                || Self.names.contains(where: { line.curlField($0) != nil })
            {
                fields.append(index)
            }
        }
    }

    /// Whether other fields of the certificate follow a line, before the next certificate. curl writes its error last, so an error at this
    /// line is a part of a name with line feeds. A name that also contains the start of a certificate is not found.
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
