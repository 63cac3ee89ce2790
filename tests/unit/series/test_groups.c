/* The table of groups: which keys are one group, also where their hashes are equal; rows of the block. */
#include "series/groups.h"

#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static struct group *get(struct groups *all, const char *key)
{
    struct group *g = groups_get(all, key, strlen(key));
    assert_non_null(g);
    return g;
}

static void keys_with_the_same_hash_are_different_groups(void **state)
{
    (void)state;
    struct groups all = { 0 };
    struct group *a = get(&all, "anna"), *b = get(&all, "ben");
    all.bucket[a->hash % all.nbucket] = NULL; /* as if it had been made with the hash of b */
    a->hash = b->hash;
    b->next = a;
    all.last = b; /* the likely next group is a, which is found by its key */
    assert_ptr_equal(get(&all, "anna"), a);
    assert_ptr_equal(get(&all, "ben"), b);
    assert_ptr_equal(get(&all, "anna"), a);
    struct group *c = get(&all, "cleo");
    assert_true(c != a && c != b);
    assert_int_equal(all.ngroup, 3);
    groups_free(&all);
}

static void a_key_that_begins_another_is_a_group_of_its_own(void **state)
{
    (void)state;
    struct groups all = { 0 };
    struct group *anna = get(&all, "anna"); /* the one that is tried first */
    assert_ptr_not_equal(get(&all, "ann"), anna);
    assert_ptr_not_equal(get(&all, ""), anna);
    assert_ptr_equal(get(&all, "anna"), anna);
    assert_int_equal(all.ngroup, 3);
    groups_free(&all);
}

/* The low 16 bits of the FNV-1a hash of what was hashed before and n bytes more. */
static unsigned fnv(unsigned hash, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = ((hash ^ (unsigned char)bytes[i]) * 0x1b3u) & 0xFFFF;
    return hash;
}

/* Two blocks of four letters each, NBLOCK times: whichever are chosen, FNV-1a has the same low bits. */
enum { NBLOCK = 12, LETTERS = 4, NKEY = 1 << NBLOCK };

static void spell(unsigned n, char *block)
{
    for (size_t i = 0; i < LETTERS; i++)
        block[i] = (char)('a' + (n >> 4 * i) % 16);
}

static void make_colliding_blocks(char block[NBLOCK][2][LETTERS])
{
    static unsigned maker[1 << 16]; /* of each hash, from 1 on */
    for (unsigned b = 0, hash = 0x2325, next; b < NBLOCK; b++, hash = next) {
        memset(maker, 0, sizeof maker);
        for (unsigned n = 1;; n++) {
            spell(n, block[b][1]);
            next = fnv(hash, block[b][1], LETTERS);
            if (maker[next])
                break;
            maker[next] = n;
        }
        spell(maker[next], block[b][0]);
    }
}

static size_t longest_chain(const struct groups *all)
{
    size_t longest = 0;
    for (size_t i = 0; i < all->nbucket; i++) {
        size_t n = 0;
        for (struct group *g = all->bucket[i]; g; g = g->next)
            n++;
        longest = n > longest ? n : longest;
    }
    return longest;
}

/* With a hash that can be foreseen, they would make one chain of 4096. As many random keys make chains of 6
 * to 8 groups; here the key of the hash is fixed, so that the numbers are the same each time. */
static void keys_cannot_be_made_to_fall_into_one_bucket(void **state)
{
    (void)state;
    static char block[NBLOCK][2][LETTERS], key[NKEY][NBLOCK * LETTERS];
    make_colliding_blocks(block);
    for (size_t k = 0; k < NKEY; k++) {
        for (size_t b = 0; b < NBLOCK; b++)
            memcpy(key[k] + b * LETTERS, block[b][k >> b & 1], LETTERS);
        assert_int_equal(fnv(0x2325, key[k], sizeof *key), fnv(0x2325, key[0], sizeof *key));
    }
    for (hash_key[0] = 0; hash_key[0] < 4; hash_key[0]++) {
        struct groups all = { 0 };
        for (size_t k = 0; k < NKEY; k++)
            assert_non_null(groups_get(&all, key[k], sizeof *key));
        assert_int_equal(all.ngroup, NKEY);
        assert_true(longest_chain(&all) <= 10);
        groups_free(&all);
    }
    hash_key[0] = 0;
}

/* So that messages and reports do not depend on the key of the hash. */
static void groups_are_in_order_of_appearance(void **state)
{
    (void)state;
    enum { N = 1000 };
    struct groups all = { 0 };
    char key[32];
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < N; i++) {
            snprintf(key, sizeof key, "%zu", i * 7 % N);
            get(&all, key);
        }
    size_t n = 0;
    for (struct group *g = all.first; g; g = g->after, n++) {
        snprintf(key, sizeof key, "%zu", n * 7 % N);
        assert_true(g->nkey == strlen(key) && memcmp(g->key, key, g->nkey) == 0);
    }
    assert_int_equal(n, N);
    groups_free(&all);
}

