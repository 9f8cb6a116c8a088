#!/usr/bin/env bash
# make-material.sh: creates Tests/Vectors/material: certificates, requests and keys of all types, and expected.tsv with their pins.
#
# It needs openssl 3, certtool (GnuTLS), python3, ssh-keygen, gpg and keytool. Each run creates new keys, so every file changes. The file
# names do not change.
# The pins are from openssl, certtool, and SHA-256 of bytes that "openssl asn1parse" located, never from pinctl.
# The password of all encrypted files is "secret".
set -euo pipefail

cd "$(dirname "$0")"
rm -rf material
mkdir material
cd material
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ---- pins -------------------------------------------------------------------------------------------------------

# Prints the base64 of the SHA-256 of standard input.
digest() { openssl dgst -sha256 -binary | openssl base64 -A; }

# child FILE NUMBER: prints the bytes of child NUMBER (from 1) of the first inner SEQUENCE of a DER file, located with asn1parse.
child() {
    openssl asn1parse -inform DER -in "$1" | awk -v number="$2" '
        /d=2 / { count++; if (count == number) {
            split($0, offset, ":"); match($0, /hl= *[0-9]+/); header = substr($0, RSTART + 3, RLENGTH - 3)
            match($0, /l= *[0-9]+ (cons|prim)/); split(substr($0, RSTART + 2), length_, " ")
            print offset[1] + 0, header + length_[1]; exit } }' | {
        read -r start count
        tail -c +$((start + 1)) "$1" | head -c "$count"
    }
}

# Prints the pin of a DER certificate: the key is the seventh field, or the sixth if the version is absent.
certificate_pin() {
    if openssl asn1parse -inform DER -in "$1" | awk '/d=2 /{ print; exit }' | grep -q 'cont \[ 0 \]'; then
        child "$1" 7 | digest
    else
        child "$1" 6 | digest
    fi
}

request_pin() { child "$1" 3 | digest; }

# Prints the pin of a private key in any format that openssl reads. Further arguments are passed to openssl.
private_pin() {
    file=$1
    shift
    openssl pkey -in "$file" -passin pass:secret -pubout -outform DER "$@" | digest
}

# FILE OBJECT KIND PIN [CERTIFICATE-SHA256]
expect() { printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "${5:--}" >>expected.tsv; }

# Records the expected values of a DER certificate that is object NUMBER of FILE. If certtool can read the key, it must compute the same
# pin.
expect_certificate() {
    pin=$(certificate_pin "$3")
    other=$({ certtool -i --inder --infile "$3" 2>/dev/null || true; } | sed -n 's/.*pin-sha256:\([A-Za-z0-9+\/=]*\).*/\1/p' | head -1)
    case "$4" in
    trust-certtool) [ "$pin" = "$other" ] || { echo "certtool computes another pin of $3: $other instead of $pin" >&2; exit 1; } ;;
    esac
    expect "$1" "$2" certificate "$pin" "$(digest <"$3")"
}

printf '# file\tobject\tkind\tpin\tsha256 of the certificate in base64\n' >expected.tsv

# ---- certificates: all types of keys ----------------------------------------------------------------------------

openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$work/rsa2048.key"
openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:1023 -out "$work/rsa1023.key"
openssl genpkey -quiet -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048 -pkeyopt rsa_pss_keygen_md:sha256 \
    -pkeyopt rsa_pss_keygen_mgf1_md:sha256 -pkeyopt rsa_pss_keygen_saltlen:32 -out "$work/rsapss.key"
for curve in P-256 P-384 P-521 secp256k1 brainpoolP256r1 secp224r1; do
    openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:$curve -out "$work/$(echo $curve | tr -d - | tr A-Z a-z).key"
done
openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -pkeyopt ec_param_enc:explicit -out "$work/explicit.key"
openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:sect233r1 -pkeyopt ec_param_enc:explicit \
    -out "$work/explicit-binary.key"
openssl ec -in "$work/p256.key" -conv_form compressed -out "$work/compressed.key" 2>/dev/null
openssl genpkey -quiet -algorithm ED25519 -out "$work/ed25519.key"
openssl genpkey -quiet -algorithm ED448 -out "$work/ed448.key"
openssl genpkey -quiet -algorithm X25519 -out "$work/x25519.key"
openssl dsaparam -out "$work/dsa.params" 2048 2>/dev/null
openssl genpkey -quiet -paramfile "$work/dsa.params" -out "$work/dsa.key" 2>/dev/null || openssl gendsa -out "$work/dsa.key" "$work/dsa.params"

