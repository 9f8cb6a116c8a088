package com.example;

class Pins {
    private static final String FIRST = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=";

    CronetEngine.Builder add(CronetEngine.Builder builder) {
        Set<byte[]> pins = new HashSet<>();
        pins.add(Base64.decode(FIRST, Base64.DEFAULT)); // ISRG Root X1
        pins.add(Base64.decode("diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI=", Base64.DEFAULT));
        builder.addPublicKeyPins("example.com", pins, true, Date.from(Instant.parse("2027-06-01T00:00:00Z")));
        // builder.addPublicKeyPins("old.example.com", pins, true, new Date(0));
        return builder.addPublicKeyPins(Hosts.API, pins, false, new Date(Long.MAX_VALUE));
    }
}