static void each_key_is_one_group_however_many_there_are(void **state)
{
    (void)state;
    enum { N = 5000 };
    static struct group *group[N];
    struct groups all = { 0 };
    char key[32];
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < N; i++) {
            snprintf(key, sizeof key, "%zu", i);
            struct group *g = get(&all, key);
            assert_true(turn == 0 || g == group[i]);
            group[i] = g;
            assert_int_equal(all.ngroup, turn == 0 ? i + 1 : N);
        }
    assert_ptr_equal(groups_get(&all, "12345", 3), group[123]);
    assert_non_null(groups_get(&all, "1\0", 2));
    assert_int_equal(all.ngroup, N + 1);
    groups_free(&all);
}

static void cell_text(const struct reader *r, const struct block *b, size_t row, size_t column,
                      struct cell_text *cell)
{
    (void)r, (void)column;
    cell->n = b->cell[row].n;
    cell->text = b->text + b->cell[row].at;
}

static void a_block_is_sorted_by_group(void **state)
{
    (void)state;
    enum { N = 101 };
    struct groups all = { 0 };
    struct error e;
    char text[N + 1];
    struct span cells[N];
    static const struct format format = { .cell = cell_text };
    struct column column = { .name = NULL };
    struct column_use use = { .cell = 0 };
    const struct columns columns = { .column = &column, .ncolumn = 1 };
    size_t grouping = 0;
    const struct column_plan plan = { .columns = &columns, .use = &use, .group = &grouping, .ngroup = 1 };
    const struct reader r = { .format = &format, .columns = columns, .plan = &plan };
    struct group *found[N];
    struct sorted_rows sorted = { 0 };
    struct block b = { .text = text, .ntext = N, .nrow = N, .ncell = 1, .cell = cells, .group = found };
    memset(text, 'a', N + 1);
    text[0] = text[N - 1] = 'b';
    for (uint32_t i = 0; i < N; i++)
        cells[i] = (struct span){ i, 1 };
    for (size_t i = 0; i < N; i++)
        assert_non_null(found[i] = groups_find(&all, &r, &b, i, &e));
    for (int block = 0; block < 2; block++) {
        assert_true(groups_sort(&sorted, &all, &b, &e));
        const struct group_rows *part = sorted.part;
        assert_int_equal(sorted.npart, 2);
        assert_ptr_equal(part[0].group, get(&all, "b"));
        assert_true(part[0].n == 2 && part[0].index[1] == N - 1);
        assert_true(part[1].n == N - 2 && part[1].first == 1);
        assert_null(part[1].index); /* its rows lie side by side */
    }
    b.group = NULL;
    assert_true(groups_sort(&sorted, &all, &b, &e));
    assert_true(sorted.npart == 1 && sorted.part[0].n == N && sorted.part[0].group == all.first);
    sorted_rows_free(&sorted);
    groups_free(&all);
}

/* A row of a group whose key is one letter. */
struct timed_row {
    double time;
    char key;
};

enum { MOST_ROWS = 16 };

static char ended[MOST_ROWS]; /* keys */
static size_t nended;

/* One block of n rows. */
static void sort_rows(struct groups *all, enum timestamp_form form, const struct timed_row *row, size_t n)
{
    static const struct format format = { .cell = cell_text };
    static struct column column;
    static struct column_use use = { .cell = 0 };
    static size_t grouping = 0;
    const struct columns columns = { .column = &column, .ncolumn = 1 };
    const struct column_plan plan = {
        .columns = &columns, .use = &use, .group = &grouping, .ngroup = 1, .form = form
    };
    const struct reader r = { .format = &format, .columns = columns, .plan = &plan };
    char text[MOST_ROWS];
    struct span cells[MOST_ROWS];
    struct timestamp time[MOST_ROWS];
    const struct block b = { .text = text, .ntext = n, .nrow = n, .ncell = 1, .cell = cells, .time = time };
    struct error e;
    for (size_t i = 0; i < n; i++) {
        text[i] = row[i].key;
        cells[i] = (struct span){ (uint32_t)i, 1 };
        time[i] = (struct timestamp){ row[i].time, { (int64_t)(10 * row[i].time), -1, true } };
    }
    nended = 0;
    all->last = NULL;
    for (size_t i = 0; i < n; i++)
        assert_non_null(groups_find(all, &r, &b, i, &e));
    groups_forget(all, &plan);
    for (const struct group *g = all->first_ended; g; g = g->after)
        ended[nended++] = *g->key;
    assert_int_equal(nended, all->nended);
    groups_release(all, nended);
}

