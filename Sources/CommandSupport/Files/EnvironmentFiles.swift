internal import Encodings
internal import FileConflicts

/// The files that OpenSSL and the C library read during a run because an environment variable names them or their folder.
///
/// ``SystemTrust`` registers those of `SSL_CERT_FILE` and `SSL_CERT_DIR`, which only some commands read.
package enum EnvironmentFiles {
    /// Configuration of OpenSSL (openssl-env(7)), aliases of host names (hostname(7)), and configuration of name resolution
    /// (host.conf(5)).
    static let files = ["OPENSSL_CONF", "HOSTALIASES", "RESOLV_HOST_CONF"]

    /// Folders of files that the configuration of OpenSSL includes, and of its providers and engines (openssl-env(7)).
    static let folders = ["OPENSSL_CONF_INCLUDE", "OPENSSL_MODULES", "OPENSSL_ENGINES"]

    /// Checks that OpenSSL and the C library do not wait for the writers of their configuration files.
    ///
    /// They open the files themselves, when a command first needs them, and ignore a file that they cannot open. A user who replaces a file
    /// after this check can only stop runs with this environment.
    ///
    /// - Throws: if one of ``files`` is a FIFO, a socket, or a device other than `/dev/null`.
    package static func check(_ environment: Environment) throws(CommandError) {
        for name in files {
            guard let path = environment[name], path != "/dev/null", OutputFile.isSpecial(path) else { continue }
            throw CommandError(
                "\(name) is \(path.quoted), which is not a regular file", hint: "use a regular file, or /dev/null")
        }
    }

    /// Registers the files as inputs of the running command, so that none of its outputs replaces one of them.
    package static func register(_ environment: Environment) {
        for path in files.compactMap({ environment[$0] }) { FileUse.reads(fileAt: path) }
        for path in folders.compactMap({ environment[$0] }) where !path.isEmpty { FileUse.reads(folder: path) }
    }
}
