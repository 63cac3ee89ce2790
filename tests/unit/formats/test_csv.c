/* csv and tsv; the careful path is that of cells which are no plain numbers. */
#include "formats/csv/csv.h"
#include "unit/formats/read_write.h"

/* Every cell goes through csv_cell. */
static void not_fast(struct reader *r)
{
    struct csv *csv = r->state;
    csv->fast = false;
    for (size_t i = 0; i < csv->nwant; i++)
        csv->want[i].plain = false;
}

static const struct tested tested = { .from = "csv", .careful = not_fast };

/* ------------------------------------------------------------------------------------------------------------------
 */

static void line_ends(void **state)
{
    (void)state;
    CHECK("time,x\n0,2\n1,4\n", "time,x\n0,1\n1,2\n");
    CHECK("time,x\n0,2\n1,4", "time,x\n0,1\n1,2");
    CHECK("time,x\r\n0,2\r\n1,4\r\n", "time,x\r\n0,1\r\n1,2\r\n");
    CHECK("time,x\r\n0,2\r\n1,4", "time,x\r\n0,1\r\n1,2");
    CHECK("time,x\r\n0,2\r\n1,4\r", "time,x\r\n0,1\r\n1,2\r");
    CHECK("time,x\r0,2\r1,4\r", "time,x\r0,1\r1,2\r");
    CHECK("time,x\r0,2\r1,4", "time,x\r0,1\r1,2");
    CHECK("time,x\n0,2\r\n1,4\n", "time,x\n0,1\r\n1,2\n");
    CHECK("time,x\r\n0,2\n1,4\r\n", "time,x\r\n0,1\n1,2\r\n");
    CHECK("time,x\n0,2\n\n\n", "time,x\n0,1\n\n\n");
    CHECK("time,x\r\n0,2\r\n\r\n\r\n", "time,x\r\n0,1\r\n\r\n\r\n");
    CHECK("time,x\r0,2\r\r", "time,x\r0,1\r\r");
}

static void byte_order_mark(void **state)
{
    (void)state;
    CHECK("\xEF\xBB\xBFtime,x\n0,2\n", "\xEF\xBB\xBFtime,x\n0,1\n");
    CHECK("\xEF\xBB\xBF\"time\",\"x\"\n0,2\n", "\xEF\xBB\xBF\"time\",\"x\"\n0,1\n");
    CHECK("\xEF\xBB\xBF"
          "0,2\n",
          "\xEF\xBB\xBF"
          "0,1\n",
          .choice = { .time = "1" });
    NAMES("time|x", "\xEF\xBB\xBF\"time\",\"x\"\n0,1\n");
}

static void added_columns(void **state)
{
    (void)state;
    CHECK("time,x,x_vel\n0,2,1\n1,4,2\n", "time,x\n0,1\n1,2\n", .added = 1);
    CHECK("time,x,y,x_vel,x_acc,y_vel,y_acc\r\n0,2,,1,1,,\r\n", "time,x,y\r\n0,1,\r\n", .added = 2);
    CHECK("time,x,x_vel\n0,2,1", "time,x\n0,1", .added = 1);
    CHECK("time,x,x_vel", "time,x", .added = 1);
    CHECK("time;\"a;b\";\"a;b_vel\"\n0;2;1\n", "time;\"a;b\"\n0;1\n", .added = 1,
          .options = { .delimiter = ";" });
    CHECK("0,2,1\n", "0,1\n", .added = 1, .choice = { .time = "1" });
    CHECK("0,2,1\n", "0,1\n", .added = 1, .choice = { .time = "1" }, .options = { .no_header = true });
    CHECK("Hip,,Knee,Hip,Hip,Knee\nX,Y,X,X_vel,Y_vel,X_vel\nm,m,m\n2,4,6,1,2,3\n",
          "Hip,,Knee\nX,Y,X\nm,m,m\n1,2,3\n", .added = 1, .options = { .header = "1,2" },
          .choice = { .rate = 1 });
}

