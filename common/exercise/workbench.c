/* workbench.c - open the kit, the device, the front end and the directory, in this order.
 *
 * If the caller forks for each exercise and the device is a GPU, the device is opened only in a
 * child, which reports the GPU's name: a process that has opened a GPU must not fork. */
#include "exercise/exercise.h"
#include "os/os.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int workbench_simulated(const struct workbench *w) { return device_simulated(w->name); }

int workbench_device(struct workbench *w, struct err *e)
{
    if (!w->device && device_open(w->name, &w->device, e)) return -1;
    device_settings(w->device)->waits = isolate_wait;
    return 0;
}

/* ---- the device ---- */

/* Set title and counter from the open device. A simulated device counts for itself; for a GPU, the
 * simulated device of the same GPU counts, or the simulated H200 if the kit does not know the
 * GPU. */
static void look(struct workbench *w)
{
    const struct model_profile *p = device_profile(w->device);
    w->counter =
        workbench_simulated(w) ? xstrdup(w->name) : xasprintf("sim:%s", p ? p->name : "h200");
    w->title = xstrdup(device_title(w->device));
}

/* Called in a child process: opens the device and replies "COUNTER\nTITLE", the simulated device
 * that counts and the GPU's name. */
static int probe(void *context, struct buf *reply, struct err *e)
{
    struct workbench *w = context;
    if (workbench_device(w, e)) return -1;
    look(w);
    buf_printf(reply, "%s\n%s", w->counter, w->title);
    return 0;
}

/* Set title and counter, as look() does, but open the device in a child process. */
static int look_apart(struct workbench *w, struct err *e)
{
    /* limit for opening the device, in seconds; starting the driver of an idle GPU can take long */
    static const double PROBE_SECONDS = 60;
    struct buf found = {0};
    int bad = isolate_run(probe, w, PROBE_SECONDS, &found, e);
    char *line = bad ? NULL : memchr(found.data ? found.data : "", '\n', found.len);
    if (line) {
        w->counter = xstrndup(found.data, (size_t)(line - found.data));
        w->title = xstrdup(line + 1);
    } else if (!bad) {
        bad = err_set(e, ERR_ENV, "device '%s': could not be identified", w->name);
    }
    buf_free(&found);
    return bad;
}

/* On success w->device is NULL only if each exercise is to open the device in a child process. */
static int open_device(struct workbench *w, const struct workbench_options *o, struct err *e)
{
    w->name = xstrdup(o->device ? o->device : device_default());
    if (o->forks && device_needs_process(w->name)) return look_apart(w, e);
    if (workbench_device(w, e)) return -1;
    look(w);
    return 0;
}

/* ---- front end and directory ---- */

/* Find the compiler. PTX that was compiled elsewhere needs none: the file "front" beside it
 * names the one that was used. */
static int find_front(struct workbench *w, const struct workbench_options *o, struct err *e)
{
    char *text = NULL;
    if (!o->ptx) return front_find(&w->front, o->front, &w->kit, e);
    char *file = xasprintf("%s/front", o->ptx);
    int bad = file_read(file, 1024, &text, NULL, e);
    if (!bad) text[strcspn(text, "\n")] = 0;
    w->front = (struct front){.kind = "ptx", .name = text};
    free(file);
    return bad;
}

static int holds_labs(const char *directory)
{
    int found = 0;
    for (const struct lab *const *l = lab_table; *l && !found; l++) {
        char *path = xasprintf("%s/%s", directory, (*l)->name);
        found = file_exists(path);
        free(path);
    }
    return found;
}

/* If the directory is a whole clone of the kit, use its labs/ instead. */
static void enter_labs(struct workbench *w)
{
    char *labs = xasprintf("%s/labs", w->directory);
    if (!holds_labs(w->directory) && holds_labs(labs)) {
        free(w->directory);
        w->directory = labs;
    } else {
        free(labs);
    }
}

/* Is the directory the kit's folder of solutions, in a kit that has no solutions? */
static int lacks_solutions(const struct workbench *w)
{
    char *solutions = kit_path(&w->kit, "solutions");
    int lacks = !kit_has_solutions(&w->kit) && !strcmp(w->directory, solutions);
    free(solutions);
    return lacks;
}

/* Set w->directory; NULL: the kit's solutions or, in a handout, its labs. Slashes at the end are
 * removed, so that messages show clean paths. */
static int open_directory(struct workbench *w, const char *directory, struct err *e)
{
    struct stat st;
    w->directory = directory ? xstrdup(directory)
                             : kit_path(&w->kit, kit_has_solutions(&w->kit) ? "solutions" : "labs");
    for (size_t n = strlen(w->directory); n > 1 && w->directory[n - 1] == '/'; n--)
        w->directory[n - 1] = 0;
    if (stat(w->directory, &st) && lacks_solutions(w))
        return err_set(e, ERR_ENV,
            "%s: this kit is a handout, without solutions; without STUDENT= your files in labs/ run",
            w->directory);
    if (stat(w->directory, &st))
        return err_set(e, ERR_ENV,
            "%s: there is no such directory; it should have the layout of labs/ (make learn STUDENT=my makes "
            "such a folder)",
            w->directory);
    if (!S_ISDIR(st.st_mode))
        return err_set(
            e, ERR_ENV, "%s: is not a directory; it should have the layout of labs/", w->directory);
    enter_labs(w);
    return 0;
}

/* If a part cannot be opened, w is closed and set to zeros. */
int workbench_open(struct workbench *w, const struct workbench_options *o, struct err *e)
{
    *w = (struct workbench){.ptx = o->ptx};
    if (kit_find(&w->kit, e) || open_device(w, o, e) || find_front(w, o, e) ||
        open_directory(w, o->directory, e)) {
        workbench_close(w);
        return -1;
    }
    const struct model_profile *counter = model_profile_find(w->counter + strlen("sim:"));
    w->front.tile = counter ? model_tile(counter) : 0;
    return 0;
}

void workbench_close(struct workbench *w)
{
    if (w->device) device_close(w->device);
    front_free(&w->front);
    kit_free(&w->kit);
    free(w->directory);
    free(w->counter);
    free(w->name);
    free(w->title);
    *w = (struct workbench){0};
}

char *workbench_file(const char *directory, const struct lab *lab, const struct exercise *x)
{
    const char *suffix = x->kind == EXERCISE_HOST ? "c" : "cu";
    if (!strcmp(directory, ".")) return xasprintf("%s/%s.%s", lab->name, x->name, suffix);
    return xasprintf("%s/%s/%s.%s", directory, lab->name, x->name, suffix);
}
