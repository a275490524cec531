/* json.c - for the test scripts: json PATH... prints what stands at each path of the JSON text on
 * stdin, a line each.
 *
 *     exercises.0.score    members by name, elements by number
 *     exercises.#          how many there are
 *
 * Exit code 1 with a line on stderr when the text is no JSON or a path leads nowhere. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *step(json_t *at, const char *word)
{
    if (!strcmp(word, "#"))
        return json_integer(
            (json_int_t)(json_is_array(at) ? json_array_size(at) : json_object_size(at)));
    return json_is_array(at) ? json_array_get(at, (size_t)atoi(word)) : json_object_get(at, word);
}

int main(int argc, char **argv)
{
    json_error_t error;
    json_t *root = json_loadf(stdin, JSON_REJECT_DUPLICATES, &error);
    if (!root) return fprintf(stderr, "json: line %d: %s\n", error.line, error.text), 1;
    for (int i = 1; i < argc; i++) {
        json_t *at = root;
        char *path = argv[i];
        for (char *word; at && (word = strsep(&path, "."));) at = step(at, word);
        if (!at) return fprintf(stderr, "json: argument %d leads nowhere\n", i), 1;
        json_dumpf(at, stdout, JSON_ENCODE_ANY | JSON_COMPACT);
        putchar('\n');
    }
    return 0;
}
