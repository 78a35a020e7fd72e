#define _GNU_SOURCE

#include "csystem.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#if !defined(__linux__)
// Where a socket cannot be born with its properties, they are set before anyone else sees it.
static int prepared(int socket)
{
    int on = 1;
    if (socket < 0) {
        return socket;
    }
    if (fcntl(socket, F_SETFD, FD_CLOEXEC) < 0
        || fcntl(socket, F_SETFL, O_NONBLOCK) < 0
        || setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on) < 0) {
        int code = errno;
        close(socket);
        errno = code;
        return -1;
    }
    return socket;
}
#endif

int weir_socket(int domain)
{
#if defined(__linux__)
    return socket(domain, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
#else
    return prepared(socket(domain, SOCK_STREAM, 0));
#endif
}

int weir_accept(int listener, struct sockaddr *peer, socklen_t *length)
{
#if defined(__linux__)
    return accept4(listener, peer, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
#else
    return prepared(accept(listener, peer, length));
#endif
}

int weir_unread(int socket)
{
    int count = 0;
    return ioctl(socket, FIONREAD, &count) < 0 ? -1 : count;
}

int weir_untaken(int socket)
{
    int count = 0;
    return ioctl(socket, TIOCOUTQ, &count) < 0 ? -1 : count;
}

ssize_t weir_send(
    int socket,
    const void *prefix, size_t prefix_length,
    const void *run, size_t run_length,
    const void *suffix, size_t suffix_length)
{
#if defined(MSG_NOSIGNAL)
    const int flags = MSG_NOSIGNAL;
#else
    const int flags = 0;
#endif
    struct iovec pieces[3];
    size_t count = 0;
    if (prefix_length > 0) {
        pieces[count++] = (struct iovec){(void *)prefix, prefix_length};
    }
    if (run_length > 0) {
        pieces[count++] = (struct iovec){(void *)run, run_length};
    }
    if (suffix_length > 0) {
        pieces[count++] = (struct iovec){(void *)suffix, suffix_length};
    }
    if (count == 1) {
        return send(socket, pieces[0].iov_base, pieces[0].iov_len, flags);
    }
    struct msghdr message = {.msg_iov = pieces, .msg_iovlen = count};
    return sendmsg(socket, &message, flags);
}

const char *weir_error_text(int code, char *buffer, size_t length)
{
#if defined(__GLIBC__)
    return strerror_r(code, buffer, length);
#else
    return strerror_r(code, buffer, length) == 0 ? buffer : "unknown error";
#endif
}
