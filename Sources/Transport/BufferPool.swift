/// The free buffers of one lane, so that a connection takes a warm one.
///
/// Last in, first out: the buffer that comes back last has its pages in the cache. At most
/// `maximumFree` are kept; the memory of the others goes back to the system at once.
package final class BufferPool {
    package let bufferCapacity: Int
    package let maximumFree: Int
    private var free: [ByteBuffer] = []

    package init(bufferCapacity: Int, maximumFree: Int) {
        self.bufferCapacity = bufferCapacity
        self.maximumFree = maximumFree
        free.reserveCapacity(maximumFree)
    }

    package var freeCount: Int { free.count }

    /// Takes a buffer: one that came back, or a new one.
    ///
    /// What it contains is unspecified. It throws only when the system has no memory to map.
    package func take() throws(TransportError) -> ByteBuffer {
        guard let buffer = free.popLast() else {
            return try ByteBuffer(capacity: bufferCapacity)
        }
        buffer.isPooled = false
        return buffer
    }

    /// Gives a buffer back, once, after which its bytes may not be looked at any more.
    package func give(_ buffer: ByteBuffer) {
        // Two connections with one buffer would see each other's uploads.
        precondition(!buffer.isPooled, "a buffer is given back once")
        guard free.count < maximumFree, buffer.capacity == bufferCapacity else { return }
        buffer.isPooled = true
        free.append(buffer)
    }
}
