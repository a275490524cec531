/* studio_client.c - a client of the studio that need not keep to HTTP.
 *
 *     studio_client PORT                             send stdin, print the answer
 *     studio_client PORT fuzz SEED COUNT COOKIE      COUNT requests, each changed at random; prints how many of
 *                                                    them were answered, by status
 *     studio_client PORT many COUNT                  stdin, COUNT times at once; prints the same
 *     studio_client PORT saves FILE BASE COOKIE      save texts 1, 2, ... until there is no answer; prints the
 *                                                    number of the last one that was answered
 *     studio_client 0 whole FILE...                  the number of the text in each file; 0: none,
 *                                                    or not a whole one
 *
 * A third of fuzz's requests have no cookie. */
#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1 << 16 };
static int port, counts[1000];
static unsigned long long state;

static unsigned below(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return n ? (unsigned)(state >> 33) % n : 0;
}

static int connected(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd, (struct sockaddr *)&at, sizeof at)) {
        close(fd);
        return -1;
    }
    return fd;
}

static void send_all(int fd, const char *text, size_t n)
{
    for (ssize_t sent; n && (sent = send(fd, text, n, MSG_NOSIGNAL)) > 0; text += sent)
        n -= (size_t)sent;
}

/* Reads an answer into got: a head and its body, or what comes before `patience` milliseconds
 * without a byte. Returns the status; 0: there is none. */
static char got[4 << 20];
static int receive(int fd, int patience, int print)
{
    size_t length = 0;
    struct pollfd p = {fd, POLLIN, 0};
    while (length < sizeof got - 1 && poll(&p, 1, patience) > 0) {
        ssize_t n = read(fd, got + length, sizeof got - 1 - length);
        if (n <= 0) break;
        length += (size_t)n;
        got[length] = 0;
        const char *head = strstr(got, "\r\n\r\n"), *size = strstr(got, "Content-Length: ");
        if (head && !print && (!size || size > head)) break; /* a stream: its head is enough */
        if (head && size && size < head &&
            length >= (size_t)(head + 4 - got) + strtoul(size + 16, NULL, 10))
            break;
    }
    got[length] = 0;
    if (print) fwrite(got, 1, length, stdout);
    return !strncmp(got, "HTTP/1.1 ", 9) ? atoi(got + 9) % 1000 : 0;
}

static void print_counts(void)
{
    for (int i = 0; i < 1000; i++)
        if (counts[i]) printf("%d: %d\n", i, counts[i]);
}