static void quotes(void **state)
{
    (void)state;
    CHECK("time,\"a \"\"b\"\"\",x\n0,\"say \"\"hi\"\",\nbye\",2\n1,\"\",4\n",
          "time,\"a \"\"b\"\"\",x\n0,\"say \"\"hi\"\",\nbye\",1\n1,\"\",2\n");
    CHECK("time,x\n\"0\",\"2\"\n\"1\",\"4\"\n", "time,x\n\"0\",\"1\"\n\"1\",\"2\"\n");
    CHECK("time,x\n\"0\", \" 2 \" \n1,\"\"\n", "time,x\n\"0\", \" 1 \" \n1,\"\"\n");
    CHECK("time,x,t\r\n0,2,\"a\r\nb\n\"\r\n1,4,\"\"\"\"\r\n",
          "time,x,t\r\n0,1,\"a\r\nb\n\"\r\n1,2,\"\"\"\"\r\n");
    CHECK("time,x,t\n0,2, \"a,\n\n\n\" \n", "time,x,t\n0,1, \"a,\n\n\n\" \n");
    CHECK("time,t,x\n0,it's 5' tall,2\n", "time,t,x\n0,it's 5' tall,1\n");
}

static void bytes_are_kept(void **state)
{
    (void)state;
    CHECK("time , x,id,z\n  0.00,   2 ,9007199254740993,1.50\n 1.000,\t4\t,-0.00000,+5\n",
          "time , x,id,z\n  0.00,   1 ,9007199254740993,1.50\n 1.000,\t2\t,-0.00000,+5\n",
          .choice = { .columns = "x" });
    CHECK("x,time,y\n 2,0.10, \n,0.20,NA\n", "x,time,y\n 1,0.10, \n,0.20,NA\n");
    CHECK("time,a,b,c,d,e,f,x,g\n0,aaaaaaaaaaaaaaaa,,b,\"c,c\",dd,,2,eeeeeeeee\n",
          "time,a,b,c,d,e,f,x,g\n0,aaaaaaaaaaaaaaaa,,b,\"c,c\",dd,,1,eeeeeeeee\n",
          .choice = { .columns = "x" });
}

static void delimiters(void **state)
{
    (void)state;
    CHECK("time;x\n0;2\n", "time;x\n0;1\n", .options = { .delimiter = ";" });
    CHECK("time\tx\n0\t 2\n", "time\tx\n0\t 1\n", .options = { .delimiter = "tab" });
    CHECK("time\tx\ta\n0\t2\t\"a\tb\"\n", "time\tx\ta\n0\t1\t\"a\tb\"\n", .from = "tsv");
    CHECK("time x\n0 2\n", "time x\n0 1\n", .options = { .delimiter = " " });
    CHECK("time|x\n0|2\n", "time|x\n0|1\n", .options = { .delimiter = "|" });
    CHECK("time;x\n0,5;2,5\n", "time;x\n0,5;1,25\n", .options = { .decimal = "," });
    CHECK("time\tx\n0,5\t2,5\n", "time\tx\n0,5\t1,25\n", .from = "tsv", .options = { .decimal = "," });
    FAULT("0::--delimiter and --decimal are both ','", "t\n",
          .options = { .decimal = ",", .delimiter = "," });
    FAULT("0::--decimal must be . or ,", "t\n", .options = { .decimal = ";" });
    FAULT("0::--delimiter must be 'tab', 'blanks' or a character that is not part of a number", "t\n",
          .options = { .delimiter = "ab" });
    FAULT("0::--delimiter must be 'tab', 'blanks' or a character that is not part of a number", "t\n",
          .options = { .delimiter = "5" });
    /* Unasked: the delimiter that cuts names and rows into the same number of cells. */
    CHECK("time;x\n0;2\n1;4\n", "time;x\n0;1\n1;2\n");
    CHECK("time\tx\n0\t2\n", "time\tx\n0\t1\n");
    CHECK("time|x\n0|2\n", "time|x\n0|1\n");
    CHECK("time x\n0 2\n", "time x\n0 1\n");
    CHECK("time;x\n0,5;3\n1,5;5\n", "time;x\n0,5;1,5\n1,5;2,5\n");
    CHECK("time,x\n0,2\n", "time,x\n0,1\n", .from = "tsv");
    CHECK("time,x;y\n0,2\n", "time,x;y\n0,1\n");
    CHECK("time,x y\n0,2\n", "time,x y\n0,1\n");
    CHECK("a\ntime;x\n1;4\n", "a\ntime;x\n1;2\n", .options = { .header = "2" });
    NAMES("1|2", "0;1\n1;2\n", .options = { .no_header = true });
    NAMES("1|2", "0 1\n1 2\n");
    NAMES("time|x|y", "Rate 100\nSubject one\n\ntime;x;y\n0;1;2\n");
    NAMES("time,x y", "time,x y\n1\n", .options = { .delimiter = ";" });
}

