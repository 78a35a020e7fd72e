// Sends one request again and again over some keep-alive connections, and measures.
//
// Usage: load PORT CONNECTIONS IDLE SECONDS BODY FIRST PREFIX BLOCK COUNT SUFFIX
//
// A request is PREFIX, then BLOCK COUNT times, then SUFFIX; these are files. Its body has BODY
// bytes, and the answer has to be a 2xx that says so. Each connection, and IDLE more that then stay
// as they are, sends the request in the file FIRST once. Then the program prints `ready`, waits for
// a line, sends for SECONDS, each connection at least one request, prints what it measured as JSON,
// and waits for another line, or the end of input, before it closes its connections.

#include "loop.h"

struct bytes {
    char *at;
    size_t count;
};

struct connection {
    int fd;
    int waits_to_write;
    unsigned piece; // of the request: 0 is the prefix, then the blocks, then the suffix
    size_t offset;  // in that piece
    uint64_t began;
    size_t have; // of the answer
    char answer[4096];
};

static struct bytes prefix, block, suffix;
static unsigned long block_count;
static uint64_t expected_body, deadline;
static uint64_t *latencies;
static size_t requests, room;
static int epoll, port, active;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static struct bytes contents(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) fail(path);
    fseek(file, 0, SEEK_END);
    struct bytes bytes = {.count = (size_t)ftell(file)};
    rewind(file);
    bytes.at = malloc(bytes.count + 1);
    if (!bytes.at || fread(bytes.at, 1, bytes.count, file) != bytes.count) fail(path);
    fclose(file);
    return bytes;
}

static void refuse(const char *what, const char *answer) {
    fprintf(stderr, "%s:\n%s\n", what, answer);
    exit(1);
}

/// The length of the answer in `text` if it is whole, or 0. One that will not do ends the program.
static size_t answer_length(const char *text, size_t count) {
    const char *end = memmem(text, count, "\r\n\r\n", 4);
    if (!end) return 0;
    if (memcmp(text, "HTTP/1.1 2", 10)) refuse("not a 2xx", text);
    const char *field = strcasestr(text, "\ncontent-length:");
    if (!field || field > end) refuse("an answer without length", text);
    size_t length = strtoul(field + strlen("\ncontent-length:"), NULL, 10);
    length += (size_t)(end + 4 - text);
    if (count > length) refuse("more than an answer", text);
    return count == length ? length : 0;
}

static void check_body(const char *text, size_t length, uint64_t expected) {
    uint64_t arrived = strtoull(text + length - ANSWER_DIGITS, NULL, 10);
    if (arrived != expected) refuse("bytes are missing", text);
}

static void watch(struct connection *c, int operation, int for_writing) {
    struct epoll_event event = {.events = EPOLLIN | (for_writing ? EPOLLOUT : 0), .data.ptr = c};
    check(epoll_ctl(epoll, operation, c->fd, &event), "epoll_ctl");
    c->waits_to_write = for_writing;
}

static const struct bytes *piece(const struct connection *c) {
    if (c->piece == 0) return &prefix;
    if (c->piece <= block_count) return &block;
    return c->piece == block_count + 1 ? &suffix : NULL;
}

/// Sends as much of the request as the connection takes.
static void send_more(struct connection *c) {
    const struct bytes *bytes;
    const unsigned long last_piece = suffix.count ? block_count + 1 : block_count;
    while ((bytes = piece(c))) {
        int more = c->piece < last_piece ? MSG_MORE : 0;
        ssize_t count = send(c->fd, bytes->at + c->offset, bytes->count - c->offset,
                             MSG_NOSIGNAL | more);
        if (count < 0) {
            if (errno != EAGAIN) fail("send");
            if (!c->waits_to_write) watch(c, EPOLL_CTL_MOD, 1);
            return;
        }
        c->offset += (size_t)count;
        if (c->offset == bytes->count) c->piece++, c->offset = 0;
        while ((bytes = piece(c)) && bytes->count == 0) c->piece++;
    }
    if (c->waits_to_write) watch(c, EPOLL_CTL_MOD, 0);
}

static void begin(struct connection *c) {
    c->piece = 0, c->offset = 0, c->have = 0;
    c->began = now();
    send_more(c);
}

