import Encodings
import Pinning

// Seeds: *.pem *.b64

/// PEM, block by block. The blocks are in order and within the text.
enum PEMTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        var number = 0
        var line = 0
        for result in PEM.blocks(in: bytes) {
            guard case .success(let block) = result else { continue }
            precondition(block.number > number && block.line >= line)
            precondition(block.source.upperBound <= bytes.count)
            precondition(block.bytes.count <= block.source.count)
            (number, line) = (block.number, block.line)
            if let der = block.certificateBytes { _ = try? Certificate(der: der) }
        }
    }
}
