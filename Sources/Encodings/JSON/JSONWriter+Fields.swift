extension JSONWriter {
    /// Writes an object. `body` writes its fields.
    package mutating func object<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        beginObject()
        try body(&self)
        endObject()
    }

    /// Writes an array. `body` writes its values.
    package mutating func array<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        beginArray()
        try body(&self)
        endArray()
    }

    /// Writes a field whose value is an object.
    package mutating func object<E: Error>(_ key: String, _ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        self.key(key)
        try object(body)
    }

    /// Writes a field whose value is an array.
    package mutating func array<E: Error>(_ key: String, _ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        self.key(key)
        try array(body)
    }

    package mutating func null(_ key: String) {
        self.key(key)
        null()
    }

    package mutating func field(_ key: String, _ value: String?) {
        self.key(key)
        self.value(value)
    }

    package mutating func field(_ key: String, _ value: Bool?) {
        self.key(key)
        self.value(value)
    }

    package mutating func field(_ key: String, _ value: Int?) {
        self.key(key)
        self.value(value)
    }

    package mutating func field(_ key: String, base64 value: [UInt8]?) {
        self.key(key)
        self.value(base64: value)
    }

    package mutating func field(_ key: String, hex value: [UInt8]?) {
        self.key(key)
        self.value(hex: value)
    }

    package mutating func field(_ key: String, _ values: [String]) {
        array(key) { array in
            for value in values { array.value(value) }
        }
    }

    package mutating func field(_ key: String, _ value: JSONValue) {
        self.key(key)
        self.value(value)
    }
}
