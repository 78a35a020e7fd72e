/// What a client connection is occupied with: one request and its answer.
///
/// The connection passes on what happens on the client's side; the exchange answers by calling
/// `exchangeEnded` or `exchangeBroke` exactly once.
protocol Exchange: AnyObject {
    func begin()
    func clientIsReadable()
    func clientIsWritable()
    func clientTimedOut()
    func upstreamTimedOut()

    /// Writing to the client failed: it is gone.
    func clientFailed()

    /// The client's connection is broken; some of what came before may still be unread.
    func clientBroke()

    /// The client sends nothing more than what has arrived; some of that may still be unread.
    func clientFinishedSending()

    /// The proxy shuts down and waits no longer.
    func cut()

    /// What an operator is told of it while it runs.
    var statusLine: String { get }
}
