/* Splices, apart from any format: texts with cells marked by letters. */
#include "formats/format.h"
#include "formats/splice.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NCELL = 3 };

/* Rows are lines; the cells of a row are the runs of 'a', 'b' and 'c' in it, those that it has. out column k
 * of row i is 10 * i + k, or a gap where the run is in upper case, of a lost value where it ends in '!'. The
 * cell holds that number where its run ends in '=', else another one. */
static void make(struct block *b, const char *text)
{
    struct error e;
    size_t i = 0;
    *b = (struct block){ 0 };
    b->ntext = strlen(text);
    assert_true(block_reserve_text(b, b->ntext, &e));
    memcpy(b->text, text, b->ntext);
    struct block_shape shape = { .ncell = NCELL, .nvalue = NCELL, .nout = NCELL };
    assert_true(block_reserve(b, 20, shape, &e) && block_make_goals(b, NCELL, &e));
    for (const char *p = text, *end; (end = strchr(p, '\n')); p = end + 1, i++) {
        b->row[i] = (struct span){ (uint32_t)(p - text), (uint32_t)(end - p) };
        for (unsigned k = 0; k < NCELL; k++) {
            struct span cell = { SPLICE_ABSENT, 0 };
            block_out(b, k)[i] = (double)(10 * i + k);
            block_value(b, k)[i] = block_goal(b, k)[i] = (double)NAN;
            for (const char *q = p; q < end; q++) {
                if ((*q | 0x20) != (char)('a' + k))
                    continue;
                cell.at = cell.n++ ? cell.at : (uint32_t)(q - text);
                block_value(b, k)[i] = q[1] == '=' ? block_out(b, k)[i] : -1;
                block_goal(b, k)[i] = *q < 'a' && q[1] == '!' ? (double)NAN : -1;
                if (*q < 'a')
                    block_out(b, k)[i] = (double)NAN;
            }
            b->cell[i * NCELL + k] = cell;
        }
    }
    b->nrow = i;
}

static bool decimals_of_cells;

static void check(const struct splice_piece *piece, size_t npiece, const char *text, const char *expected)
{
    const struct output_columns layout = { .nout = NCELL, .decimals_of_cells = decimals_of_cells };
    const struct writer writer = { .layout = &layout, .number = { NUMBER_SHORTEST, '.' } };
    struct splice splice = { .gap = "null", .writer = &writer };
    struct error e;
    struct block b;
    for (size_t k = 0; k < npiece; k++)
        assert_true(splice_add(&splice, piece[k], &e));
    make(&b, text);
    splice_print(&splice, &b);
    assert_int_equal(b.error.kind, ERROR_NONE);
    assert_int_equal(b.nbyte, strlen(expected));
    assert_memory_equal(b.bytes, expected, b.nbyte);
    block_free(&b);
    free(splice.piece);
}

#define CHECK(text, expected, ...)                                                                           \
    do {                                                                                                     \
        const struct splice_piece piece[] = { __VA_ARGS__ };                                                 \
        check(piece, sizeof piece / sizeof *piece, text, expected);                                          \
    } while (0)
#define REPLACE(k)                                                                                           \
    {                                                                                                        \
        .cell = (k), .replace = true, .out = (k), .text = "", .value = (k)                                   \
    }
#define AFTER(k, out_column, s)                                                                              \
    {                                                                                                        \
        .cell = (k), .out = (out_column), .text = (s), .ntext = sizeof(s) - 1                                \
    }

static void replaced(void **state)
{
    (void)state;
    CHECK("x a y\n<bb>\n", "x 0 y\n<bb>\n", REPLACE(0));
    CHECK("a,b,c\naaaaaaa,b,c\n", "0,b,2\n10,b,12\n", REPLACE(0), REPLACE(2));
    CHECK("a,b\nA,BB\n,b\n", "0,1\nA,BB\n,21\n", REPLACE(0), REPLACE(1));
    CHECK("abc\n", "012\n", REPLACE(0), REPLACE(1), REPLACE(2));
    CHECK("A!,B\n", "null!,B\n", REPLACE(0), REPLACE(1));
}

static void kept(void **state)
{
    (void)state;
    CHECK("aa=,bb,cc=\naa,bb=,C=\n", "aa=,1,cc=\n10,bb=,C=\n", REPLACE(0), REPLACE(1), REPLACE(2));
    CHECK("aa= b\n", "aa:0= 1\n", REPLACE(0), AFTER(0, 0, ":"), REPLACE(1));
}

static void decimals_of_replaced_cells(void **state)
{
    (void)state;
    decimals_of_cells = true;
    CHECK("a,b,c\naa=,b,c\n", "0.000000,1.000000,2.000000;2\naa=,11.000000,12.000000;12\n", REPLACE(0),
          REPLACE(1), REPLACE(2), AFTER(SPLICE_ROW, 2, ";"));
    decimals_of_cells = false;
}

static void added(void **state)
{
    (void)state;
    CHECK("[a] [b]\n[A]\n", "[a, 1] [b, 2]; 0\n[A, 11]; null\n", AFTER(0, 1, ", "), AFTER(1, 2, ", "),
          AFTER(SPLICE_ROW, 0, "; "));
    CHECK("{a}\n{A}\n", "{0,v:0]}\n{A,v:null]}\n", REPLACE(0), AFTER(0, 0, ",v:"), AFTER(0, SIZE_MAX, "]"));
}

static void in_any_order(void **state)
{
    (void)state;
    CHECK("c b a\na b c\nb c\nc B\n", "2 1;2+ 0-\n10- 11;12+ 12\n21;22+ 22\n32 B;32+\n", REPLACE(0),
          AFTER(0, SIZE_MAX, "-"), REPLACE(1), AFTER(1, 2, ";"), AFTER(1, SIZE_MAX, "+"), REPLACE(2));
}

static void other_bytes(void **state)
{
    (void)state;
    CHECK("a\nrest without a line end", "0\nrest without a line end", REPLACE(0));
    CHECK("no row", "no row", REPLACE(0));
    CHECK("0123456789012345678901234567890a0123456789012345678901234567890\n"
          "01234567890123456789012345678901a01234567890123456789012345678901\n"
          "0123456789012345678901234567890123456789a012345678901234567890123456789",
          "01234567890123456789012345678900"
          "0123456789012345678901234567890\n"
          "0123456789012345678901234567890110"
          "01234567890123456789012345678901\n"
          "0123456789012345678901234567890123456789a012345678901234567890123456789",
          REPLACE(0));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(replaced),
                                        cmocka_unit_test(kept),
                                        cmocka_unit_test(decimals_of_replaced_cells),
                                        cmocka_unit_test(added),
                                        cmocka_unit_test(in_any_order),
                                        cmocka_unit_test(other_bytes) };
    return cmocka_run_group_tests_name("splice", tests, NULL, NULL);
}
