#ifndef WEIR_CSYSTEM_H
#define WEIR_CSYSTEM_H

// System headers and calls that Swift's Glibc module does not show.
#include <sys/socket.h>

#endif
