#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// What the machine says of itself.
enum SystemFacts {
    /// Cores this process may run on, at least one.
    static var coreCount: Int {
        max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }
}
