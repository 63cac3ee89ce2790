/* See require.h. */
#include "base/require.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void require_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "sprung: internal error: %s:%d: %s is not true\n", file, line, condition);
    abort();
}
