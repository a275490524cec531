/* studio_private.h - shared by the files of studio/. */
#ifndef LOCKSTEP_STUDIO_PRIVATE_H
#define LOCKSTEP_STUDIO_PRIVATE_H

#include "os/os.h"
#include "studio/studio.h"

#include <jansson.h>
#include <sys/select.h>

struct MHD_Connection;
struct MHD_Response;

/* ---- may a request be served? (guard.c): pure functions, but for guard_rate ---- */

enum { TOKEN_SIZE = 33 }; /* 128 bits as hexadecimal digits, and a NUL */
struct guard {
    char token[TOKEN_SIZE];
    const char *const
        *hosts; /* names under which the server may be reached, beside this machine's names */
    int host_count;
    double tokens, at; /* for guard_rate: how many requests are allowed at the time `at` */
};
/* What a request contains; NULL: it has no such part. */
struct asked {
    const char *method, *path, *host, *origin, *site, *cookie, *token;
};
void guard_new_token(char token[TOKEN_SIZE]);
int guard_is_token(const char *text); /* Has a text the form of a token? */
/* May a request be served? Returns 0, or the HTTP status of a refusal; *why: the reason, in a
 * sentence. */
int guard_refuses(const struct guard *g, const struct asked *r, const char **why);
/* Is this request one too many? now: a clock in seconds. */
int guard_rate(struct guard *g, double now);

/* ---- the learner's folder (folder.c) ---- */

enum { FOLDER_TEXT = 1 << 20, FOLDER_OPENED = 64, FILE_NAME = 112, VERSION = 17 };
struct folder {
    const char *path;
    int own; /* descriptor of the folder .studio in the learner's folder */
    /* descriptor of the learner's folder; files are opened only below it, and links are not
     * followed */
    int fd;
    int notify; /* descriptor of os_watch_open; -1: files are looked at each second */
    struct opened {
        char file[FILE_NAME], version[VERSION];
        long long stamp[3];  /* modification time, inode, size when last checked */
    } opened[FOLDER_OPENED]; /* files that a page has shown, and .progress */
    int count;
};
/* Has a file name the form "FOLDER/NAME.cu" or "FOLDER/NAME.c", with only ASCII letters, digits, -
 * and _ in both names? */
int folder_names(const char *file);
int folder_open(struct folder *f, const char *path, struct err *e);
void folder_close(struct folder *f);
/* Read a file, and watch it from now on. The caller frees *text. -1: there is no such file, or it
 * cannot be read. */
int folder_read(struct folder *f, const char *file, char **text, char version[VERSION]);
/* Replace a file by a text if its version is still `base`; base "": there must be no such file. The
 * previous text is kept in .studio/history. Returns 0 and the new version; 1: the file has another
 * version than base; -1 with an error. */
int folder_save(struct folder *f, const char *file, const char *base, const char *text,
    size_t length, char version[VERSION], struct err *e);
/* Call changed for each opened file that has changed since the last call. */
void folder_look(struct folder *f, void (*changed)(const char *file, const char *version));
/* The names of the files in play/. The caller owns the list. */
json_t *folder_plays(struct folder *f);
/* Read the token of this folder, or make one; it is the same after a restart. */
int folder_token(struct folder *f, char token[TOKEN_SIZE], struct err *e);

/* ---- server-sent events (events.c) ---- */

/* A response that streams events to one tab. NULL: there are too many tabs. */
struct MHD_Response *events_open(struct MHD_Connection *c);
/* Send an event with this object, which is freed, to each tab. */
void events_send(json_t *o);
/* Send something to every tab, which keeps its connection alive, and shows which are closed. */
void events_beat(void);
int events_count(void);
void events_close(void);

/* ---- children (jobs.c) ---- */

struct jobs_options {
    char *program; /* the path of lockstep */
    const char *student, *device;
};
enum { JOB_VALUES = 5, JOB_VALUE = 96 };
extern const char *const job_values[JOB_VALUES];
/* The parameters of a request for a job. file: FOLDER/NAME.cu; value: one for each name in
 * job_values; "": not given. */
struct job_values {
    char file[FILE_NAME], value[JOB_VALUES][JOB_VALUE];
};
/* Start a job, or put it in the queue. A job of the same kind for the same file is ended. -1 with
 * ERR_USAGE: there is no such job, a value is not valid, or too many jobs wait. */
int jobs_add(const struct jobs_options *o, const char *kind, const struct job_values *v,
    struct folder *folder, struct err *e);
/* Add the descriptors of running children to `in`; *most becomes the largest one. */
void jobs_wait(fd_set *in, int *most);
/* Read and send what children have printed, and start waiting jobs. */
void jobs_turn(void);
void jobs_end(void);

#endif