static void groups_without_rows_are_forgotten(void **state)
{
    (void)state;
    struct groups all = { .forget = 10 };
    const struct timed_row first[] = { { 0, 'a' }, { 1, 'b' }, { 10, 'a' }, { 11, 'b' }, { 21.5, 'b' } };
    sort_rows(&all, TIMESTAMP_NUMBER, first, 3);
    assert_int_equal(all.ngroup, 2);
    assert_int_equal(nended, 0);
    sort_rows(&all, TIMESTAMP_NUMBER, first + 3, 2);
    assert_int_equal(all.nmade, 3);  /* b began anew after 10.5 seconds */
    assert_int_equal(all.ngroup, 1); /* a had its last row at 10 */
    assert_int_equal(nended, 2);
    assert_memory_equal(all.first->key, "b", 1);
    assert_int_equal(all.first->number, 2);
    const struct timed_row back[] = { { 3, 'c' }, { 4, 'c' }, { 13.5, 'c' }, { 24, 'c' }, { 25, 'd' } };
    sort_rows(&all, TIMESTAMP_NUMBER, back, 3); /* earlier times: the clock stands still, and c goes on */
    assert_int_equal(all.nmade, 4);
    assert_int_equal(nended, 0);
    sort_rows(&all, TIMESTAMP_NUMBER, back + 3, 2); /* its own step is too long */
    assert_int_equal(all.nmade, 6);
    assert_int_equal(nended, 1);
    assert_int_equal(ended[0], 'c');
    groups_free(&all);
}

/* Within one block, so that the end of the block forgets nothing: the clock is the latest time of all rows,
 * also after rows with earlier times. */
static void a_group_is_forgotten_by_the_time_of_other_groups(void **state)
{
    (void)state;
    struct groups all = { .forget = 10 };
    const struct timed_row row[] = { { 0, 'a' }, { 20, 'b' }, { 3, 'a' }, { 5, 'a' } };
    sort_rows(&all, TIMESTAMP_NUMBER, row, 4);
    assert_int_equal(all.nmade, 3); /* the first a ended at 20; the second one began at the clock of 20 */
    assert_int_equal(nended, 1);
    groups_free(&all);
    const struct timed_row back[] = { { 0, 'a' }, { 20, 'b' }, { 5, 'c' }, { 8, 'a' } };
    all.forget = 10;
    sort_rows(&all, TIMESTAMP_NUMBER, back, 4);
    assert_int_equal(all.nmade, 4); /* c does not turn the clock back */
    groups_free(&all);
    all.forget = 20;
    sort_rows(&all, TIMESTAMP_NUMBER, row, 4);
    assert_int_equal(all.nmade, 2); /* 20 s are not more than --forget */
    groups_free(&all);
}

/* Times of day: the clock passes midnight by the rows of other groups, and a group by its own rows. */
static void forgetting_goes_on_over_midnight(void **state)
{
    (void)state;
    enum { DAY = 86400 };
    struct groups all = { .forget = 10 };
    const struct timed_row others[] = { { DAY - 5, 'a' }, { DAY - 1, 'b' }, { 5, 'b' },
                                        { 14, 'b' },      { 20, 'b' },      { 4, 'a' } };
    sort_rows(&all, TIMESTAMP_CLOCK, others, 6);
    assert_int_equal(all.nmade, 3); /* the clock is 25 s after the first a, whose own step is 9 s */
    groups_free(&all);
    all.forget = 10;
    const struct timed_row own[] = { { DAY - 1, 'b' }, { DAY - 20, 'a' }, { 0, 'a' } };
    sort_rows(&all, TIMESTAMP_CLOCK, own, 3);
    assert_int_equal(all.nmade, 3); /* the step of a is 20 s, and the clock moved by 1 s */
    groups_free(&all);
    all.forget = 30;
    sort_rows(&all, TIMESTAMP_CLOCK, others, 6);
    assert_int_equal(all.nmade, 2);
    groups_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_with_the_same_hash_are_different_groups),
        cmocka_unit_test(a_key_that_begins_another_is_a_group_of_its_own),
        cmocka_unit_test(keys_cannot_be_made_to_fall_into_one_bucket),
        cmocka_unit_test(groups_are_in_order_of_appearance),
        cmocka_unit_test(each_key_is_one_group_however_many_there_are),
        cmocka_unit_test(a_block_is_sorted_by_group),
        cmocka_unit_test(groups_without_rows_are_forgotten),
        cmocka_unit_test(a_group_is_forgotten_by_the_time_of_other_groups),
        cmocka_unit_test(forgetting_goes_on_over_midnight),
    };
    return cmocka_run_group_tests_name("groups", tests, NULL, NULL);
}
