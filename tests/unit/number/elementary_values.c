/* elementary_values          prints the hash of each function's results: the same on every machine
 * elementary_values N        prints N arguments and results of each function, which
 * tests/ref/elementary_check.py judges It needs no library, so it also runs where cmocka is missing. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit/number/elementary_values.h"

int main(int argc, char **argv)
{
    for (int i = 0; i < FUNCTIONS; i++) {
        const struct function *function = &functions[i];
        if (argc < 2)
            printf("%s %016" PRIx64 "\n", function->name, hash_of(function));
        uint64_t state = 1;
        for (long n = argc < 2 ? 0 : atol(argv[1]); n > 0; n--) {
            struct draw draw = next_draw(function, &state);
            printf("%s %a %a %a\n", function->name, draw.x, draw.y, draw.result);
        }
    }
}
