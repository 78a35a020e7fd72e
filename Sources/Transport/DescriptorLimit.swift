#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// How many files and sockets this process may have open at once.
package enum DescriptorLimit {
    /// Raises the limit to the highest that the system allows this process.
    ///
    /// - Returns: The limit in force, also where it could not be raised.
    @discardableResult
    package static func raise() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return .max }
        if limit.rlim_cur < limit.rlim_max {
            var highest = limit
            highest.rlim_cur = limit.rlim_max
            if unsafe setrlimit(resource, &highest) == 0 { limit = highest }
        }
        return Int(clamping: limit.rlim_cur)
    }

    #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let resource = RLIMIT_NOFILE
    #endif
}
