import TestSupport

extension TemporaryFolder {
    /// The environment with a configuration file of OpenSSL that sets this for every TLS context (config(5)).
    func openSSLConfiguration(_ setting: String) throws -> [String: String] {
        let path = try write(
            """
            openssl_conf = start
            [start]
            ssl_conf = modules
            [modules]
            system_default = defaults
            [defaults]
            \(setting)

            """, to: "openssl.cnf")
        return ["OPENSSL_CONF": path]
    }
}