static void note(uint64_t latency) {
    if (requests == room) {
        room = room ? 2 * room : 65536;
        latencies = realloc(latencies, room * sizeof *latencies);
        if (!latencies) fail("realloc");
    }
    latencies[requests++] = latency;
}

static void receive(struct connection *c) {
    ssize_t count = recv(c->fd, c->answer + c->have, sizeof c->answer - 1 - c->have, 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) fail("a connection ended");
    c->have += (size_t)count;
    c->answer[c->have] = 0;
    size_t length = answer_length(c->answer, c->have);
    if (!length) return;
    if (piece(c)) refuse("an answer before the request was sent", c->answer);
    check_body(c->answer, length, expected_body);
    uint64_t time = now();
    note(time - c->began);
    if (time < deadline) begin(c);
    else active--;
}

/// A connection that has sent its first request and got the answer.
static int opened(const struct bytes *first) {
    int fd = check(socket(AF_INET, SOCK_STREAM, 0), "socket");
    struct sockaddr_in address = local(port);
    check(connect(fd, (struct sockaddr *)&address, sizeof address), "connect");
    set_nodelay(fd);
    // Closed by a reset, so that thousands of connections leave no port in use behind.
    struct linger linger = {1, 0};
    check(setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger), "SO_LINGER");
    struct timeval patience = {.tv_sec = 20};
    check(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), "SO_RCVTIMEO");
    if (send(fd, first->at, first->count, MSG_NOSIGNAL) != (ssize_t)first->count) fail("send");
    char text[4096];
    size_t have = 0;
    do {
        ssize_t count = recv(fd, text + have, sizeof text - 1 - have, 0);
        if (count <= 0) fail("a first request got no answer");
        have += (size_t)count;
        text[have] = 0;
    } while (!answer_length(text, have));
    return fd;
}

static int is_before(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static double percentile(double part) {
    return (double)latencies[(size_t)((double)(requests - 1) * part)] / 1e9;
}

int main(int argc, char **argv) {
    if (argc != 11) return 2;
    port = atoi(argv[1]);
    int connections = atoi(argv[2]), idle = atoi(argv[3]);
    double seconds = atof(argv[4]);
    expected_body = strtoull(argv[5], NULL, 10);
    struct bytes first = contents(argv[6]);
    prefix = contents(argv[7]), block = contents(argv[8]), suffix = contents(argv[10]);
    block_count = strtoul(argv[9], NULL, 10);
    epoll = check(epoll_create1(0), "epoll");

    for (int i = 0; i < idle; i++) opened(&first);
    struct connection *all = calloc((size_t)connections, sizeof *all);
    if (!all) fail("calloc");
    for (int i = 0; i < connections; i++) {
        all[i].fd = opened(&first);
        check(fcntl(all[i].fd, F_SETFL, O_NONBLOCK), "O_NONBLOCK");
        watch(&all[i], EPOLL_CTL_ADD, 0);
    }
    puts("ready");
    fflush(stdout);
    if (getchar() == EOF) return 1;

    uint64_t start = now();
    deadline = start + (uint64_t)(seconds * 1e9);
    active = connections;
    for (int i = 0; i < connections; i++) begin(&all[i]);
    struct epoll_event events[256];
    while (active) {
        int count = epoll_wait(epoll, events, 256, 60000);
        if (count == 0) errno = ETIMEDOUT, fail("nothing moves");
        if (count < 0 && errno != EINTR) fail("epoll_wait");
        for (int i = 0; i < count; i++) {
            if (events[i].events & ~(unsigned)EPOLLOUT) receive(events[i].data.ptr);
            if (events[i].events & EPOLLOUT) send_more(events[i].data.ptr);
        }
    }
    double took = (double)(now() - start) / 1e9;
    qsort(latencies, requests, sizeof *latencies, is_before);
    printf("{\"requests\": %zu, \"seconds\": %.6f, \"p50\": %.9f, \"p90\": %.9f, \"p99\": %.9f, "
           "\"p999\": %.9f}\n",
           requests, took, percentile(0.5), percentile(0.9), percentile(0.99), percentile(0.999));
    fflush(stdout);
    getchar();
    return 0;
}
