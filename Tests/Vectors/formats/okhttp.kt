package com.example.net

import okhttp3.CertificatePinner
import okhttp3.OkHttpClient

private const val ROOT = "sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=" // not read as a label

object Pins {
    val spare: String = "sha256/" +
        "hUcFFip1z0GOioWs8QmYV5gIdp2/HK7UBvar+BfuTNU="
}

/* A block /* inside another */ comment: .add("no.example", "sha256/AAAA") */
fun client(): OkHttpClient = OkHttpClient.Builder()
    .certificatePinner(
        CertificatePinner.Builder()
            .add("**.example.com", ROOT, *arrayOf(Pins.spare))
            .build()
    )
    .build()
