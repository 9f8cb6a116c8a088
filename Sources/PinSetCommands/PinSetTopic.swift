internal import Arguments

/// The help page of the file format of pin sets.
enum PinSetTopic {
    static let topic = Topic(
        "pins.json", summary: "the format of a pin set",
        notes: [
            Note(
                "Description",
                "A pin set is a JSON file (RFC 8259) with the keys below. Unknown keys are kept and have no effect.",
                rows: [
                    "version": "the number 1",
                    "hosts": "an object: the key is a host name, the value is an entry or a plain list of pins",
                ]),
            Note(
                "Keys of an entry",
                rows: [
                    "pins": "a list of pins",
                    "subdomains":
                        "none (default): the host only; one: also names with one more label; all: also names at any depth. The"
                        + " longest entry that covers a host applies.",
                    "expires":
                        "a day or a time, such as 2027-06-01 or 2027-06-01T12:00:00Z. The entry expires at this time, or at 00:00"
                        + " UTC on this day.",
                    "enforce": "false: pinctl reports a mismatch, but does not fail",
                    "anchors": "certificate files, relative to the set: the only trust anchors for this host",
                    "endpoints":
                        "where pinctl connects: a list of hosts with an optional scheme and port, such as smtp://mail.example.com or"
                        + " api.example.com:8443 (default: the host on port 443)",
                ]),
            Note(
                "Keys of a pin",
                "A pin is an object with these keys, or a string such as sha256/BASE64.",
                rows: [
                    "sha256": "the SHA-256 hash of the SubjectPublicKeyInfo, in base64",
                    "role":
                        "the position in the chain where the pin can match: leaf, intermediate, root, ca (any but the leaf) or any"
                        + " (default)",
                    "state":
                        "active (default), backup (matches as an active pin does) or retired (never matches)",
                    "label": "a name for people",
                    "notAfter":
                        "the end of validity of the certificate of a CA, as a day or a time; lint warns before it",
                    "added, goneSince":
                        "days that refresh writes: when it added the pin or made it active, and when a run first found it at no address",
                ]),
        ],
        examples: [
            Example(
                #"{ "version": 1, "hosts": { "api.example.com": ["sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="] } }"#,
                "one host with one pin")
        ]
    )
}
