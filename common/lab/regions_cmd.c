/* regions_cmd.c - lockstep regions: random kernels, and where their lanes meet by ptxas's machine code and not as told from the PTX.
 *
 * It needs ptxas and no GPU: which rules of common/ptx/regions.c hold for the ptxas at hand is seen here. */
#include "lab/commands.h"
#include "lab/elsewhere.h"
#include "lab/spawn.h"

#include <stdio.h>
#include <stdlib.h>

enum { KERNELS_MAX = 1000000 };

struct count {
    int kernels, same;
    size_t made, told; /* regions that only ptxas makes; that are told alone */
};

static int add(void *data, uint64_t seed, const int (*pairs)[2], size_t count, struct err *e)
{
    struct count *c = data;
    (void)e;
    c->kernels++;
    c->same += !count;
    for (size_t i = 0; i < count; i++) {
        c->made += pairs[i][0] > 0;
        c->told += !pairs[i][0];
        const char *where = pairs[i][1] < 0 ? "before the next turn of the loop that begins on" : "at";
        if (pairs[i][0])
            printf("random_%llu: ptxas has lanes of the branch on line %d meet %s line %d\n", (unsigned long long)seed, pairs[i][0], where,
                   abs(pairs[i][1]));
        else
            printf("random_%llu: ptxas has no lanes meet %s line %d\n", (unsigned long long)seed, where, abs(pairs[i][1]));
    }
    return 0;
}

static int numbers(struct random_files *set, const char *seed, const char *count, struct err *e)
{
    uint64_t n = 100;
    set->seed = 1;
    if ((seed && options_number("--seed", seed, UINT64_MAX / 2, &set->seed, e)) ||
        (count && options_number("--count", count, KERNELS_MAX, &n, e)))
        return -1;
    set->count = (int)n;
    set->files = (set->count + RANDOM_PER_FILE - 1) / RANDOM_PER_FILE;
    return 0;
}

static int compare(struct random_files *set, const char *program, struct err *e)
{
    struct count c = {0};
    char *ptxas = elsewhere_ptxas(program, e);
    int bad = !ptxas || random_write(set, e);
    for (int file = 0; file < set->files && !bad; file++)
        bad = elsewhere_visit_file(set, file, ptxas, add, &c, e);
    if (!bad)
        printf("%d kernels by %s, %d with all regions as told; %zu regions are ptxas's alone, %zu told alone\n", c.kernels,
               set->fronts[0].name, c.same, c.made, c.told);
    free(ptxas);
    return bad ? -1 : 0;
}

int command_regions(int argc, char **argv, struct err *e)
{
    const char *seed = NULL, *count = NULL, *front = NULL, *ptxas = NULL;
    struct kit kit;
    struct random_files set = {.kit = &kit};
    const struct option_spec specs[] = {{"--seed", &seed}, {"--count", &count}, {"--front", &front}, {"--from", &set.from},
                                        {"--ptxas", &ptxas}, {0}};
    if (options_parse(argc, argv, specs, NULL, 0, e) < 0 || numbers(&set, seed, count, e) || random_fronts(&set, front, e) ||
        kit_find(&kit, e))
        return -1;
    while (set.front_count > 1)
        front_free(&set.fronts[--set.front_count]);
    set.directory = kit_temporary(&kit, e);
    free(kit.cache); /* random files are never met again */
    kit.cache = NULL;
    int bad = !set.directory || compare(&set, ptxas, e);
    if (set.directory)
        spawn_remove_directory(set.directory);
    free(set.directory);
    front_free(&set.fronts[0]);
    kit_free(&kit);
    return bad ? -1 : 0;
}