for key in rsa2048 rsa1023 rsapss p256 p384 p521 secp256k1 brainpoolp256r1 secp224r1 explicit explicit-binary compressed \
    ed25519 ed448 dsa; do
    openssl req -x509 -new -key "$work/$key.key" -subj "/C=NL/O=Example B.V./CN=$key.example.com" -days 3650 \
        -addext "subjectAltName=DNS:$key.example.com,DNS:*.$key.example.com,IP:192.0.2.1,IP:2001:db8::1" \
        -outform DER -out cert-$key.der
    case $key in
    rsa2048 | rsa1023 | p256 | p384 | p521 | ed25519 | ed448) expect_certificate cert-$key.der 1 cert-$key.der trust-certtool ;;
    *) expect_certificate cert-$key.der 1 cert-$key.der - ;;
    esac
done

# If a key cannot sign, another key signs the certificate.
openssl req -new -key "$work/p256.key" -subj "/CN=x25519.example.com" -out "$work/x25519.csr"
openssl pkey -in "$work/x25519.key" -pubout -out "$work/x25519.pub"
openssl x509 -req -in "$work/x25519.csr" -force_pubkey "$work/x25519.pub" -CA cert-p256.der -CAkey "$work/p256.key" \
    -set_serial 77 -days 3650 -outform DER -out cert-x25519.der 2>/dev/null
expect_certificate cert-x25519.der 1 cert-x25519.der -

# ---- certificates: other unusual properties ----------------------------------------------------------------------

openssl req -new -key "$work/p256.key" -subj "/CN=v1.example.com" -out "$work/v1.csr"
openssl x509 -req -in "$work/v1.csr" -signkey "$work/p256.key" -set_serial 1 -days 3650 -outform DER -out cert-v1.der 2>/dev/null
openssl x509 -req -in "$work/v1.csr" -signkey "$work/p256.key" -set_serial -257 -days 3650 -outform DER \
    -out cert-serial-negative.der 2>/dev/null
openssl x509 -req -in "$work/v1.csr" -signkey "$work/p256.key" -set_serial 0 -days 3650 -outform DER \
    -out cert-serial-zero.der 2>/dev/null
openssl x509 -req -in "$work/v1.csr" -signkey "$work/p256.key" \
    -set_serial 0x8123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef \
    -days 3650 -outform DER -out cert-serial-long.der 2>/dev/null
openssl req -x509 -new -key "$work/p256.key" -subj "/" -addext "subjectAltName=critical,DNS:empty.example.com" -days 3650 \
    -outform DER -out cert-subject-empty.der
printf 'oid_section = own\n[req]\ndistinguished_name = dn\nstring_mask = utf8only\n[dn]\n[own]\nownType = 1.2.3.4\n' >"$work/rich.cfg"
openssl req -x509 -new -config "$work/rich.cfg" -key "$work/p256.key" -multivalue-rdn -utf8 -days 3650 -outform DER -out cert-subject-rich.der \
    -subj '/C=DE/ST=Baden-Württemberg/L=Köln, am Rhein/O=A\+B <"Söhne">;\\ #1/OU=one+UID=u1/ownType=own type/emailAddress=ca@example.com/serialNumber=42/CN=#leading'
openssl req -x509 -new -key "$work/rsa2048.key" -sigopt rsa_padding_mode:pss -sha384 -subj "/CN=pss-signed.example.com" \
    -days 3650 -outform DER -out cert-signed-pss.der
openssl req -x509 -new -key "$work/p384.key" -sha512 -subj "/CN=ecdsa-sha512.example.com" -days 20000 -outform DER \
    -out cert-generalized-time.der
printf 'cn = "no-end.example.com"\nexpiration_days = -1\nserial = 7\nca\n' >"$work/no-end.cfg"
certtool --generate-self-signed --load-privkey "$work/p256.key" --template "$work/no-end.cfg" --outder \
    --outfile cert-no-end.der 2>/dev/null

