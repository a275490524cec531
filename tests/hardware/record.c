/* record.c - measurements as JSON, with a line for each row, so that a diff shows the rows that
 * changed.
 *
 *     {
 *     "command": "lockstep-hardware ladder --device cuda",
 *     "rows": [
 *       {"ladder": "matmul", ...},
 *       {"ladder": "matmul", ...}
 *     ]
 *     }
 */
#define _GNU_SOURCE
#include "hardware/record.h"
#include "exercise/exercise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RECORD_MAX = 8 << 20 };

/* The GPU's name and its driver's version, from nvidia-smi; "-" without it. */
static void set_smi(json_t *machine)
{
    char line[512] = "";
    FILE *p =
        popen("nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null", "re");
    char *comma = p && fgets(line, sizeof line, p) ? strstr(line, ", ") : NULL;
    if (p) pclose(p);
    line[strcspn(line, "\n")] = 0;
    if (comma) *comma = 0;
    json_object_set_new(machine, "gpu", json_string(comma ? line : "-"));
    json_object_set_new(machine, "driver", json_string(comma ? comma + 2 : "-"));
}

/* The date is UTC. */
json_t *record_new(const char *command, const char *front_end)
{
    char date[32];
    time_t now = time(NULL);
    json_t *machine = json_object(), *record = json_object();
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    set_smi(machine);
    json_object_set_new(record, "command", json_string(command));
    json_object_set_new(record, "date", json_string(date));
    json_object_set_new(record, "machine", machine);
    json_object_set_new(record, "front_end", json_string(front_end));
    return record;
}

char *record_file(const struct kit *k, const char *device, const char *what)
{
    const char *name = device && !strncmp(device, "sim:", 4) ? device + 4 : "h200";
    char *file = kit_path(k, "tests/hardware/records/%s-%s.json", name, what);
    if (file_exists(file)) return file;
    free(file);
    return kit_path(k, "tests/hardware/records/h200-%s.json", what);
}

int record_is_of(const char *file, const char *device)
{
    const char *name = strrchr(file, '/') + 1;
    size_t n = strlen(device) - strlen("sim:");
    return device_simulated(device) && !strncmp(name, device + strlen("sim:"), n) && name[n] == '-';
}

int record_read(const char *file, json_t **out, struct err *e)
{
    char *text = NULL;
    size_t len = 0;
    json_error_t why;
    if (file_read(file, RECORD_MAX, &text, &len, e)) return -1;
    *out = json_loadb(text, len, 0, &why);
    free(text);
    return *out ? 0 : err_set(e, ERR_ENV, "%s:%d: %s", file, why.line, why.text);
}

/* Append a value as JSON, with six digits: measurements are not reproducible to more. */
static void print_value(struct buf *out, const json_t *v)
{
    char *text = json_dumps(v, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
    buf_printf(out, "%s", text);
    free(text);
}

/* Only arrays are spread over several lines; every other value stays on the line of its key. */
int record_write(const char *file, const json_t *record, struct err *e)
{
    struct buf out = {0};
    const char *key, *before = "{\n";
    json_t *value, *row;
    size_t i;
    json_object_foreach((json_t *)record, key, value)
    {
        buf_printf(&out, "%s\"%s\": ", before, key);
        before = ",\n";
        if (!json_is_array(value)) {
            print_value(&out, value);
            continue;
        }
        json_array_foreach(value, i, row)
        {
            buf_printf(&out, i ? ",\n  " : "[\n  ");
            print_value(&out, row);
        }
        buf_printf(&out, json_array_size(value) ? "\n]" : "[]");
    }
    buf_printf(&out, "\n}\n");
    int bad = file_write(file, out.data, out.len, e);
    buf_free(&out);
    return bad;
}

double record_number(const json_t *row, const char *key)
{
    const json_t *v = json_object_get(row, key);
    return json_is_number(v) ? json_number_value(v) : NAN;
}

const char *record_text(const json_t *row, const char *key)
{
    const char *s = json_string_value(json_object_get(row, key));
    return s ? s : "";
}

/* Dims that the row does not have are 0. */
int record_dims(const json_t *row, int *dims)
{
    const json_t *a = json_object_get(row, "dims");
    int n = 0;
    memset(dims, 0, DIMS * sizeof *dims);
    for (; n < DIMS && n < (int)json_array_size(a); n++)
        dims[n] = (int)json_integer_value(json_array_get(a, (size_t)n));
    return n;
}