static size_t a_request(char *out, const char *cookie)
{
    static const char *const paths[] = {"/", "/file?file=01-naive/add.cu", "/events", "/plays",
        "/main.js", "/slides/01-naive.html", "/file?file=../../etc/passwd",
        "/file?file=%2e%2e/%2e%2e/x.cu", "/run?job=labs", "/run?job=hint&file=01-naive/add.cu",
        "/save?file=play/a.cu&base=", "/run?job=lab&file=01-naive/add.cu&device=--out",
        "/editor.js", "//", "/\xff\xfe", "/?token=0"};
    int post = below(2), body = post ? (int)below(64) : 0;
    size_t n = (size_t)snprintf(out, MOST,
        "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s%s%sOrigin: http://127.0.0.1:%d\r\nContent-Length: %d\r\n\r\n%.*s",
        post ? "POST" : "GET", paths[below(sizeof paths / sizeof *paths)], port,
        below(3) ? "Cookie: " : "X-None: ", cookie, "\r\n", port, body, body,
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    for (unsigned k = below(6); k; k--) {
        size_t at = below((unsigned)n), length = 1 + below(8);
        switch (below(4)) {
        case 0: out[at] = (char)below(256); break;
        case 1: /* remove a piece */
            if (at + length < n) memmove(out + at, out + at + length, n - at - length), n -= length;
            break;
        case 2: /* repeat a piece */
            if (at + length < n && n + length < MOST)
                memmove(out + at + length, out + at, n - at), n += length;
            break;
        default: n = at + 1; /* end the request here */
        }
    }
    return n;
}

static void fuzz(unsigned long count, const char *cookie)
{
    static char text[MOST + 256];
    for (unsigned long i = 0; i < count; i++) {
        int fd = connected();
        if (fd < 0) {
            printf("no connection at request %lu\n", i);
            exit(1);
        }
        send_all(fd, text, a_request(text, cookie));
        shutdown(fd, SHUT_WR);
        counts[receive(fd, 20, 0)]++; /* a truncated request is not answered: status 0 */
        close(fd);
    }
}

static void many(int count, const char *text, size_t length)
{
    int *fd = calloc((size_t)count, sizeof *fd);
    for (int i = 0; i < count; i++) fd[i] = connected();
    for (int i = 0; i < count; i++) send_all(fd[i], text, length);
    for (int i = 0; i < count; i++) counts[fd[i] < 0 ? 0 : receive(fd[i], 20000, 0)]++;
    for (int i = 0; i < count; i++) close(fd[i]);
    free(fd);
}

/* Writes text `number`: both its ends and its length depend on the number. Returns the length. */
static size_t numbered(char *out, int number)
{
    size_t n = (size_t)sprintf(out, "// %d\n", number), end = 60000 + (size_t)number * 997 % 9000;
    while (n < end) n += (size_t)sprintf(out + n, "// the same words, line after line\n");
    return n + (size_t)sprintf(out + n, "// %d\n", number);
}

static int saves(const char *file, const char *base, const char *cookie)
{
    static char text[1 << 17], body[1 << 17];
    char version[17];
    snprintf(version, sizeof version, "%s", base);
    for (int number = 1;; number++) {
        size_t length = numbered(body, number);
        int head = sprintf(text,
            "POST /save?file=%s&base=%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n"
            "Cookie: %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n",
            file, version, port, port, cookie, length);
        int fd = connected();
        if (fd < 0) return number - 1;
        send_all(fd, text, (size_t)head);
        send_all(fd, body, length);
        int status = receive(fd, 5000, 0);
        const char *at = status == 200 ? strstr(got, "\"version\":\"") : NULL;
        close(fd);
        if (!at) return status ? -status : number - 1;
        snprintf(version, sizeof version, "%s", at + 11);
    }
}

/* Returns the number of the text in a file, or 0 if it is not exactly one of these texts. */
static int whole(const char *path)
{
    static char text[1 << 17], wanted[1 << 17];
    FILE *f = fopen(path, "r");
    size_t length = f ? fread(text, 1, sizeof text, f) : 0;
    int number = length > 3 ? atoi(text + 3) : 0;
    if (f) fclose(f);
    return numbered(wanted, number) == length && !memcmp(text, wanted, length) ? number : 0;
}

int main(int argc, char **argv)
{
    static char text[4 << 20];
    port = argc > 1 ? atoi(argv[1]) : 0;
    signal(SIGPIPE, SIG_IGN);
    if (argc == 6 && !strcmp(argv[2], "fuzz")) {
        state = strtoull(argv[3], NULL, 10);
        fuzz(strtoul(argv[4], NULL, 10), argv[5]);
        print_counts();
        return 0;
    }
    if (argc == 6 && !strcmp(argv[2], "saves"))
        return printf("%d\n", saves(argv[3], argv[4], argv[5])), 0;
    for (int i = 3; argc > 3 && !strcmp(argv[2], "whole") && i < argc; i++)
        printf("%d\n", whole(argv[i]));
    if (argc > 3 && !strcmp(argv[2], "whole")) return 0;
    size_t length = fread(text, 1, sizeof text, stdin);
    if (argc == 4 && !strcmp(argv[2], "many")) {
        many(atoi(argv[3]), text, length);
        print_counts();
        return 0;
    }
    int fd = connected();
    if (fd < 0) return 1;
    send_all(fd, text, length);
    receive(fd, 5000, 1);
    return 0;
}
