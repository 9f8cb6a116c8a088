extension DistinguishedName.Attribute {
    /// The short name of an attribute type by its dotted OID; the OID if it has no short name.
    ///
    /// The names come from RFC 4514, section 3, RFC 5280, appendix A, and X.520. Other attributes have the name that OpenSSL
    /// prints: `SN` is the surname, `serialNumber` a serial number.
    static func shortName(of type: String) -> String {
        switch type {
        case "2.5.4.3": "CN"
        case "2.5.4.4": "SN"
        case "2.5.4.5": "serialNumber"
        case "2.5.4.6": "C"
        case "2.5.4.7": "L"
        case "2.5.4.8": "ST"
        case "2.5.4.9": "street"
        case "2.5.4.10": "O"
        case "2.5.4.11": "OU"
        case "2.5.4.12": "title"
        case "2.5.4.13": "description"
        case "2.5.4.15": "businessCategory"
        case "2.5.4.16": "postalAddress"
        case "2.5.4.17": "postalCode"
        case "2.5.4.18": "postOfficeBox"
        case "2.5.4.20": "telephoneNumber"
        case "2.5.4.41": "name"
        case "2.5.4.42": "GN"
        case "2.5.4.43": "initials"
        case "2.5.4.44": "generationQualifier"
        case "2.5.4.45": "x500UniqueIdentifier"
        case "2.5.4.46": "dnQualifier"
        case "2.5.4.65": "pseudonym"
        case "2.5.4.72": "role"
        case "2.5.4.97": "organizationIdentifier"
        case "0.9.2342.19200300.100.1.1": "UID"
        case "0.9.2342.19200300.100.1.25": "DC"
        case "1.2.840.113549.1.9.1": "emailAddress"
        case "1.2.840.113549.1.9.2": "unstructuredName"
        case "1.2.840.113549.1.9.8": "unstructuredAddress"
        case "1.3.6.1.4.1.311.60.2.1.1": "jurisdictionL"
        case "1.3.6.1.4.1.311.60.2.1.2": "jurisdictionST"
        case "1.3.6.1.4.1.311.60.2.1.3": "jurisdictionC"
        default: type
        }
    }
}
