#ifndef WEIR_CSYSTEM_H
#define WEIR_CSYSTEM_H

// System headers and calls that Swift's Glibc module does not show, or that Linux and macOS
// spell differently. Each call returns -1 and sets errno, as the call it stands for does.

#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#endif

/// A stream socket that never blocks, is not inherited by programs we start, and raises no SIGPIPE.
int weir_socket(int domain);

/// Accepts one connection; the new socket has the three properties of weir_socket.
int weir_accept(int listener, struct sockaddr *peer, socklen_t *length);

/// How many bytes have arrived on a socket and were not read yet.
int weir_unread(int socket);

/// How many bytes were written to a socket that the other end has not acknowledged.
int weir_untaken(int socket);

/// Sends up to three pieces with one system call, without SIGPIPE.
ssize_t weir_send(
    int socket,
    const void *prefix, size_t prefix_length,
    const void *run, size_t run_length,
    const void *suffix, size_t suffix_length);

/// The text of an errno value, in `buffer` or in constant memory. Safe on any thread.
const char *weir_error_text(int code, char *buffer, size_t length);

#endif
