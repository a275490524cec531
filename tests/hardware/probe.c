/* probe.c - lockstep-hardware probe: measure the figures of a device profile and print them beside
 * its own.
 *
 *     on a GPU            the figures are what a profile for this GPU should state
 *     on a simulator      the same kernels must find the profile's own figures again; they are added to
 *                         the record of the real GPU, if there is one
 */
#include "hardware/hardware.h"
#include "hardware/probe.h"
#include "hardware/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The row of a figure; a new one if the record has none. */
static json_t *row_of(json_t *figures, const struct probe *p)
{
    size_t i;
    json_t *row;
    json_array_foreach(
        figures, i, row) if (!strcmp(record_text(row, "figure"), p->figure)) return row;
    row = json_pack("{s:s, s:s, s:s}", "figure", p->figure, "unit", p->unit, "how", p->how);
    json_array_append_new(figures, row);
    return row;
}

static void set(json_t *row, const char *key, double v)
{
    json_object_set_new(row, key, json_number(v));
}

static void print_cell(struct buf *out, double v)
{
    if (isfinite(v))
        buf_printf(out, "%10.4g ", v);
    else
        buf_printf(out, "%10s ", "-");
}

/* Run all probes, print each result and store it under `found`, which is "measured" or
 * "simulated". */
static int probe_all(struct prober *p, json_t *figures, const char *found, struct err *e)
{
    const struct model_profile *profile = device_profile(p->device);
    printf("%-20s %-14s %10s %10s\n", "figure", "unit", "profile", found);
    for (const struct probe *q = probes; q->figure; q++) {
        double v, own = profile ? q->row(profile) : NAN;
        struct buf line = {0};
        json_t *row = row_of(figures, q);
        if (q->run(p, &v, e)) return -1;
        set(row, found, v);
        set(row, "profile", own);
        buf_printf(&line, "%-20s %-14s ", q->figure, q->unit);
        print_cell(&line, own);
        print_cell(&line, v);
        printf("%s  %s\n", line.data, q->how);
        fflush(stdout);
        buf_free(&line);
    }
    return 0;
}

/* If the device simulates a GPU that was measured, read that GPU's record. Otherwise *record stays
 * as it is, and a new record is used. */
static int find_record(const struct workbench *b, int simulated, json_t **record, struct err *e)
{
    const char *device = device_name(b->device);
    char *file = record_file(&b->kit, device, "probes");
    int bad = 0;
    if (simulated && record_is_of(file, device)) bad = record_read(file, record, e);
    free(file);
    return bad;
}

int command_probe(int argc, char **argv, struct err *e)
{
    struct workbench_options o = {0};
    const char *out = NULL;
    const struct option_spec specs[] = {
        {"--device", &o.device}, {"--front", &o.front}, {"--ptx", &o.ptx}, {"--out", &out}, {0}};
    struct workbench b;
    struct build x = {0};
    struct prober p = {0};
    if (options_parse(argc, argv, specs, NULL, 0, e) < 0) return -1;
    const char *device = o.device ? o.device : device_default();
    int simulated = device_simulated(device);
    char *command = xasprintf("lockstep-hardware probe --device %s", device);
    /* starts nvidia-smi, which must come before a device is opened */
    json_t *record = record_new(command, "-");
    free(command);
    if (workbench_open(&b, &o, e)) {
        json_decref(record);
        return -1;
    }
    json_t *before = NULL;
    int bad = find_record(&b, simulated, &before, e);
    if (before) {
        json_decref(record);
        record = before;
    } else {
        json_object_set_new(record, "front_end", json_string(b.front.name));
        json_object_set_new(record, "figures", json_array());
    }
    bad = bad || kernels_open(&x, &b, &probe_lab, probe_lab.exercises, e) ||
          probe_open(&p, b.device, x.module, e);
    bad = bad ||
          probe_all(
              &p, json_object_get(record, "figures"), simulated ? "simulated" : "measured", e) ||
          (out && record_write(out, record, e));
    probe_close(&p);
    build_close(&x);
    workbench_close(&b);
    json_decref(record);
    return bad ? -1 : 0;
}