static void comments(void **state)
{
    (void)state;
    CHECK("# it's 5\" long\ntime,x\n# a\n0,2\n#\n#c\n1,4\n# end",
          "# it's 5\" long\ntime,x\n# a\n0,1\n#\n#c\n1,2\n# end");
    CHECK("# a\r\ntime,x\r\n0,2\r\n#a,b,c\r\n", "# a\r\ntime,x\r\n0,1\r\n#a,b,c\r\n");
    FAULT("# c\ntime,x\n0,2\n# d\n5:x:not a number", "# c\ntime,x\n0,1\n# d\n1,b\n2,3\n");
    CHECK("time,x,n\n0,2,a\n#b,c,d,\",e\n1,4,a\n#b,c,d,\",e\n2,6,\"z\"\n",
          "time,x,n\n0,1,a\n#b,c,d,\",e\n1,2,a\n#b,c,d,\",e\n2,3,\"z\"\n", .choice = { .columns = "x" });
}

static void header_found(void **state)
{
    (void)state;
    NAMES("time|x", "time,x\n0,1\n");
    NAMES("1|2", "0,1\n1,2\n");
    NAMES("1|2", "2019,2020\n1,2\n");
    NAMES("time|x|y", "Title\n\ntime,x,y\n0,1,\n");
    NAMES("time|x|y", "Title: a, b\nRate,100\ntime,x,y\n0,1,\n");
    NAMES("time|x", "Subject,Bob\nRate,100\ntime,x\n0,1\n");
    NAMES("time|x", "time,x\ns,m\n0,1\n");
    NAMES("time|name|x", "time,name,x\n0,bob,1\n");
    NAMES("time|name|side|note|x", "time,name,side,note,x\n0,bob,left,,1\n1,bob,,,1\n");
    NAMES("a|Time|b|x", "Rate,100,,\na,Time,b,x\nc,0,d,1\n");
    NAMES("time|Na|x|x_2", "time,Na,x,x\n0,1,2,3\n");
    NAMES("time||x", "time,,x\n0,1,2\n");
    NAMES("name|x", "name,x\na,1\nb,2\n", .choice = { .rate = 1 });
    NAMES("time|x|", "Coordinates,,\nn=1,,\n,,\nendheader,,\ntime,x,\n0,1,\n");
    NAMES("x", "x\n1\n2\n", .choice = { .rate = 1 });
    NAMES("time|x y", "\"time\", x y \n0,1\n");
    NAMES("1|2", "Exported by foo\n0,1\n");
    NAMES("1|2", "a,b\n1,2\n", .options = { .no_header = true });
    NAMES("time|x", "# 3,4\ntime,x\n0,1\n");
    CHECK("a,\"b\nc\"\n\n100,,,\ntime,x,y,z\n0,2,4,6\n", "a,\"b\nc\"\n\n100,,,\ntime,x,y,z\n0,1,2,3\n");
    CHECK("time,x\nunits: s m\n0,2\n", "time,x\nunits: s m\n0,1\n");
}

