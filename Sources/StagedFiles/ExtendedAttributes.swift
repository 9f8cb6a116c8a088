internal import CSystem
internal import Encodings
internal import PlaintextProtocols

/// The extended attributes of a file, with its access control list (xattr(7), acl(5)). Empty on systems other than Linux.
package struct ExtendedAttributes: Equatable {
    /// Why an attribute cannot be copied.
    package struct Failure: Error, Equatable {
        /// The name of the attribute; nil for the owner, the permissions or all attributes.
        package let name: String?
        package let code: Int32

        package init(name: String?, code: Int32) { (self.name, self.code) = (name, code) }

        package var text: String { SystemError(code: code).text }
    }

    /// A name as the system returns it, with the terminating null byte.
    private typealias Name = [CChar]

    private var values: [Name: [UInt8]] = [:]
    /// The errors of attributes that the system does not let this user read.
    private var unreadable: [Name: Int32] = [:]

    /// Maximum size of a value, and of the list of names (linux/limits.h).
    private static let maximumSize = 65536
    private static let accessControlList = Array("system.posix_acl_access".utf8CString)
    /// The kernel derives these from the contents and the other attributes, and only the kernel can do so.
    private static let derived = ["security.evm", "security.ima"].map { Array($0.utf8CString) }

    package init() {}

    package init(of descriptor: Int32) throws(Failure) {
        var list = [CChar](repeating: 0, count: Self.maximumSize)
        let size = unsafe pinctl_list_attributes(descriptor, &list, list.count)
        guard size >= 0 else {
            let code = pinctl_errno()
            guard [ENOTSUP, EOPNOTSUPP, ENOSYS].contains(code) else { throw Failure(name: nil, code: code) }
            return
        }
        for word in list.prefix(size).split(separator: 0) {
            let name = Array(word) + [0]
            guard !Self.derived.contains(name) else { continue }
            switch Self.value(of: name, descriptor) {
            case .success(let value): values[name] = value
            case .failure(let error):
                // Another process has removed it since then.
                if error.code == ENODATA { continue }
                guard Self.canBeLost(Self.text(of: name), error.code) else { throw Self.failure(name, error.code) }
                unreadable[name] = error.code
            }
        }
    }

    /// Gives a file these attributes, and no other ones of the class "user" or another access control list.
    ///
    /// - Returns: the attributes that the system does not let this user read or set. They are lost.
    package func copy(to descriptor: Int32) throws(Failure) -> [Failure] {
        var lost = unreadable
        for (name, value) in values where (try? Self.value(of: name, descriptor).get()) != value {
            guard unsafe pinctl_set_attribute(descriptor, name, value, value.count) != 0 else { continue }
            let code = pinctl_errno()
            guard Self.canBeLost(Self.text(of: name), code) else { throw Self.failure(name, code) }
            lost[name] = code
        }
        // The file may have the default access control list of its folder, or attributes of an earlier copy.
        for name in try ExtendedAttributes(of: descriptor).values.keys where values[name] == nil {
            guard name == Self.accessControlList || Self.text(of: name).hasPrefix("user.") else { continue }
            guard unsafe pinctl_remove_attribute(descriptor, name) == 0 else {
                throw Self.failure(name, pinctl_errno())
            }
        }
        return lost.map { Self.failure($0, $1) }.sorted { ($0.name ?? "") < ($1.name ?? "") }
    }

    /// Whether a file may lose an attribute after this error. Only the system sets attributes outside these two classes, and only for
    /// privileged processes. Those of the user and access control lists are always kept.
    static func canBeLost(_ name: String, _ code: Int32) -> Bool {
        [EPERM, EACCES, ENOTSUP, EOPNOTSUPP].contains(code) && !name.hasPrefix("user.") && !name.hasPrefix("system.")
    }

    private static func value(of name: Name, _ descriptor: Int32) -> Result<[UInt8], SystemError> {
        var value = [UInt8](repeating: 0, count: maximumSize)
        let size = unsafe pinctl_get_attribute(descriptor, name, &value, value.count)
        return size < 0 ? .failure(SystemError(code: pinctl_errno())) : .success(Array(value.prefix(size)))
    }

    private static func text(of name: Name) -> String {
        String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func failure(_ name: Name, _ code: Int32) -> Failure { Failure(name: text(of: name), code: code) }
}
