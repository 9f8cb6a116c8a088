package import Encodings

/// Names of object identifiers in certificates, as the documents that define them spell them.
package enum ObjectName {
    /// The name of an extension; nil if pinctl does not know it.
    ///
    /// RFC 5280, section 4.2; RFC 6960, section 4.2.2.2.1; RFC 6962, sections 3.1 and 3.3; RFC 7633.
    package static func ofExtension(_ type: OID) -> String? {
        switch type.dotted {
        case "2.5.29.9": "subjectDirectoryAttributes"
        case "2.5.29.14": "subjectKeyIdentifier"
        case "2.5.29.15": "keyUsage"
        case "2.5.29.16": "privateKeyUsagePeriod"
        case "2.5.29.17": "subjectAltName"
        case "2.5.29.18": "issuerAltName"
        case "2.5.29.19": "basicConstraints"
        case "2.5.29.30": "nameConstraints"
        case "2.5.29.31": "cRLDistributionPoints"
        case "2.5.29.32": "certificatePolicies"
        case "2.5.29.33": "policyMappings"
        case "2.5.29.35": "authorityKeyIdentifier"
        case "2.5.29.36": "policyConstraints"
        case "2.5.29.37": "extKeyUsage"
        case "2.5.29.46": "freshestCRL"
        case "2.5.29.54": "inhibitAnyPolicy"
        case "1.3.6.1.5.5.7.1.1": "authorityInfoAccess"
        case "1.3.6.1.5.5.7.1.3": "qcStatements"
        case "1.3.6.1.5.5.7.1.11": "subjectInfoAccess"
        case "1.3.6.1.5.5.7.1.24": "tlsFeature"
        case "1.3.6.1.5.5.7.48.1.5": "ocspNoCheck"
        case "1.3.6.1.4.1.11129.2.4.2": "signedCertificateTimestampList"
        case "1.3.6.1.4.1.11129.2.4.3": "precertificatePoison"
        default: nil
        }
    }

    /// The name of an extended key usage; nil if pinctl does not know it (RFC 5280, section 4.2.1.12; RFC 6962; Microsoft).
    package static func ofKeyPurpose(_ type: OID) -> String? {
        switch type.dotted {
        case "2.5.29.37.0": "anyExtendedKeyUsage"
        case "1.3.6.1.5.5.7.3.1": "serverAuth"
        case "1.3.6.1.5.5.7.3.2": "clientAuth"
        case "1.3.6.1.5.5.7.3.3": "codeSigning"
        case "1.3.6.1.5.5.7.3.4": "emailProtection"
        case "1.3.6.1.5.5.7.3.5": "ipsecEndSystem"
        case "1.3.6.1.5.5.7.3.6": "ipsecTunnel"
        case "1.3.6.1.5.5.7.3.7": "ipsecUser"
        case "1.3.6.1.5.5.7.3.8": "timeStamping"
        case "1.3.6.1.5.5.7.3.9": "OCSPSigning"
        case "1.3.6.1.5.5.7.3.17": "ipsecIKE"
        case "1.3.6.1.4.1.311.10.3.3": "msSGC"
        case "1.3.6.1.4.1.311.20.2.2": "msSmartcardLogin"
        case "2.16.840.1.113730.4.1": "nsSGC"
        case "1.3.6.1.4.1.11129.2.4.4": "precertificateSigning"
        default: nil
        }
    }

    /// The name of a certificate policy; nil if pinctl does not know it (RFC 5280; CA/Browser Forum, Baseline Requirements, section
    /// 7.1.6.1, and EV Guidelines, section 9.3.2).
    package static func ofPolicy(_ type: OID) -> String? {
        switch type.dotted {
        case "2.5.29.32.0": "anyPolicy"
        case "2.23.140.1.1": "extended-validation"
        case "2.23.140.1.2.1": "domain-validated"
        case "2.23.140.1.2.2": "organization-validated"
        case "2.23.140.1.2.3": "individual-validated"
        default: nil
        }
    }

    /// The name of an access method; nil if pinctl does not know it (RFC 5280, sections 4.2.2.1 and 4.2.2.2).
    package static func ofAccessMethod(_ type: OID) -> String? {
        switch type.dotted {
        case "1.3.6.1.5.5.7.48.1": "OCSP"
        case "1.3.6.1.5.5.7.48.2": "caIssuers"
        case "1.3.6.1.5.5.7.48.3": "timeStamping"
        case "1.3.6.1.5.5.7.48.5": "caRepository"
        default: nil
        }
    }

    /// The name of a TLS extension (IANA, TLS ExtensionType Values).
    package static func ofTLSFeature(_ number: Int) -> String {
        switch number {
        case 5: "status_request"
        case 17: "status_request_v2"
        default: String(number)
        }
    }
}