static void header_given(void **state)
{
    (void)state;
    NAMES("time|x", "time,x\ns,m\n0,1\n", .options = { .header = "1" });
    NAMES("2019|2020", "2019,2020\n1,2\n", .options = { .header = "1" });
    NAMES("F|Hip.X|Hip.Y|Knee.X|Knee", "t\n,Hip,,Knee,\nF,X,Y,X,\nn,m,m,m,m\n1,2,3,4,5\n",
          .options = { .header = "2,3" });
    NAMES("F|Hip.X|Hip.Y|Knee.X|Knee.Y", "t\n,Hip,,Knee\nF,X,Y,X,Y\n1,2,3,4,5\n",
          .options = { .header = "2,3" });
    NAMES("A.p.X|A.p.Y|A.v.X|B.X|B.q.X", "A,,,B,\np,,v,,q\nX,Y,X,X,X\n1,2,3,4,5\n",
          .options = { .header = "1,2,3" });
    NAMES("a", "\"x\ny\"\na\n1\n", .options = { .header = "3" }, .choice = { .rate = 1 });
    FAULT("0::--header: no row begins on line 2", "\"x\ny\"\na\n1\n", .options = { .header = "2" });
    FAULT("0::--header: no row begins on line 9", "a\n1\n", .options = { .header = "9" });
    FAULT("0::--header must be the line of the names, or up to 16 ascending lines", "a\n1\n",
          .options = { .header = "4,3" });
    FAULT("0::--header must be the line of the names, or up to 16 ascending lines", "a\n1\n",
          .options = { .header = "x" });
    FAULT("0::--no-header and --header contradict each other", "a\n1\n",
          .options = { .header = "1", .no_header = true });
    FAULT("3::expected 2 cells, found 3", "time,x\n\n0,1,2\n", .options = { .header = "1" });
}

static void header_only(void **state)
{
    (void)state;
    CHECK("time,x\n", "time,x\n");
    CHECK("time,x\n\n\n", "time,x\n\n\n");
    FAULT("0::the file is empty", "");
    FAULT("0::the file is empty", "\xEF\xBB\xBF");
    FAULT("0::the file has no header and no rows", "\n\n");
}

static void gaps(void **state)
{
    (void)state;
    CHECK("time,x\n0,2\n1,\n2,nan\n3,NA\n4, Null \n5,4\n", "time,x\n0,1\n1,\n2,nan\n3,NA\n4, Null \n5,2\n");
    CHECK("time,x,x_vel\n1,-999,\n2,4,2\n3,0,\n4,0.0,\n", "time,x\n1,-999\n2,2\n3,0\n4,0.0\n", .added = 1,
          .options = { .missing = "0, -999" });
    CHECK("time,x\n1,b\n2,4\n", "time,x\n1,b\n2,2\n", .options = { .missing = "b" });
    CHECK("x,y\n,2\nnan,4\n", "x,y\n,1\nnan,2\n", .choice = { .rate = 1 });
}

static void faults(void **state)
{
    (void)state;
    FAULT("time,x\n0,2\n3::expected 2 cells, found 3", "time,x\n0,1\n1,2,3\n2,3\n");
    FAULT("time,x\n0,2\n3::expected 2 cells, found 1", "time,x\n0,1\n1\n2,3\n");
    FAULT("2::expected 2 cells, found 3", "time,x\n0,1,2\n1,2,3\n");
    CHECK("t,x,x_vel\n0,2,1,\n1,4,2,\n2,6,3\n", "t,x\n0,1,\n1,2,\n2,3\n", .added = 1);
    FAULT("time,x,a,b\n0,2,,\n3::expected 4 cells, found 3", "time,x,a,b\n0,1,,\n1,2,\n");
    CHECK("time,x,x_vel\n0,2,1\r\n1,4,2, \r\n2,6,3,,", "time,x\n0,1\r\n1,2, \r\n2,3,,", .added = 1);
    FAULT("time,a,x\n0,b,2\n3::expected 3 cells, found 2", "time,a,x\n0,b,1\n1,b\n");
    FAULT("time,x\n0,2\n3::a blank line between rows", "time,x\n0,1\n\n1,2\n");
    FAULT("time,x\r\n0,2\r\n3::a blank line between rows", "time,x\r\n0,1\r\n\r\n\r\n1,2\r\n");
    FAULT("time,x\n0,2\n3:x:not a number", "time,x\n0,1\n1,12abc\n");
    FAULT("time,x\n0,2\n3:x:not a number", "time,x\n0,1\n1,1e+\n");
    FAULT("time,x\n0,2\n3:x:not a number", "time,x\n0,1\n1,0x10\n");
    FAULT("time,x\n0,2\n3:x:not a number", "time,x\n0,1\n1,\"1,234\"\n");
    FAULT("time,x\n0,2\n3:x:not a number", "time,x\n0,1\n1,1_000\n");
    FAULT("time,x\n0,2\n3:x:not a number", "time,x\n0,1\n1,--1\n");
    FAULT("time,x\n0,2\n3:x:not a number", "time,x\n0,1\n1,1 2\n");
    FAULT("time,x\n0,2\n3:x:the number is too large for a double", "time,x\n0,1\n1,1e400\n");
    FAULT("time,x\n2:x:the number is too large for a double", "time,x\n0,1e400\n");
    FAULT("time,x\n0,2\n3:x:not a number", "time,x\n0,1\n1,-Inf\n");
    FAULT("time,x\n0,2\n3:time:the time is missing", "time,x\n0,1\n,2\n");
    FAULT("time,x\n0,2\n3:time:not a number", "time,x\n0,1\n12:30,2\n");
    FAULT("time,\n0,2\n3::not a number", "time,\n0,1\n1,a\n");
}

