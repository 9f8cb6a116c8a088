internal import Encodings
package import Foundation
package import Pinning
package import Testing

/// The files of Tests/Vectors.
package enum Vectors {
    package static let folder = Repository.url.appending(path: "Tests/Vectors")

    package static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: "material").appending(path: name)))
    }

    /// The fields of each line of a tab-separated file, without comments.
    package static func table(_ name: String) -> [[String]] {
        guard let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8) else { return [] }
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    }

    /// The objects that each file contains, as recorded by Tests/Vectors/make-material.sh.
    package struct Expectation: CustomTestStringConvertible, Sendable {
        package let file: String
        package let number: Int
        package let kind: String
        package let pin: String
        /// Base64 of the SHA-256 of the whole certificate; `-` for other objects.
        package let certificateDigest: String

        package var testDescription: String { "\(file)#\(number)" }
    }

    package static let expectations: [Expectation] = table("material/expected.tsv").compactMap { fields in
        guard fields.count == 5, let number = Int(fields[1]) else { return nil }
        return Expectation(
            file: fields[0], number: number, kind: fields[2], pin: fields[3], certificateDigest: fields[4])
    }

    /// Files that contain one DER certificate.
    package static let certificates = expectations.filter { $0.kind == "certificate" && $0.file.hasSuffix(".der") }

    package static func certificate(_ name: String) throws -> Certificate {
        try Certificate(der: try bytes("cert-\(name).der"))
    }
}

/// The CA certificates of this machine, if it has Debian's.
package enum SystemCertificates {
    package static let folder = URL(filePath: "/usr/share/ca-certificates/mozilla")
    package static let bundle = URL(filePath: "/etc/ssl/certs/ca-certificates.crt")

    package static let names: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? [])
        .filter { $0.hasSuffix(".crt") }.map { String($0.dropLast(4)) }.sorted()

    package static let missing: Comment = "no CA certificates in /usr/share/ca-certificates/mozilla"

    package static func text(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: "\(name).crt")))
    }

    package static func certificate(_ name: String) throws -> Certificate {
        let blocks = Array(PEM.blocks(in: try text(name)))
        return try Certificate(der: try #require(blocks.first).get().bytes)
    }
}
