package import Foundation
package import Pinning

/// Certificates with several possible paths, which openssl creates once for each run of the tests.
///
/// All certificates of the CA "Path CA" have one name and one key. Only some of them lead from a leaf to the root.
package struct PathCertificates {
    package static func shared() throws -> PathCertificates { try made.get() }

    private static let made = Result<PathCertificates, any Error> { try PathCertificates() }

    package let folder: URL

    private init() throws {
        folder = Self.root
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Shell.run(Self.script, in: folder)
    }

    private static let root: URL = {
        atexit { try? FileManager.default.removeItem(at: PathCertificates.root) }
        return FileManager.default.temporaryDirectory.appending(path: "pinctl-paths-\(UUID().uuidString)")
    }()

    package func der(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: name + ".der")))
    }

    package func certificate(_ name: String) throws -> Certificate { try Certificate(der: der(name)) }

    /// Validates a chain to the root, without the system's trust store.
    package func chain(
        _ served: [String], to anchors: [String] = ["root"], for host: String? = "www.example.test",
        at time: Timestamp? = nil
    ) throws -> CertificateChain {
        try CertificateChain(
            validating: served.map { try certificate($0) }, to: TrustAnchors(anchors.map { try certificate($0) }),
            for: host.map { $0.first == "1" ? .address($0) : .name($0) }, at: time
        )
    }

    /// Whether "openssl verify" accepts a leaf with these other certificates, in this order.
    package func isAcceptedByOpenSSL(_ leaf: String, with others: [String]) throws -> Bool {
        let bundle = others.isEmpty ? "root.pem" : "bundle-\(UUID().uuidString)"
        let copy = others.isEmpty ? "" : "cat \(others.map { $0 + ".pem" }.joined(separator: " ")) >\(bundle);"
        let options = "-no-CApath -no-CAstore -purpose sslserver -auth_level 2 -CAfile root.pem -untrusted \(bundle)"
        return try Shell.run("\(copy) openssl verify \(options) \(leaf).pem 2>&1 || true", in: folder).hasSuffix(
            ": OK\n")
    }

    private static let script = #"""
        exec 2>log
        cat >ca.cnf <<CNF
        [req]
        distinguished_name = name
        [name]
        [ca]
        default_ca = test
        [test]
        database = index.txt
        new_certs_dir = .
        rand_serial = yes
        unique_subject = no
        email_in_dn = no
        policy = any
        [any]
        commonName = optional
        CNF
        : >index.txt
        key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out $1.key; }
        from=20200101000000Z until=20491231235959Z digest=sha256
        # sign NAME KEY COMMON-NAME ISSUER ISSUER-KEY EXTENSIONS
        sign() {
            printf "[e]\n$6" >$1.ext
            openssl req -new -key $2.key -subj "/CN=$3" -config ca.cnf -out $1.csr
            by="-cert $4.pem -keyfile $5.key"
            [ $4 != - ] || by="-selfsign -keyfile $5.key"
            openssl ca -batch -notext -config ca.cnf $by -md $digest -startdate $from -enddate $until \
                -extfile $1.ext -extensions e -in $1.csr -out $1.pem
            openssl x509 -in $1.pem -outform DER -out $1.der
        }
        key root; key old; key ca; key sub; key leaf
        openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.key
        sign=keyUsage=critical,keyCertSign
        is_ca="basicConstraints=critical,CA:TRUE\n$sign\nsubjectKeyIdentifier=hash\n"
        not_ca="basicConstraints=critical,CA:FALSE\nsubjectKeyIdentifier=hash\n"
        sign root root "Path Root" - root "$is_ca"
        sign old-root old "Path Old Root" - old "$is_ca"
        sign root-namesake old "Path Root" - old "$is_ca"
        sign root-by-old root "Path Root" old-root old "$is_ca"
        sign old-root-by-root old "Path Old Root" root root "$is_ca"

        ca() { sign $1 ca "Path CA" ${3:-root} ${4:-root} "$2"; }
        ca ca "$is_ca"
        ca ca-by-old "$is_ca" old-root old
        ca ca-not-ca "$not_ca"
        ca ca-without-basic-constraints "$sign\n"
        ca ca-without-key-usage-for-certificates "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,cRLSign\n"
        ca ca-for-clients "${is_ca}extendedKeyUsage=clientAuth\n"
        ca ca-permitting-other "${is_ca}nameConstraints=critical,permitted;DNS:other.test\n"
        ca ca-permitting-test "${is_ca}nameConstraints=critical,permitted;DNS:test\n"
        ca ca-permitting-dot "${is_ca}nameConstraints=critical,permitted;DNS:.example.test\n"
        ca ca-excluding-bar "${is_ca}nameConstraints=critical,excluded;DNS:BAR.example.test\n"
        ca ca-excluding-bad "${is_ca}nameConstraints=critical,excluded;DNS:bad.example.test\n"
        ca ca-empty-constraints "${is_ca}nameConstraints=critical,DER:3000\n"
        ca ca-empty-lists "${is_ca}nameConstraints=critical,DER:3004a000a100\n"
        ca ca-bad-mask "${is_ca}nameConstraints=critical,DER:300ea10c300a87080a000000ff00ff00\n"
        ca ca-bad-range "${is_ca}nameConstraints=critical,DER:300ba109300787050a000000ff\n"
        ca ca-bad-name "${is_ca}nameConstraints=critical,DER:300aa10830068204612e2e62\n"
        ca ca-wildcard "${is_ca}nameConstraints=critical,excluded;DNS:*.example.com\n"
        ca ca-bad-mailbox "${is_ca}nameConstraints=critical,DER:3009a10730058103610062\n"
        ca ca-bad-uri "${is_ca}nameConstraints=critical,excluded;URI:http://x\n"
        ca ca-bad-extension "${is_ca}subjectAltName=DER:0500\n"
        sign ca-rsa rsa "Path CA" root root "$is_ca"
        digest=sha1; ca ca-sha1 "$is_ca"; digest=sha256
        until=20210101000000Z; ca ca-expired "$is_ca"; until=20491231235959Z
        from=20400101000000Z; ca ca-of-tomorrow "$is_ca"; from=20200101000000Z

        sub() { sign $1 sub "Path Sub CA" ${3:-ca} ca "$2"; }
        sub sub "$is_ca"
        sub sub-not-ca "$not_ca"
        until=20210101000000Z; sub sub-expired "$is_ca"; until=20491231235959Z

        leaf() { sign $1 leaf "$4" $2 ${2%%-*} "${not_ca}extendedKeyUsage=serverAuth\n$3"; }
        leaf leaf ca "subjectAltName=DNS:www.example.test\n"
        leaf leaf-by-sub sub "subjectAltName=DNS:www.example.test\n"
        leaf leaf-wildcard ca "subjectAltName=DNS:*.example.test\n"
        leaf leaf-common-name ca "subjectAltName=IP:127.0.0.1\n" bad.example.test
        leaf leaf-bad-extension ca "subjectAltName=DER:0500\n"
        leaf leaf-other-key-identifier ca \
            "authorityKeyIdentifier=DER:301680140000000000000000000000000000000000000000\nsubjectAltName=DNS:www.example.test\n"
        leaf leaf-without-key-identifier ca "authorityKeyIdentifier=none\nsubjectAltName=DNS:www.example.test\n"
        leaf leaf-with-serial ca "authorityKeyIdentifier=issuer:always\nsubjectAltName=DNS:www.example.test\n"
        leaf leaf-critical ca "1.2.3.4=critical,DER:0500\nsubjectAltName=DNS:www.example.test\n"
        until=20300101000000Z
        leaf leaf-of-a-decade ca "subjectAltName=DNS:www.example.test\n"
        ca ca-of-a-decade "$is_ca"
        until=20491231235959Z

        list() { for i in $(seq 1100); do printf "$1.$i = $2$i.test\n"; done; }
        ca ca-with-many-constraints "${is_ca}nameConstraints=@names\n[names]\n$(list 'excluded;DNS' a)\n"
        leaf leaf-with-many-names ca "subjectAltName=@names\n[names]\nDNS.0=www.example.test\n$(list DNS b)\n"
        """#
}
