/* main.c - lockstep-studio: the server of the studio. `lockstep studio` starts it and has checked its
 * options, so that each is followed by a value. */
#include "os/os.h"
#include "studio/studio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    struct studio_options o = {0};
    struct err e = {0};
    os_started_as(argv[0]);
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *name = argv[i], *value = argv[i + 1];
        if (!strcmp(name, "--student")) o.student = value;
        if (!strcmp(name, "--device")) o.device = value;
        if (!strcmp(name, "--listen")) o.listen = value;
        if (!strcmp(name, "--port")) o.port = atoi(value);
        if (!strcmp(name, "--browser")) o.quiet = !strcmp(value, "no");
        int names = !strcmp(name, "--host") || !strcmp(name, "--listen");
        if (names && o.host_count < STUDIO_HOSTS) o.hosts[o.host_count++] = value;
    }
    if (!o.student) {
        fprintf(stderr, "lockstep-studio: type lockstep studio, which starts it\n");
        return 2;
    }
    if (!studio_run(&o, &e)) return 0;
    fprintf(stderr, "lockstep-studio: %s\n", e.text);
    return e.kind == ERR_USAGE ? 2 : 1;
}
