package com.example.net;

import okhttp3.CertificatePinner;

final class Pinning {
    private static final String HOST = "example" + ".com";

    static CertificatePinner pinner() {
        CertificatePinner.Builder builder = new CertificatePinner.Builder();
        builder.add("**." + "example.com",
            "sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=", // ISRG Root X1
            "sha256/hUcFFip1z0GOioWs8QmYV5gIdp2/HK7UBvar+BfuTNU=");
        builder.add(HOST, "sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=");
        return builder.build();
    }
}