static void faults_of_quotes(void **state)
{
    (void)state;
    FAULT("time,x,a\n0,2,b\n3:a:stray quote in an unquoted cell", "time,x,a\n0,1,b\n1,2,5\" nail\n2,3,c\n");
    FAULT("time,a,x\n0,b,2\n3:a:stray quote in an unquoted cell", "time,a,x\n0,b,1\n1,5\" nail,2\n2,c,3\n");
    FAULT("time,x\n0,2\n3:x:stray quote in an unquoted cell", "time,x\n0,1\n1,2\"\n2,3\n");
    FAULT("1::stray quote in an unquoted cell", "time,5\" x\n0,1\n");
    FAULT("2:a:stray quote in an unquoted cell", "time,x,a\n0,1,5\"\n");
    FAULT("time,x,a\n0,2,\"\n\"\n4:a:text after the closing quote of the cell that opens here",
          "time,x,a\n0,1,\"\n\"\n1,2,\"\n\"b\n2,3,c\n");
    FAULT("time,x,a\n0,2,\"\n\"\n1,4,\n5:a:this quote is never closed",
          "time,x,a\n0,1,\"\n\"\n1,2,\n2,3,\"b\n3,4,c\n");
    FAULT("1::this quote is never closed", "time,\"x\n0,1\n");
    FAULT("time,x,a\n0,2,b\n3:a:this quote is never closed", "time,x,a\n0,1,b\n1,2,\"c\"\"\n");
}

static void not_text(void **state)
{
    (void)state;
#define FAULT_N(expected, bytes) FAULT(expected, bytes, .ntext = sizeof(bytes) - 1)
    FAULT_N("time,x\n0,2\n3::a NUL byte: this is not text", "time,x\n0,1\n1,\0002\n");
    FAULT_N("time,x\n0,2\n3::a NUL byte: this is not text", "time,x\n0,1\n1,2\0\n");
    FAULT_N("time,x,a\n0,2,\n3::a NUL byte: this is not text", "time,x,a\n0,1,\n1,2,\0\n");
    FAULT_N("time,x\n0,2\n4::a NUL byte: this is not text", "time,x\n0,1\n1,\"\n\0");
    FAULT_N("time,x\n0,2\n#,,\"a\n1,4\n5::a NUL byte: this is not text", "time,x\n0,1\n#,,\"a\n1,2\n2,\0\n");
    FAULT_N("1::a NUL byte: this is not text", "ti\0me,x\n0,1\n");
    FAULT_N("2::a NUL byte: this is not text", "time,x\n\0,1\n");
}

static void lenient(void **state)
{
    (void)state;
    CHECK("time,x\n0,2\n1,abc\n2,inf\n3,1e999\n4,4\n", "time,x\n0,1\n1,abc\n2,inf\n3,1e999\n4,2\n",
          .lenient = true);
}

static void other_formats(void **state)
{
    (void)state;
    CHECK("time\tx\tname\tx_vel\n0\t2\ta,b\t1\n1\t\t\"c\td\"\t\n2\t4\t\"5\"\" e\"\t2\n",
          "time,x,name\r\n0,1,\"a,b\"\r\n1,,c\td\r\n2,2,\"5\"\" e\"\r\n", .to = "tsv", .added = 1);
    CHECK("time,x,name\n0,2,\" a \"\n", "t\ntime\tx\tname\n0\t1\t\" a \"\n", .from = "tsv", .to = "csv");
    CHECK("0,5;2,5\n", "0,5\t1,25\n", .from = "tsv", .to = "csv", .options = { .decimal = "," },
          .choice = { .time = "1" });
}

