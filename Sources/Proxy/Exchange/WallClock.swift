#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The hour of the day, for records; nothing is timed by it.
enum WallClock {
    static func nanosecondsSince1970() -> Int64 {
        var time = timespec()
        // SAFETY: the call writes one timespec, which outlives it.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)  // until the year 2262
    }
}
