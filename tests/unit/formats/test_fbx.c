/* fbx: records and their values. */
#include "formats/fbx/fbx.h"
#include "unit/harness.h"

enum { MAXRECORD = 16 * 1024 };

/* Bytes of a binary file, as they are written. */
struct bytes {
    unsigned char at[MAXRECORD];
    size_t n;
    unsigned width;
};

static void put(struct bytes *b, uint64_t x, size_t width)
{
    for (size_t i = 0; i < width; i++)
        b->at[b->n++] = (unsigned char)(i < sizeof x ? x >> 8 * i : 0);
}

/* Begins a record with values; returns where the record begins. */
static size_t begin(struct bytes *b, const char *name, size_t nvalue, const char *values, size_t nbyte)
{
    size_t at = b->n, nname = strlen(name);
    put(b, 0, b->width);
    put(b, nvalue, b->width);
    put(b, nbyte, b->width);
    put(b, nname, 1);
    memcpy(b->at + b->n, name, nname);
    memcpy(b->at + b->n + nname, values, nbyte);
    b->n += nname + nbyte;
    return at;
}

/* Writes the end of the record that begins at a byte. */
static void end_at(struct bytes *b, size_t at, uint64_t end)
{
    size_t n = b->n;
    b->n = at;
    put(b, end, b->width);
    b->n = n;
}

static void null_record(struct bytes *b)
{
    put(b, 0, 3 * b->width + 1);
}

/* NULL, or what is wrong with the records of a file; *f is set for further questions. */
static const char *fault(struct bytes *b, struct fbx *f)
{
    static struct error e;
    e = (struct error){ .kind = ERROR_NONE };
    *f = (struct fbx){ .file = { .bytes = b->at, .nbyte = b->n }, .e = &e, .width = b->width };
    return fbx_check_records(f) ? NULL : e.text;
}

/* A record A with a record B inside, both with the end that is right but for the differences given. */
static const char *two(unsigned width, int outer, int inner, struct fbx *f)
{
    static struct bytes b;
    b = (struct bytes){ .n = FBX_HEAD, .width = width };
    size_t a = begin(&b, "A", 1, "C\1", 2), in = begin(&b, "B", 0, "", 0);
    end_at(&b, in, (uint64_t)((int64_t)b.n + inner));
    null_record(&b);
    end_at(&b, a, (uint64_t)((int64_t)b.n + outer));
    null_record(&b);
    return fault(&b, f);
}

static void ends_of_records(void **state)
{
    (void)state;
    struct fbx f;
    for (unsigned width = 4; width <= 8; width += 4) {
        int head = 3 * (int)width + 1;
        assert_null(two(width, 0, 0, &f));
        assert_int_equal(f.footer, f.file.nbyte);
        assert_non_null(two(width, 1000, 0, &f));      /* beyond the file */
        assert_non_null(two(width, -1000, 0, &f));     /* before the record, or a huge number */
        assert_non_null(two(width, -2 * head, 0, &f)); /* the inner record goes beyond the outer one */
        /* the inner record ends behind the outer one */
        assert_non_null(strstr(two(width, 0, head + 1, &f), "ends outside its parent"));
        assert_non_null(two(width, 0, -1, &f)); /* a name that goes beyond the end of its record */
        assert_null(two(width, -head, 0, &f));  /* a node without a null record at its end is good */
    }
}

/* Records one in the other, `depth` of them. */
static const char *nested(size_t depth, struct fbx *f)
{
    static struct bytes b;
    b = (struct bytes){ .n = FBX_HEAD, .width = 4 };
    for (size_t i = 0; i < depth; i++)
        begin(&b, "N", 0, "", 0);
    for (size_t i = 0; i < depth; i++)
        end_at(&b, FBX_HEAD + 14 * i, FBX_HEAD + 14 * depth + 13 * (depth - 1 - i));
    for (size_t i = 0; i < depth; i++)
        null_record(&b);
    return fault(&b, f);
}

static void nesting(void **state)
{
    (void)state;
    struct fbx f;
    assert_null(nested(FBX_MAXDEPTH, &f));
    assert_null(nested(FBX_MAXDEPTH + 1, &f)); /* the innermost node has no node inside */
    assert_string_equal(nested(FBX_MAXDEPTH + 2, &f), "nodes are nested more than 100 deep");
}

static void null_records(void **state)
{
    (void)state;
    static struct bytes b;
    struct fbx f;
    b = (struct bytes){ .n = FBX_HEAD, .width = 4 };
    size_t a = begin(&b, "A", 0, "", 0);
    null_record(&b);
    null_record(&b); /* bytes of A behind its null record */
    end_at(&b, a, b.n);
    null_record(&b);
    assert_string_equal(fault(&b, &f), "the children of a node end at byte 41, but the node ends at byte 67");
    b.n = FBX_HEAD; /* a file that ends without a null record */
    assert_string_equal(fault(&b, &f),
                        "the node at byte 27 ends outside its parent: the file is damaged or cut off");
}

/* The first value of a record with these values. */
static bool first_value(const char *values, size_t nbyte, struct fbx_value *value)
{
    static struct bytes b;
    struct fbx f;
    struct fbx_node node = { 0 };
    b = (struct bytes){ .n = FBX_HEAD, .width = 4 };
    size_t a = begin(&b, "A", 1, values, nbyte);
    end_at(&b, a, b.n);
    null_record(&b);
    assert_null(fault(&b, &f));
    assert_true(fbx_each(&f, NULL, &node));
    return fbx_value(&f, &node, 0, value);
}

#define VALUE(bytes, value) first_value(bytes, sizeof bytes - 1, value)

static void values_of_records(void **state)
{
    (void)state;
    struct fbx_value value;
    assert_true(VALUE("Y\xFE\xFF", &value) && value.type == 'I' && value.integer == -2);
    assert_true(VALUE("I\0\0\0\x80", &value) && value.integer == INT32_MIN && value.number == INT32_MIN);
    assert_true(VALUE("L\0\0\0\0\0\0\0\x80", &value) && value.integer == INT64_MIN);
    assert_true(VALUE("F\0\0\xC0\x3F", &value) && value.type == 'D' && value.number == 1.5);
    assert_true(VALUE("D\0\0\0\0\0\0\xF8\xBF", &value) && value.number == -1.5);
    assert_true(VALUE("S\2\0\0\0ab", &value) && value.type == 'S' && fbx_is(value.text, value.ntext, "ab"));
    assert_true(VALUE("f\2\0\0\0\0\0\0\0\x8\0\0\0abcdefgh", &value));
    assert_true(value.type == 'f' && value.count == 2 && !value.deflated && value.nbyte == 8);
    assert_true(VALUE("l\2\0\0\0\1\0\0\0\3\0\0\0abc", &value) && value.deflated && value.nbyte == 3);
    assert_true(VALUE("f\2\0\0\0\2\0\0\0\3\0\0\0abc", &value) && value.type == '?'); /* no such encoding */
    assert_false(VALUE("S\3\0\0\0ab", &value)); /* a text that goes beyond its record */
    assert_false(VALUE("f\2\0\0\0\0\0\0\0\x9\0\0\0abcdefgh", &value)); /* an array that does */
    assert_false(VALUE("S\xFF\xFF\xFF\xFF"
                       "ab",
                       &value));
    assert_false(VALUE("D\0\0\0", &value));
    assert_false(VALUE("q\0\0\0", &value));
    assert_false(VALUE("\0", &value));
    assert_false(VALUE("", &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_of_records),
        cmocka_unit_test(nesting),
        cmocka_unit_test(null_records),
        cmocka_unit_test(values_of_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