static void too_long(void **state)
{
    (void)state;
    size_t n = (size_t)FORMAT_MAXROW + 100;
    char *text = malloc(n + 1);
    memset(text, 'a', n);
    memcpy(text, "time,x,a\n0,1,b\n1,2,", 19);
    struct input in = { .text = text, .ntext = 19 + FORMAT_MAXCELL };
    struct output o = run(&in, 100000, false);
    assert_int_equal(o.error.kind, ERROR_NONE);
    free(o.bytes);
    in.ntext++;
    o = run(&in, 100000, false);
    assert_string_equal(o.error.text, "a cell of more than 1 MiB");
    assert_string_equal(o.error.column, "a");
    assert_int_equal(o.error.line, 3);
    assert_string_equal(o.bytes, "time,x,a\n0,2,b\n");
    free(o.bytes);
    in.ntext = n;
    o = run(&in, 100000, false);
    assert_string_equal(o.error.text, "a row of more than 64 MiB");
    assert_int_equal(o.error.line, 3);
    free(o.bytes);
    free(text);
}

/* Texts made of what matters to csv: what comes out is what went in, or the same fault, however it was
 * read. */
static void random_texts(void **state)
{
    (void)state;
    static const char *const piece[] = { ",",    "\n", "\r\n", "\r", "\"",  "\"\"",    "1",
                                         "-2.5", " ",  "a",    "#",  "nan", "\n1,2\n", ",\"b\"" };
    uint64_t seed = 1;
    for (int round = 0; round < 300; round++) {
        char text[200] = "time,x,a\n";
        while (strlen(text) < 60 + (size_t)round / 5) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            uint64_t k = seed >> 33;
            strcat(text, k % 3 ? piece[k / 3 % (sizeof piece / sizeof *piece)] : "\n0,1,");
        }
        struct input in = { .text = text, .choice = { .rate = round % 3 } };
        struct output o = run_all(&in);
        free(o.bytes);
    }
}

/* Rows of many columns, of which few are wanted, with cells of any width; one row in many has something odd
 * in it. */
static void random_rows(void **state)
{
    (void)state;
    static const char *const odd[] = { "\"q,\n\"", " 1",    "1 ",   "",     "NA",
                                       "1e3",      "1e999", "word", "+7",   "12345678901234567.25",
                                       "1,2",      "-",     "\r",   "a\"b", "# c",
                                       "-0",       ".5",    "5." };
    uint64_t seed = 7;
    for (int round = 0; round < 300; round++) {
        char text[8192] = "time,a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s\n", columns[8];
        size_t n = strlen(text);
        for (int row = 0; row < 12; row++)
            for (int column = 0; column < 20; column++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                unsigned k = (unsigned)(seed >> 33);
                if (column == 0)
                    n += (size_t)sprintf(text + n, "%d.5", row);
                else if (k % 90 == 0)
                    n += (size_t)sprintf(text + n, ",%s", odd[k / 90 % (sizeof odd / sizeof *odd)]);
                else
                    n += (size_t)sprintf(text + n, ",%.*f", (int)(k / 90 % 12), (double)(int)k / 1e6);
                if (column == 19)
                    n += (size_t)sprintf(text + n, round % 3 ? "\n" : "\r\n");
            }
        sprintf(columns, "%d,%d", 2 + round % 9, 12 + round % 9);
        struct input in = { .text = text,
                            .choice = { .columns = columns, .group = round % 5 ? NULL : "11" } };
        struct output o = run_all(&in);
        free(o.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_ends),
        cmocka_unit_test(byte_order_mark),
        cmocka_unit_test(added_columns),
        cmocka_unit_test(quotes),
        cmocka_unit_test(bytes_are_kept),
        cmocka_unit_test(delimiters),
        cmocka_unit_test(comments),
        cmocka_unit_test(header_found),
        cmocka_unit_test(header_given),
        cmocka_unit_test(header_only),
        cmocka_unit_test(gaps),
        cmocka_unit_test(faults),
        cmocka_unit_test(faults_of_quotes),
        cmocka_unit_test(not_text),
        cmocka_unit_test(lenient),
        cmocka_unit_test(other_formats),
        cmocka_unit_test(too_long),
        cmocka_unit_test(random_texts),
        cmocka_unit_test(random_rows),
    };
    return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