# Obsolete string types, an unknown algorithm and malformed extensions: patched into existing bytes.
python3 - cert-p256.der "$work" <<'PYTHON'
import sys
der = open(sys.argv[1], "rb").read()
work = sys.argv[2]

def write(name, bytes):
    open(f"cert-{name}.der", "wb").write(bytes)

# id-ecPublicKey becomes 1.2.840.10045.2.99, only in the key.
known = bytes.fromhex("06072a8648ce3d0201")
assert der.count(known) == 1
write("unknown-algorithm", der.replace(known, bytes.fromhex("06072a8648ce3d0263")))

# The organization with other tags: 14 TeletexString, 13 PrintableString, 1e BMPString, 1c UniversalString, 03 (not a string).
organization = b"\x0c\x0cExample B.V."
assert der.count(organization) == 2
for name, element in [
    ("teletex", b"\x14\x0cExampl\xe9 B.V."),
    ("bmp", b"\x1e\x0c" + "Ex\u00e4mp\u20ac".encode("utf-16-be")),
    ("universal", b"\x1c\x0c" + "E\u20ac\U0001F600".encode("utf-32-be")),
    ("bits", b"\x03\x0c\x00" + b"xample B.V."),
    ("utf8-broken", b"\x0c\x0cExample\xff\xfe V."),
]:
    assert len(element) == len(organization)
    write("subject-" + name, der.replace(organization, element))

# The OCTET STRING of the alternative names contains an INTEGER that extends beyond its end.
names = bytes.fromhex("0603551d1104")
assert der.count(names) == 1
at = der.index(names) + len(names)
write("extension-broken", der[:at + 1] + b"\x02\x7f" + der[at + 3:])

# A notAfter that is not a time.
times = der.index(b"\x17\x0d", der.index(b"\x17\x0d") + 2)
write("time-broken", der[:times + 2] + b"991331240000Z" + der[times + 15:])
PYTHON

for name in v1 serial-negative serial-zero serial-long subject-empty subject-rich signed-pss generalized-time no-end \
    unknown-algorithm subject-teletex subject-bmp subject-universal subject-bits subject-utf8-broken extension-broken \
    time-broken; do
    expect_certificate cert-$name.der 1 cert-$name.der -
done

# ---- text around certificates -----------------------------------------------------------------------------------

pem() { openssl x509 -inform DER -in "$1"; }

pem cert-p256.der >cert-p256.pem
expect_certificate cert-p256.pem 1 cert-p256.der -
{
    printf 'A bundle, with -----BEGIN CERTIFICATE----- quoted in its prose.\n\n'
    openssl x509 -inform DER -in cert-rsa2048.der -text
    printf '\n# and a second one\n'
    pem cert-ed25519.der
    pem cert-unknown-algorithm.der
} | awk '{ printf "%s\r\n", $0 }' >bundle-crlf-text.pem
expect_certificate bundle-crlf-text.pem 1 cert-rsa2048.der -
expect_certificate bundle-crlf-text.pem 2 cert-ed25519.der -
expect_certificate bundle-crlf-text.pem 3 cert-unknown-algorithm.der -
# Concatenated files without a line feed between them, and lines that end with CR only.
{ pem cert-p256.der | tr -d '\n' | sed 's/-----BEGIN CERTIFICATE-----/&\n/; s/-----END/\n&/'; pem cert-p384.der; } >bundle-joined.pem
expect_certificate bundle-joined.pem 1 cert-p256.der -
expect_certificate bundle-joined.pem 2 cert-p384.der -
{ pem cert-p256.der; pem cert-p384.der; } | tr '\n' '\r' >bundle-cr.pem
expect_certificate bundle-cr.pem 1 cert-p256.der -
expect_certificate bundle-cr.pem 2 cert-p384.der -
openssl x509 -inform DER -in cert-p384.der -addtrust serverAuth -setalias "an alias" -trustout >trusted.pem
expect_certificate trusted.pem 1 cert-p384.der -
pem cert-p384.der | sed 's/ CERTIFICATE/ X509 CERTIFICATE/; s/$/  /' >x509-label.pem
expect_certificate x509-label.pem 1 cert-p384.der -

