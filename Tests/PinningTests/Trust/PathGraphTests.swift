import TestSupport
import Testing

@testable import Pinning

/// The search for all paths through many certificates.
struct PathGraphTests {
    /// Each of 10 CAs has 4 certificates, so there are 4^10 paths. The server sends each certificate 16 times.
    @Test(.notWithSanitizer) func aMeshOfCertificatesTakesLittleWork() throws {
        let folder = try TemporaryFolder("mesh")
        defer { folder.remove() }
        try Shell.run(
            """
            openssl ecparam -name prime256v1 -genkey -noout -out key
            openssl req -x509 -key key -subj /CN=0 -days 9 -outform DER -out root
            echo basicConstraints=critical,CA:TRUE >extensions
            issue() {
                serial=$((serial + 1))
                openssl x509 -req -in request -CA "$issuer" -CAkey key -set_serial $serial -days 9 -extfile extensions \
                    -outform DER -out "$1" 2>/dev/null
            }
            serial=0
            issuer=root
            for level in 1 2 3 4 5 6 7 8 9 10; do
                openssl req -new -key key -subj "/CN=$level" -out request
                for number in 1 2 3 4; do issue $level-$number; done
                issuer=$level-1
            done
            openssl req -new -key key -subj /CN=www.example.test -out request
            echo subjectAltName=DNS:www.example.test >extensions
            issue leaf
            """, in: folder.url)
        func certificate(_ file: String) throws -> Certificate { try Certificate(der: folder.bytes(file)) }
        let anchors = TrustAnchors([try certificate("root")])
        var mesh: [Certificate] = []
        for level in 1...10 { for number in 1...4 { mesh.append(try certificate("\(level)-\(number)")) } }
        let served = try [certificate("leaf")] + Array(repeating: mesh, count: 16).flatMap(\.self)
        func validate(findingAllPaths: Bool) throws -> CertificateChain {
            // The limit of the effort is for release builds.
            try ChainValidator(
                TrustSource(anchors: anchors), at: nil, findingAllPaths: findingAllPaths, maximumEffort: .seconds(60)
            ).validate(der: served.map(\.der), for: .name("www.example.test"))
        }
        let chain = try validate(findingAllPaths: true)
        #expect(chain.isTrusted && chain.validPaths?.isComplete == false)
        #expect(chain.validPaths?.paths.count == PathEnumeration.maximumPaths)
        // A path that was not searched can contain other certificates.
        let leaf = try certificate("leaf")
        #expect(chain.validPaths?.commonKeys.map(\.certificate) == [leaf])
        #expect(chain.validPaths?.haveInCommon(leaf) == true)
        try #expect(chain.validPaths?.haveInCommon(certificate("root")) == false)
        let growth = try Work.growth {
            _ = try validate(findingAllPaths: false)
        } large: {
            _ = try validate(findingAllPaths: true)
        }
        #expect(growth < 20)
    }
}
