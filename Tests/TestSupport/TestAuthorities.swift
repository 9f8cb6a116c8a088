internal import Encodings
package import Foundation
package import Pinning

/// The certificates of Scripts/pki, and revocation lists, OCSP responses and their signers, which openssl creates.
package struct TestAuthorities {
    package static func shared() throws -> TestAuthorities { try made.get() }

    private static let made = Result<TestAuthorities, any Error> { try TestAuthorities() }

    package let folder: URL

    private init() throws {
        folder = Self.root
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Shell.run("\"$SCRIPTS/pki\" .", in: folder)
        try Shell.run(Self.script, in: folder)
    }

    private static let root: URL = {
        atexit { try? FileManager.default.removeItem(at: TestAuthorities.root) }
        return FileManager.default.temporaryDirectory.appending(path: "pinctl-authorities-\(UUID().uuidString)")
    }()

    // Revoked: the leaf leaf-api and the intermediate intermediate-rsa.
    private static let script = """
        exec 2>log
        cat >authority.cnf <<CNF
        [ca]
        default_ca = list
        [list]
        database = index-\\$ENV::OF.txt
        default_md = sha256
        crlnumber = number-\\$ENV::OF.txt
        [responder]
        keyUsage = critical, digitalSignature
        extendedKeyUsage = OCSPSigning
        CNF
        for OF in root root-rsa intermediate intermediate-rsa; do
            export OF
            : >index-$OF.txt; echo 01 >number-$OF.txt
            ca="openssl ca -batch -config authority.cnf -keyfile $OF.key -cert $OF.pem"
            case $OF in
            intermediate) $ca -valid leaf.pem; $ca -revoke leaf-api.pem ;;
            root) $ca -valid intermediate.pem ;;
            root-rsa) $ca -revoke intermediate-rsa.pem ;;
            esac
            $ca -gencrl -crldays 30 -out $OF.crl.pem
            openssl crl -in $OF.crl.pem -outform DER -out $OF.crl.der
        done
        responder() { # NAME ISSUER
            openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $1.key -subj /CN=$1 -out $1.csr
            openssl x509 -req -in $1.csr -CA $2.pem -CAkey $2.key -days 300 -extfile authority.cnf \\
                -extensions responder -out $1.pem
        }
        export OF=intermediate
        responder responder intermediate
        responder other-responder root
        respond() { # NAME SIGNER LEAF OPTIONS
            openssl ocsp $4 -issuer intermediate.pem -cert $3.pem -no_nonce -reqout $1.request
            openssl ocsp -index index-intermediate.txt -CA intermediate.pem -rsigner $2.pem -rkey $2.key -ndays 7 \\
                -reqin $1.request -respout $1.ocsp
        }
        respond good intermediate leaf
        respond good-256 intermediate leaf -sha256
        respond delegated responder leaf
        respond revoked intermediate leaf-api
        respond unknown intermediate leaf-www
        respond by-leaf leaf leaf
        respond by-other other-responder leaf
        openssl ocsp -issuer intermediate.pem -cert leaf.pem -no_nonce -reqout endless.request
        openssl ocsp -index index-intermediate.txt -CA intermediate.pem -rsigner intermediate.pem \\
            -rkey intermediate.key -reqin endless.request -respout endless.ocsp
        """

    package func bytes(_ file: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: folder.appending(path: file))) }

    package func certificate(_ name: String) throws -> Certificate { try Certificate(der: bytes(name + ".der")) }

    package func certificates(_ file: String) throws -> [Certificate] {
        try TrustAnchors(file: bytes(file)).certificates
    }

    package func anchors(_ names: String...) throws -> TrustAnchors {
        TrustAnchors(try names.map { try certificate($0) })
    }

    package func list(_ name: String) throws -> RevocationList { try RevocationList(der: bytes(name + ".crl.der")) }

    /// The trust of a server with this chain, for a client that trusts both test roots.
    package func trust(
        _ file: String, anchors: TrustAnchors? = nil, staple: String? = nil, days: Int64 = 0
    ) throws -> ServerTrust {
        ServerTrust(
            certificates: try certificates(file), anchors: try anchors ?? self.anchors("root", "root-rsa"),
            stapledResponse: try staple.map { try bytes($0 + ".ocsp") }, at: Self.moment(days: days)
        )
    }

    /// The current time plus this number of days. The dates of lists and responses come from the machine's clock.
    package static func moment(days: Int64 = 0) -> Timestamp {
        Timestamp(secondsSince1970: Int64(Date().timeIntervalSince1970) + days * 86_400)
    }
}

extension ServerTrustEvaluator {
    /// The reason of the refusal; nil if the evaluator accepts the chain.
    package func refusal(_ trust: ServerTrust, _ host: String = "localhost") -> ServerTrustError? {
        do throws(ServerTrustError) {
            try evaluate(trust, forHost: host)
            return nil
        } catch {
            return error
        }
    }

    package func accepts(_ trust: ServerTrust, _ host: String = "localhost") -> Bool { refusal(trust, host) == nil }
}
