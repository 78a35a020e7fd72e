internal import Dispatch
#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Turns addresses that operators write into those that sockets take.
///
/// A look-up may wait for seconds, so it never happens on a lane: it has a queue of its own,
/// whose threads are not those of the lanes.
package enum Resolver {
    /// Finds the addresses of a name.
    package typealias LookUp = @Sendable (Address) throws(TransportError) -> [SocketAddress]

    private static let queue = DispatchQueue(label: "resolver", attributes: .concurrent)

    /// Looks an address up; `completion` is called once, on the lane, in a later turn.
    ///
    /// At least one address is found, or it is a failure. An address that needs no look-up does
    /// not leave the lane. `lookUp` may wait for as long as it likes.
    package static func resolve(
        _ address: Address,
        on lane: Lane,
        by lookUp: @escaping LookUp = { address throws(TransportError) in
            try Resolver.resolveNow(address)
        },
        completion: @escaping (Result<[SocketAddress], TransportError>) -> Void
    ) {
        lane.assertOnLane()
        if let numeric = address.numeric {
            lane.later { completion(.success([numeric])) }
            return
        }
        let completion = LaneBound(completion)
        queue.async {
            let result: Result<[SocketAddress], TransportError>
            do throws(TransportError) {
                result = .success(try lookUp(address))
            } catch {
                result = .failure(error)
            }
            lane.run { completion.value(result) }
        }
    }

    /// Looks an address up and waits for the answer: at start only, never on a lane.
    package static func resolveNow(
        _ address: Address
    ) throws(TransportError) -> [SocketAddress] {
        if let numeric = address.numeric { return [numeric] }
        guard let host = address.host, let port = address.port else {
            throw TransportError(.resolve, code: EAI_NONAME)
        }
        var found: [SocketAddress] = []
        let code = unsafe lookUp(host) { entry in
            // SAFETY: the address and its length are the resolver's, valid during this call.
            let bytes = unsafe UnsafeRawBufferPointer(
                start: entry.ai_addr,
                count: Int(entry.ai_addrlen)
            )
            if let address = unsafe SocketAddress(bytes)?.with(port: port),
                !found.contains(address)
            {
                found.append(address)
            }
        }
        guard code == 0 else { throw TransportError(.resolve, code: code) }
        guard !found.isEmpty else { throw TransportError(.resolve, code: EAI_NONAME) }
        return found
    }

    /// Calls `body` with each entry found; returns 0 or the resolver's error.
    private static func lookUp(_ host: String, _ body: (addrinfo) -> Void) -> Int32 {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        unsafe hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else { return code }
        // SAFETY: the list is walked once, from its head, and freed afterwards.
        var next = unsafe list
        while let entry = unsafe next {
            unsafe body(entry.pointee)
            unsafe next = entry.pointee.ai_next
        }
        unsafe freeaddrinfo(list)
        return 0
    }
}
