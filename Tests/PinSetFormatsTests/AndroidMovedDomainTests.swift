import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import PropertyLists

/// A domain that moves to another `domain-config` keeps what a person wrote in it and beside it.
@Suite struct AndroidMovedDomainTests {
    private static let x1 = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    private static let x2 = "hUcFFip1z0GOioWs8QmYV5gIdp2/HK7UBvar+BfuTNU="
    private static let x3 = "diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI="

    private func set(_ hosts: String) throws -> PinSet {
        try PinSet(json: Array(#"{"version":1,"hosts":{\#(hosts)}}"#.utf8))
    }

    private func written(_ hosts: String, _ format: PinSetFormat, into file: String) throws -> String {
        String(decoding: try set(hosts).written(as: format, into: Array(file.utf8), others: .kept).main, as: UTF8.self)
    }

    @Test func aMovedDomainKeepsItsAttributesAndItsComment() throws {
        let file = """
            <network-security-config xmlns:tools="http://schemas.android.com/tools">
              <domain-config>
                <!-- site -->
                <domain includeSubdomains="true">a.example</domain>
                <!-- team B -->
                <domain tools:ignore="X" includeSubdomains="false">b.example</domain>
                <domain includeSubdomains="true" tools:node="merge">C.example</domain> <!-- team C -->
                <domain>d.example</domain>
                <pin-set><pin digest="SHA-256">\(Self.x1)</pin></pin-set>
              </domain-config>
            </network-security-config>
            """
        let text = try written(
            #""a.example":{"subdomains":"all","pins":["\#(Self.x1)"]},"b.example":["\#(Self.x2)"],"c.example":["\#(Self.x3)"]"#,
            .android, into: file)
        #expect(
            text == """
                <network-security-config xmlns:tools="http://schemas.android.com/tools">
                  <domain-config>
                    <!-- site -->
                    <domain includeSubdomains="true">a.example</domain>
                    <domain>d.example</domain>
                    <pin-set><pin digest="SHA-256">\(Self.x1)</pin></pin-set>
                    <domain-config>
                      <!-- team B -->
                      <domain tools:ignore="X" includeSubdomains="false">b.example</domain>
                      <pin-set>
                        <pin digest="SHA-256">\(Self.x2)</pin>
                      </pin-set>
                    </domain-config>
                    <domain-config>
                      <domain includeSubdomains="false" tools:node="merge">C.example</domain> <!-- team C -->
                      <pin-set>
                        <pin digest="SHA-256">\(Self.x3)</pin>
                      </pin-set>
                    </domain-config>
                  </domain-config>
                </network-security-config>
                """)
    }
}