openssl base64 -A -in cert-p256.der -out cert-p256.b64
expect_certificate cert-p256.b64 1 cert-p256.der -
base64 -w 76 cert-rsa2048.der | awk '{ printf "%s\r\n", $0 }' >cert-rsa2048-folded.b64
expect_certificate cert-rsa2048-folded.b64 1 cert-rsa2048.der -
# A line of 64 characters contains 48 bytes, and the private key has 48 bytes in total, as many as a SHA-384 hash.
openssl base64 -in cert-p384.der -out cert-p384-folded.b64
expect_certificate cert-p384-folded.b64 1 cert-p384.der -
{ pem cert-p256.der; pem cert-p384.der; } | openssl base64 -A >bundle.pem.b64
expect_certificate bundle.pem.b64 1 cert-p256.der -
expect_certificate bundle.pem.b64 2 cert-p384.der -

# ---- requests and public keys -----------------------------------------------------------------------------------

openssl req -new -key "$work/rsa2048.key" -subj "/CN=request.example.com" -out request.pem
openssl req -in request.pem -outform DER -out request.der
sed 's/ CERTIFICATE REQUEST/ NEW CERTIFICATE REQUEST/' request.pem >request-new-label.pem
for name in request.pem request.der request-new-label.pem; do
    expect "$name" 1 'certificate request' "$(request_pin request.der)"
done

for key in rsa2048 p256 explicit compressed ed25519 dsa; do
    openssl pkey -in "$work/$key.key" -pubout -out public-$key.pem
    openssl pkey -in "$work/$key.key" -pubout -outform DER -out public-$key.der
    expect public-$key.pem 1 'public key' "$(digest <public-$key.der)"
    expect public-$key.der 1 'public key' "$(digest <public-$key.der)"
done
python3 -c 'import sys; sys.stdout.buffer.write(open("public-p256.der", "rb").read().replace(
    bytes.fromhex("06072a8648ce3d0201"), bytes.fromhex("06072a8648ce3d0263")))' >public-unknown-algorithm.der
expect public-unknown-algorithm.der 1 'public key' "$(digest <public-unknown-algorithm.der)"
openssl rsa -in "$work/rsa2048.key" -RSAPublicKey_out -out public-rsa2048-pkcs1.pem 2>/dev/null
openssl rsa -in "$work/rsa2048.key" -RSAPublicKey_out -outform DER -out public-rsa2048-pkcs1.der 2>/dev/null
expect public-rsa2048-pkcs1.pem 1 'public key' "$(digest <public-rsa2048.der)"
expect public-rsa2048-pkcs1.der 1 'public key' "$(digest <public-rsa2048.der)"
openssl base64 -A -in public-p256.der -out public-p256.b64
expect public-p256.b64 1 'public key' "$(digest <public-p256.der)"

# ---- private keys -----------------------------------------------------------------------------------------------

private() { expect "$1" 1 'private key' "$(private_pin "$2")"; }
encrypted() { expect "$1" 1 'encrypted private key' "$(private_pin "$2")"; }

for key in rsa2048 rsapss p256 compressed explicit ed25519 ed448 x25519 dsa; do
    openssl pkcs8 -topk8 -nocrypt -in "$work/$key.key" -out private-$key-pkcs8.pem
    openssl pkcs8 -topk8 -nocrypt -in "$work/$key.key" -outform DER -out private-$key-pkcs8.der
    private private-$key-pkcs8.pem "$work/$key.key"
    private private-$key-pkcs8.der "$work/$key.key"
done
for key in rsa2048 p256 dsa; do
    openssl pkey -traditional -in "$work/$key.key" -out private-$key-traditional.pem
    case $key in
    rsa2048) openssl rsa -traditional -in "$work/$key.key" -outform DER -out private-$key-traditional.der ;;
    p256) openssl ec -in "$work/$key.key" -outform DER -out private-$key-traditional.der ;;
    dsa) openssl dsa -in "$work/$key.key" -outform DER -out private-$key-traditional.der ;;
    esac 2>/dev/null
    openssl pkey -traditional -in "$work/$key.key" -aes-128-cbc -passout pass:secret -out private-$key-traditional-aes.pem
    private private-$key-traditional.pem "$work/$key.key"
    private private-$key-traditional.der "$work/$key.key"
    encrypted private-$key-traditional-aes.pem "$work/$key.key"
