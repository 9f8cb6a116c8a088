import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import PropertyLists

/// A domain that moves to another `domain-config` keeps what a person wrote in it and beside it.
@Suite struct AndroidMovedDomainTests {
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
                <pin-set><pin digest="SHA-256">\(ExistingFile.x1)</pin></pin-set>
              </domain-config>
            </network-security-config>
            """
        let text = try ExistingFile.written(
            #""a.example":{"subdomains":"all","pins":["\#(ExistingFile.x1)"]},"b.example":["\#(ExistingFile.x2)"],"c.example":["\#(ExistingFile.x3)"]"#,
            .android, into: file)
        #expect(
            text == """
                <network-security-config xmlns:tools="http://schemas.android.com/tools">
                  <domain-config>
                    <!-- site -->
                    <domain includeSubdomains="true">a.example</domain>
                    <domain>d.example</domain>
                    <pin-set><pin digest="SHA-256">\(ExistingFile.x1)</pin></pin-set>
                    <domain-config>
                      <!-- team B -->
                      <domain tools:ignore="X" includeSubdomains="false">b.example</domain>
                      <pin-set>
                        <pin digest="SHA-256">\(ExistingFile.x2)</pin>
                      </pin-set>
                    </domain-config>
                    <domain-config>
                      <domain includeSubdomains="false" tools:node="merge">C.example</domain> <!-- team C -->
                      <pin-set>
                        <pin digest="SHA-256">\(ExistingFile.x3)</pin>
                      </pin-set>
                    </domain-config>
                  </domain-config>
                </network-security-config>
                """)
    }
}
