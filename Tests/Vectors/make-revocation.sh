#!/usr/bin/env bash
# make-revocation.sh: creates Tests/Vectors/revocation: a root, a leaf, and the root's revocation lists and OCSP responses for the leaf. All
# of them are valid at 2027-01-01 12:00 UTC, if the script runs before that time.
set -euo pipefail
cd "$(dirname "$0")/revocation"
rm -f ./*
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/ca.cnf" <<CNF
[ca]
default_ca = list
[list]
database = $work/index.txt
default_md = sha256
crlnumber = $work/number
[req]
distinguished_name = name
[name]
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
[leaf]
subjectAltName = DNS:localhost
extendedKeyUsage = serverAuth
[responder]
keyUsage = critical, digitalSignature
extendedKeyUsage = OCSPSigning
CNF
: >"$work/index.txt"
echo 01 >"$work/number"
key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
openssl req -x509 "${key[@]}" -keyout "$work/root.key" -out "$work/root.pem" -subj /CN=Root -days 7300 \
    -config "$work/ca.cnf" -extensions root
for name in leaf responder; do
    openssl req -new "${key[@]}" -keyout "$work/$name.key" -out "$work/$name.csr" -subj "/CN=$name" -config "$work/ca.cnf"
    openssl x509 -req -in "$work/$name.csr" -CA "$work/root.pem" -CAkey "$work/root.key" -days 7300 \
        -extfile "$work/ca.cnf" -extensions "$name" -out "$work/$name.pem"
done
for name in root leaf; do openssl x509 -in "$work/$name.pem" -outform DER -out "$name.der"; done

ca=(openssl ca -batch -config "$work/ca.cnf" -keyfile "$work/root.key" -cert "$work/root.pem")
respond() { # NAME SIGNER [OPTION...]
    local name=$1 signer=$2
    shift 2
    openssl ocsp "$@" -issuer "$work/root.pem" -cert "$work/leaf.pem" -no_nonce -reqout "$work/request"
    openssl ocsp -index "$work/index.txt" -CA "$work/root.pem" -rsigner "$work/$signer.pem" -rkey "$work/$signer.key" \
        -ndays 7300 -reqin "$work/request" -respout "$name.ocsp"
}
respond unknown root
"${ca[@]}" -valid "$work/leaf.pem"
"${ca[@]}" -gencrl -crldays 7300 -out "$work/empty.pem"
openssl crl -in "$work/empty.pem" -outform DER -out empty.crl
respond good root
respond good-sha256 root -sha256
respond delegated responder
: >"$work/index.txt"
"${ca[@]}" -revoke "$work/leaf.pem" -crl_reason keyCompromise
"${ca[@]}" -gencrl -crldays 7300 -out "$work/revoked.pem"
openssl crl -in "$work/revoked.pem" -outform DER -out revoked.crl
respond revoked root
cat "$work/empty.pem" "$work/revoked.pem" >two.crl
# An OCSPResponse with only the status tryLater (RFC 6960, section 4.2.1).
printf '\x30\x03\x0a\x01\x03' >try-later.ocsp