done
{ openssl ecparam -name prime256v1; openssl ec -in "$work/p256.key" 2>/dev/null; } >private-p256-with-parameters.pem
private private-p256-with-parameters.pem "$work/p256.key"
openssl pkcs8 -topk8 -in "$work/rsa2048.key" -passout pass:secret -out private-rsa2048-encrypted.pem
openssl pkcs8 -topk8 -in "$work/rsa2048.key" -passout pass:secret -outform DER -out private-rsa2048-encrypted.der
openssl pkcs8 -topk8 -scrypt -scrypt_N 1024 -in "$work/p256.key" -passout pass:secret -out private-p256-scrypt.pem
openssl pkcs8 -topk8 -v1 PBE-SHA1-3DES -in "$work/p256.key" -passout pass:secret -out private-p256-3des.pem
openssl pkcs8 -topk8 -v1 PBE-SHA1-RC2-40 -provider legacy -provider default -in "$work/p256.key" -passout pass:secret \
    -out private-p256-rc2.pem
openssl pkcs8 -topk8 -v1 PBE-MD5-DES -provider legacy -provider default -in "$work/p256.key" -passout pass:secret \
    -out private-p256-des.pem
encrypted private-rsa2048-encrypted.pem "$work/rsa2048.key"
encrypted private-rsa2048-encrypted.der "$work/rsa2048.key"
for name in scrypt 3des rc2 des; do encrypted private-p256-$name.pem "$work/p256.key"; done
openssl base64 -A -in private-p256-pkcs8.der -out private-p256-pkcs8.b64
private private-p256-pkcs8.b64 "$work/p256.key"
openssl base64 -A -in private-ed25519-pkcs8.der -out private-ed25519-pkcs8.b64
private private-ed25519-pkcs8.b64 "$work/ed25519.key"

# The newer version of PKCS#8, which contains the public key (RFC 5958): one key that OpenSSL supports, and one with an unknown
# algorithm.
python3 - private-ed25519-pkcs8.der public-ed25519.der <<'PYTHON'
import sys
key, public = (open(name, "rb").read() for name in sys.argv[1:])
inner = b"\x02\x01\x01" + key[5:] + b"\x81\x21\x00" + public[-32:]
whole = b"\x30" + bytes([len(inner)]) + inner
open("private-ed25519-with-public.der", "wb").write(whole)
ed25519, unknown = bytes.fromhex("06032b6570"), bytes.fromhex("06032b657f")
assert whole.count(ed25519) == 1 and public.count(ed25519) == 1
open("private-unknown-with-public.der", "wb").write(whole.replace(ed25519, unknown))
open("public-unknown.der", "wb").write(public.replace(ed25519, unknown))
PYTHON
private private-ed25519-with-public.der "$work/ed25519.key"
expect private-unknown-with-public.der 1 'private key' "$(digest <public-unknown.der)"
expect public-unknown.der 1 'public key' "$(digest <public-unknown.der)"

# ---- containers -------------------------------------------------------------------------------------------------

{ pem cert-rsa2048.der; pem cert-p256.der; pem cert-unknown-algorithm.der; } >"$work/three.pem"
openssl crl2pkcs7 -nocrl -certfile "$work/three.pem" -out certificates.p7b
openssl crl2pkcs7 -nocrl -certfile "$work/three.pem" -outform DER -out certificates.p7c
# The same containers in BER with indefinite lengths: each outer element starts with the length 80 and ends with 00 00.
python3 - certificates.p7c certificates-ber.p7c <<'PYTHON'
import sys
der = open(sys.argv[1], "rb").read()

def length(at):
    first = der[at]
    if first < 128: return first, 1
    count = first & 127
    return int.from_bytes(der[at + 1:at + 1 + count], "big"), 1 + count

def indefinite(at, depth):
    size, header = length(at + 1)
    start, end = at + 1 + header, at + 1 + header + size
    out, cursor = b"", start
    while cursor < end:
        inner, extra = length(cursor + 1)
        next = cursor + 1 + extra + inner
        out += indefinite(cursor, depth - 1) if depth > 0 and der[cursor] & 0x20 else der[cursor:next]
        cursor = next
    return der[at:at + 1] + b"\x80" + out + b"\x00\x00"

