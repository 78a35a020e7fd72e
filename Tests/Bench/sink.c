// An upload API that takes everything as fast as it can, and says how many bytes of body it got.
//
// Usage: sink. Prints the port it listens on, on 127.0.0.1.
//
// Content is left to the kernel: MSG_TRUNC drops it without a copy, so that the sink costs little
// beside the proxy that is measured. Only heads and the lines of chunks are read.

#include "loop.h"

#define BUFFER 16384
#define MOST_SKIPPED (4 << 20)

enum expects { HEAD, CONTENT, CHUNK_LINE, CHUNK, CHUNK_END, TRAILER };

struct connection {
    int fd;
    enum expects expects;
    uint64_t left; // of the content or the chunk
    uint64_t body; // bytes of body so far
    size_t begin, end;
    char buffer[BUFFER + 1];
};

static int epoll;

static void close_connection(struct connection *c) {
    close(c->fd);
    free(c);
}

static void answer(struct connection *c) {
    char text[128];
    int count = snprintf(text, sizeof text,
                         "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
                         "Content-Length: %d\r\n\r\n%0*llu",
                         ANSWER_DIGITS, ANSWER_DIGITS, (unsigned long long)c->body);
    // One that cannot be sent is missed by the client, which says so.
    (void)!send(c->fd, text, (size_t)count, MSG_NOSIGNAL);
    c->expects = HEAD;
    c->body = 0;
}

/// Takes a head, which ends at `end`, or refuses what this sink has no use for.
static void read_head(struct connection *c, char *head, char *end) {
    *end = 0;
    const char *length = strcasestr(head, "\ncontent-length:");
    if (strcasestr(head, "\ntransfer-encoding:")) {
        c->expects = CHUNK_LINE;
    } else {
        c->left = length ? strtoull(length + strlen("\ncontent-length:"), NULL, 10) : 0;
        c->expects = CONTENT;
    }
}

/// Goes on with what lies in the buffer. Returns false if more is needed.
static int advance(struct connection *c) {
    char *at = c->buffer + c->begin;
    size_t count = c->end - c->begin;
    char *line_end;
    switch (c->expects) {
    case HEAD: {
        char *end = memmem(at, count, "\r\n\r\n", 4);
        if (!end) return 0;
        c->begin += (size_t)(end + 4 - at);
        read_head(c, at, end);
        return 1;
    }
    case CONTENT:
    case CHUNK: {
        size_t taken = count < c->left ? count : c->left;
        c->begin += taken, c->left -= taken, c->body += taken;
        if (c->left) return 0;
        if (c->expects == CONTENT) answer(c);
        else c->expects = CHUNK_END;
        return c->begin < c->end;
    }
    case CHUNK_LINE:
    case CHUNK_END:
    case TRAILER:
        line_end = memchr(at, '\n', count);
        if (!line_end) return 0;
        c->begin += (size_t)(line_end + 1 - at);
        if (c->expects == CHUNK_LINE) {
            c->left = strtoull(at, NULL, 16);
            c->expects = c->left ? CHUNK : TRAILER;
        } else if (c->expects == CHUNK_END) {
            c->expects = CHUNK_LINE;
        } else if (line_end - at <= 1) {
            answer(c);
        }
        return 1;
    }
    abort();
}

static void serve(struct connection *c) {
    do {
        ssize_t count;
        int is_content = c->expects == CONTENT || c->expects == CHUNK;
        if (is_content && c->left > BUFFER) {
            count = recv(c->fd, NULL, c->left < MOST_SKIPPED ? c->left : MOST_SKIPPED, MSG_TRUNC);
            if (count > 0) c->left -= (uint64_t)count, c->body += (uint64_t)count;
        } else {
            memmove(c->buffer, c->buffer + c->begin, c->end - c->begin);
            c->end -= c->begin, c->begin = 0;
            if (c->end == BUFFER) fail("a head or line too long");
            count = recv(c->fd, c->buffer + c->end, BUFFER - c->end, 0);
            if (count > 0) c->end += (size_t)count;
        }
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (count <= 0) return close_connection(c);
        while (advance(c)) continue;
    } while (c->expects != HEAD || c->begin < c->end); // after an answer, epoll says when to go on
}

static void accept_all(int listener) {
    int fd;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        struct connection *c = calloc(1, sizeof *c);
        if (!c) fail("calloc");
        c->fd = fd;
        set_nodelay(fd);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
        check(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event), "epoll_ctl");
    }
    if (errno != EAGAIN && errno != ECONNABORTED) fail("accept");
}

int main(void) {
    int listener = check(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), "socket");
    struct sockaddr_in address = local(0);
    socklen_t length = sizeof address;
    check(bind(listener, (struct sockaddr *)&address, length), "bind");
    check(listen(listener, 4096), "listen");
    check(getsockname(listener, (struct sockaddr *)&address, &length), "getsockname");
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);

    epoll = check(epoll_create1(EPOLL_CLOEXEC), "epoll");
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL}, events[256];
    check(epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event), "epoll_ctl");
    for (;;) {
        int count = epoll_wait(epoll, events, 256, -1);
        if (count < 0 && errno != EINTR) fail("epoll_wait");
        for (int i = 0; i < count; i++) {
            if (events[i].data.ptr) serve(events[i].data.ptr);
            else accept_all(listener);
        }
    }
}