open(sys.argv[2], "wb").write(indefinite(0, 2))
PYTHON
openssl base64 -A -in certificates.p7c -out certificates.p7c.b64
for name in certificates.p7b certificates.p7c certificates-ber.p7c certificates.p7c.b64; do
    expect_certificate $name 1 cert-rsa2048.der -
    expect_certificate $name 2 cert-p256.der -
    expect_certificate $name 3 cert-unknown-algorithm.der -
done

pem cert-p256.der >"$work/p256.crt"
{ pem cert-rsa2048.der; pem cert-ed25519.der; } >"$work/others.pem"
modern="openssl pkcs12 -export -inkey $work/p256.key -in $work/p256.crt -certfile $work/others.pem"
$modern -passout pass:secret -out modern.p12
$modern -legacy -passout pass:secret -out legacy.p12
$modern -passout pass: -out no-password.p12
$modern -nomac -keypbe NONE -certpbe NONE -passout pass:secret -out plain.p12
$modern -keypbe NONE -certpbe NONE -passout pass:secret -out mac-only.p12
openssl pkcs12 -export -nokeys -in "$work/others.pem" -passout pass:secret -out certificates-only.p12
openssl pkcs12 -export -nocerts -inkey "$work/ed448.key" -passout pass:secret -out key-only.p12 2>/dev/null
openssl base64 -A -in modern.p12 -out modern.p12.b64
for name in modern.p12 legacy.p12 no-password.p12 plain.p12 mac-only.p12 modern.p12.b64; do
    expect_certificate $name 1 cert-p256.der -
    expect_certificate $name 2 cert-rsa2048.der -
    expect_certificate $name 3 cert-ed25519.der -
done
expect_certificate certificates-only.p12 1 cert-rsa2048.der -
expect_certificate certificates-only.p12 2 cert-ed25519.der -
expect key-only.p12 1 'private key' "$(private_pin "$work/ed448.key")"

# ---- rejected files ---------------------------------------------------------------------------------------------

: >refused-empty
printf ' \n\t\r\n' >refused-white-space
cat >"$work/ca.cfg" <<CONFIG
[ca]
default_ca = it
[it]
database = $work/index
crlnumber = $work/number
default_md = sha256
default_crl_days = 3650
CONFIG
: >"$work/index"
printf '01' >"$work/number"
openssl ca -config "$work/ca.cfg" -gencrl -keyfile "$work/p256.key" -cert "$work/p256.crt" -out refused-crl.pem 2>/dev/null
openssl crl -in refused-crl.pem -outform DER -out refused-crl.der
openssl ecparam -name prime256v1 -out refused-parameters.pem
gzip -nc cert-p256.der >refused-gzip
python3 -c '
import zipfile
with zipfile.ZipFile("refused-zip", "w") as archive: archive.write("cert-p256.der")'
ssh-keygen -q -t ed25519 -N "" -C "" -f "$work/ssh" && cp "$work/ssh" refused-openssh-private && chmod 644 refused-openssh-private && cp "$work/ssh.pub" refused-openssh-public
keytool -genkeypair -storetype JKS -keystore refused-java-key-store -storepass secret -keypass secret -alias one \
    -dname CN=example -keyalg EC >/dev/null 2>&1
mkdir -m 700 "$work/gpg"
gpg --homedir "$work/gpg" --batch --quiet --passphrase '' --quick-generate-key one@example.com ed25519 2>/dev/null
gpg --homedir "$work/gpg" --armor --export one@example.com >refused-pgp-public.asc
gpgconf --homedir "$work/gpg" --kill all
iconv -f UTF-8 -t UTF-16 cert-p256.pem >refused-utf16
head -c 200 cert-p256.der >refused-truncated.der
{ cat cert-p256.der; printf 'xyz'; } >refused-trailing.der
sed '$d' cert-p256.pem >refused-truncated.pem
openssl dgst -sha256 -r cert-p256.der | cut -c1-64 >refused-sha256-hex
openssl dgst -sha256 -binary cert-p256.der | openssl base64 -A >refused-sha256-base64
openssl dgst -sha256 -binary cert-p256.der >refused-sha256-binary
