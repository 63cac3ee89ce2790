/* json and jsonl. In texts here ' stands for ". */
#include "formats/json/json.h"
#include "unit/formats/read_write.h"

static const struct tested tested = { .from = "json", .apostrophes = true, .excerpt = true };

#define LINES .from = "jsonl"
#define X     .choice = { .columns = "x" }
#define RATE  .choice = { .rate = 1 }

/* The fault of empty first records. */
#define EMPTY "0::the first records are empty, but they decide the columns:"

/* ------------------------------------------------------------------------------------------------------------------
 */

static void shapes(void **state)
{
    (void)state;
    CHECK("[{'t': 0, 'x': 2}, {'t': 1, 'x': 4}]\n", "[{'t': 0, 'x': 1}, {'t': 1, 'x': 2}]\n");
    CHECK("[[0,2],[1,4]]", "[[0,1],[1,2]]", .choice = { .time = "1" });
    CHECK(" [2, 4 ,\n6 ] \n", " [1, 2 ,\n3 ] \n", RATE);
    CHECK("[2]", "[1]", RATE);
    CHECK(" [ ]\n", " [ ]\n");
    CHECK("{'r':[],'x':[1]}", "{'r':[],'x':[1]}", .options = { .records = "/r" });
    CHECK("", "[]", .to = "jsonl");
    CHECK("{'t': [0, 1], 'x': [2, 4]}\n", "{'t': [0, 1], 'x': [1, 2]}\n");
    CHECK("{'t':0,'x':2}\n{'t':1,'x':4}\n", "{'t':0,'x':1}\n{'t':1,'x':2}\n", LINES);
    CHECK("[0,2]\r\n\r\n [1,4] ", "[0,1]\r\n\r\n [1,2] ", LINES, .choice = { .time = "1" });
    CHECK("2\n4\nnull\n6", "1\n2\nnull\n3", LINES, RATE);
    CHECK("\n\n{'t':0,'x':2}\n", "\n\n{'t':0,'x':1}\n", LINES);
    CHECK("\xEF\xBB\xBF[{'t':0,'x':2}]", "\xEF\xBB\xBF[{'t':0,'x':1}]");
    CHECK("\xEF\xBB\xBF{'t':0,'x':2}", "\xEF\xBB\xBF{'t':0,'x':1}", LINES);
    NAMES("t|x", "[{'t': 0, 'x': 2}]");
    NAMES("1|2|3.0|3.1|4.a", "[[0, 1, [2, 3], {'a': 1}]]", .choice = { .time = "1" });
    NAMES("1", "[1]", RATE);
}

static void bytes_are_kept(void **state)
{
    (void)state;
    CHECK("[ {'id' :9007199254740993,'x':\t2 , 's':'a\\u00e9\\'}]\\\\', "
          "'n':1.50,'deep':[{},[],{'a':[1]}]}\n,{'x':4}\n]\n\n",
          "[ {'id' :9007199254740993,'x':\t1 , 's':'a\\u00e9\\'}]\\\\', "
          "'n':1.50,'deep':[{},[],{'a':[1]}]}\n,{'x':2}\n]\n\n",
          .choice = { .columns = "x", .rate = 1 });
    CHECK("[{'x': 2,\n  '\\u0074': 0}]", "[{'x': 1,\n  '\\u0074': 0}]");
    CHECK("[{'t':0,'x':2,'u':'\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\\ud83d\\ude00'}]",
          "[{'t':0,'x':1,'u':'\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\\ud83d\\ude00'}]");
}

/* Records need not look like the first one. */
static void other_layouts(void **state)
{
    (void)state;
    CHECK("[{'t':0,'x':2,'y':2},{'y':6,'x':4,'t':1},{ 't' : 2 , 'x' : 8 , 'z':[{'x':1}], 'y':2}]",
          "[{'t':0,'x':1,'y':1},{'y':3,'x':2,'t':1},{ 't' : 2 , 'x' : 4 , 'z':[{'x':1}], 'y':1}]");
    CHECK("[{'t':0,'x':2,'y':2, 'x_vel': 1, 'y_vel': 1},{'y':6,'x':4,'t':1, 'x_vel': 2, 'y_vel': 3},"
          "{'t':2,'y':2, 'x_vel': null, 'y_vel': 1}]",
          "[{'t':0,'x':1,'y':1},{'y':3,'x':2,'t':1},{'t':2,'y':1}]", .added = 1);
    FAULT("[{'x':2}1:$[1].z:expected ',' or '}':{", "[{'x':1},{'z':5{'x':1}]", RATE);
    CHECK("[{'t':0,'\\u0078y':2},{'t':1,'xy':4}]", "[{'t':0,'\\u0078y':1},{'t':1,'xy':2}]");
    CHECK("[{'t':0,'a':{'x':2}},{'t':1},{'t':2,'a':null},{'t':3,'a':{}},{'t':4,'a':{'x':4,'y':1}}]",
          "[{'t':0,'a':{'x':1}},{'t':1},{'t':2,'a':null},{'t':3,'a':{}},{'t':4,'a':{'x':2,'y':1}}]");
    CHECK("{'t':0,'a':1,'b':1,'c':1,'d':1,'e':1,'f':1,'g':1,'h':1,'i':1,'x':2}\n{'x':4,'i':1,'\\u0068':1,'t':"
          "1}",
          "{'t':0,'a':1,'b':1,'c':1,'d':1,'e':1,'f':1,'g':1,'h':1,'i':1,'x':1}\n{'x':2,'i':1,'\\u0068':1,'t':"
          "1}",
          LINES, X);
}

static void gaps(void **state)
{
    (void)state;
    CHECK(
        "[{'t':0,'x':null, 'x_vel': null},{'t':1,'x':4, 'x_vel': 2},{'t':2, 'x_vel': null},{'t':3,'x':'NaN', "
        "'x_vel': null}]",
        "[{'t':0,'x':null},{'t':1,'x':2},{'t':2},{'t':3,'x':'NaN'}]", .added = 1);
    CHECK("[{'t':0,'x':2},{'t':1,'x':-999},{'t':2,'x':'off'}]",
          "[{'t':0,'x':1},{'t':1,'x':-999},{'t':2,'x':'off'}]", .options = { .missing = "-999,off" });
    CHECK("[{'t':0,'x':2},{'t':1,'x':'b'},{'t':2,'x':[true]},{'t':3,'x':false}]",
          "[{'t':0,'x':1},{'t':1,'x':'b'},{'t':2,'x':[true]},{'t':3,'x':false}]", .lenient = true);
}

static void vectors(void **state)
{
    (void)state;
    NAMES("t|pos.0|pos.1|m.0.0|m.0.1|m.1.0|o.0.x|s",
          "[{'t':0,'pos':[1,2],'m':[[1,2],[3]],'o':[{'x':1}],'s':'a'}]");
    CHECK("[{'t': 0, 'pos': [ 2, 4 ], 'pos.0_vel': 1, 'pos.1_vel': 2}, "
          "{'t': 1, 'pos': null, 'pos.0_vel': null, 'pos.1_vel': null}, "
          "{'t': 2, 'pos': [6], 'pos.0_vel': 3, 'pos.1_vel': null}]",
          "[{'t': 0, 'pos': [ 1, 2 ]}, {'t': 1, 'pos': null}, {'t': 2, 'pos': [3]}]", .added = 1);
    CHECK("[{'t':0,'pos':[1,4,3], 'pos.1_vel': 2}]", "[{'t':0,'pos':[1,2,3]}]", .added = 1,
          .choice = { .columns = "pos.1" });
    CHECK("[{'t':0,'m':[[2,4],[6,'a']], 'm.0.0_vel': 1, 'm.0.1_vel': 2, 'm.1.0_vel': 3}]",
          "[{'t':0,'m':[[1,2],[3,'a']]}]", .added = 1);
    CHECK("[{'t':0,'o':[{'x':2},4], 'o.0.x_vel': 1, 'o.1_vel': 2}]", "[{'t':0,'o':[{'x':1},2]}]", .added = 1);
    CHECK("[[0, 2, 1],\n[1, 4, 2 ]]", "[[0, 1],\n[1, 2 ]]", .added = 1, .choice = { .time = "1" });
    CHECK("[0,2,[4,6], 1, 2, 3]\n[1,null,[8,4], null, 4, 2]\n", "[0,1,[2,3]]\n[1,null,[4,2]]\n", LINES,
          .added = 1, .choice = { .time = "1" });
}

static void derivatives(void **state)
{
    (void)state;
    CHECK("[{'t':0,'x':2, 'x_vel': 1, 'x_acc': 1}]", "[{'t':0,'x':1}]", .added = 2);
    CHECK("[\n  {\n    't': 0,\n    'x': 2, 'x_vel': 1\n  }\n]\n",
          "[\n  {\n    't': 0,\n    'x': 1\n  }\n]\n", .added = 1);
    CHECK("[{'a\\'\\u0078':2, 'a\\'x_vel': 1}]", "[{'a\\'\\u0078':1}]", .added = 1, RATE);
    CHECK("{'t': [0, 1], 'x': [\n2,\n4\n], 'x_vel': [1, 2] }", "{'t': [0, 1], 'x': [\n1,\n2\n] }",
          .added = 1);
    FAULT("0::this name occurs twice in one object:x_vel", "[{'x':1, 'x_vel': {}}]", .added = 1, RATE);
    CHECK("[{'x':2, 'x_vel': 1}, {}, { }]", "[{'x':1}, {}, { }]", .added = 1, RATE);
    FAULT("[{'x':2, 'x_vel': 1}1:$[1].x_vel:this name is already taken by a derivative column:3",
          "[{'x':1},{'x':2, 'x_vel': 3}]", .added = 1, RATE);
    FAULT("0::an array of bare numbers cannot hold derivatives:", "[1]", .added = 1, RATE);
}

static void object_of_columns(void **state)
{
    (void)state;
    NAMES("t|a.x|p|n", "{'t':[0],'a':{'x':[1]},'p':[[1,2]],'rate':5,'o':[{'y':1}],'n':['a']}");
    CHECK("{'p': [[1,2], null, [3]], 't': [0,1,2], 'u': [1], 'x': [null,2,4], 'x_vel': [null, 1, 2]} ",
          "{'p': [[1,2], null, [3]], 't': [0,1,2], 'u': [1], 'x': [null,1,2]} ", .added = 1,
          .choice = { .exclude = "u" });
    CHECK("\n{'t': [0, 1], 'x': [2, 4]}", "\n{'t': [0, 1], 'x': [1, 2]}");
    CHECK("{'t':[],'x':[], 'x_vel': []}", "{'t':[],'x':[]}", .added = 1);
    CHECK("[{'t':[9]},{'t':[0,1],'x':[2,4]}]", "[{'t':[9]},{'t':[0,1],'x':[1,2]}]",
          .options = { .records = "/1" });
    FAULT("1:$.x:columns differ in length:[", "{'t':[0,1],'x':[1],'s':['a']}");
    FAULT("2:$.x[1]:expected a number, found a string:a", "{'t':[0,1],\n'x':[1,'a']}");
    FAULT("1:$.x[2]:expected a number:{}", "{'t':[0,1,2],'x':[1,0,{}]}");
    FAULT("1:$.t[1]:the time is missing:null", "{'t':[0,null],'x':[1,2]}");
    FAULT("0::this object has no columns: none of its members is an array of numbers:", "{'a':1}");
    FAULT("1:$:text after the end of the document:{", "{'t':0} {'t':1}");
    FAULT("1:$.x:the file ends too early: expected ',' or '}':", "{'x':[1]");
}

static void records_in_a_document(void **state)
{
    (void)state;
    CHECK("{'a':[1,{'b':2}],'r':[{'t':0,'x':2},{'t':1,'x':4}],'z':{'r':[3]}}\n",
          "{'a':[1,{'b':2}],'r':[{'t':0,'x':1},{'t':1,'x':2}],'z':{'r':[3]}}\n",
          .options = { .records = "/r" });
    CHECK("{'k':[[],{'a/b~\\'':{'':[2, 4]}},[{'a/b~\\'':1}]]}",
          "{'k':[[],{'a/b~\\'':{'':[1, 2]}},[{'a/b~\\'':1}]]}", .options = { .records = "/k/1/a~1b~0\"/" },
          RATE);
    CHECK("{'a':{'n':[1]},'r':[{'t':0,'x':2}]}", "{'a':{'n':[1]},'r':[{'t':0,'x':1}]}");
    CHECK("[[2,4],[6]]", "[[2,4],[3]]", .options = { .records = "/1" }, RATE);
    CHECK("{'d':{'r':[2]},'e':1}", "{'d':{'r':[1]},'e':1}", .options = { .records = "/d/r" }, RATE);
    FAULT("0::--records: the document has no array and no object at /q:", "{'r':[{'t':0}]}",
          .options = { .records = "/q" });
    FAULT("0::--records: the document has no array and no object at /r/0/t/5:", "{'r':[{'t':0}]}",
          .options = { .records = "/r/0/t/5" });
    FAULT("0::--records: a path begins with /:r", "{'r':[{'t':0}]}", .options = { .records = "r" });
    FAULT("0::--records: the document has no array and no object at /r:", "{'r':3}",
          .options = { .records = "/r" });
    FAULT("{'r':[{'x':2}1:$/r[1].x:expected a number:true", "{'r':[{'x':1},{'x':true}]}", RATE,
          .options = { .records = "/r" });
}

/* The tables of bad input. */
static void faults(void **state)
{
    (void)state;
    FAULT("0::the file is empty:", " \n");
    FAULT("1:$:expected an array or an object:5", "5");
    FAULT("0::nothing to filter: the first data row has no number except times and counts:", "['a']", RATE);
    FAULT("1:$:expected a value:x", "x", LINES);
    FAULT("{'x':2}\n2:$:expected an object or array, as in the first row:null", "{'x':1}\nnull", LINES, RATE);
    FAULT("1:$[0].x:the file ends too early: expected ',' or '}':", "[{'x':1", RATE);
    FAULT("[{'x':2}2:$[1].x:the file ends too early: expected ',' or '}':", "[{'x':1},\n{'x':2", RATE);
    FAULT("[{'x':2}2:$[1]:the file ends too early: expected ',' or ']':", "[{'x':1}\n", RATE);
    FAULT("[{'x':2}1:$:expected another record, or ']':,", "[{'x':1},\n]", RATE);
    FAULT("[{'x':2}1:$[1]:expected an object or array, as in the first row:5", "[{'x':1}, 5, {'x':1}]", RATE);
    FAULT("[{'x':2}1:$[1]:expected an object or array, as in the first row:null", "[{'x':1},null,{'x':1}]",
          RATE);
    FAULT("[{'x':2}1:$[1]:expected ',' or ']':{", "[{'x':1} {'x':1}]", RATE);
    FAULT("[{'x':2}]\n2:$:text after the end of the document:x", "[{'x':1}]\nx", RATE);
    FAULT("[{'x':2}1:$[1].x:a NUL byte in a text file:", "[{'x':1},{'x':\0}]", .ntext = 18, RATE);
    FAULT("[{'x':2}1:$[1].x:not a JSON number:NaN", "[{'x':1},{'x':NaN}]", RATE);
    FAULT("[{'x':2}1:$[1].x:not a JSON number:-Infinity", "[{'x':1},{'x':-Infinity}]", RATE);
    FAULT("[{'x':2}1:$[1].x:not a JSON number:01", "[{'x':1},{'x':01}]", RATE);
    FAULT("[{'x':2}1:$[1].x:not a JSON number:+1", "[{'x':1},{'x':+1}]", RATE);
    FAULT("[{'x':2}1:$[1].x:not a JSON number:.5", "[{'x':1},{'x':.5}]", RATE);
    FAULT("[{'x':2}1:$[1].x:not a JSON number:5.", "[{'x':1},{'x':5.}]", RATE);
    FAULT("[{'x':2}1:$[1].x:not a JSON number:5.e1", "[{'x':1},{'x':5.e1}]", RATE);
    FAULT("[{'x':2}1:$[1].x:not a JSON number:1e+", "[{'x':1},{'x':1e+}]", RATE);
    FAULT("[{'x':2}1:$[1].x:not a JSON number:--1", "[{'x':1},{'x':--1}]", RATE);
    FAULT("[{'x':2}1:$[1].x:expected ',' or '}':x", "[{'x':1},{'x':0x10}]", RATE);
    FAULT("[{'x':2}1:$[1].x:this number is too large:1e400", "[{'x':1},{'x':1e400}]", RATE);
    FAULT("[{'x':2}1:$[1].x:expected a number, found a string:a", "[{'x':1},{'x':'a'}]", RATE);
    FAULT("[{'x':2}1:$[1].x:expected a number:true", "[{'x':1},{'x':true}]", RATE);
    FAULT("[{'x':2}1:$[1].x:expected a number:{'a':1}", "[{'x':1},{'x':{'a':1}}]", RATE);
    FAULT("[{'a':{'x':2}}1:$[1].a:expected an object or array, as in the first row:5",
          "[{'a':{'x':1}},{'a':5}]", RATE);
    FAULT("[{'x':2}1:$[1].x:this name occurs twice in one object:2", "[{'x':1},{'x':1,'x':2}]", RATE);
    FAULT("0::this name occurs twice in one object:x", "[{'x':1,'x':2}]", RATE);
    FAULT("[{'t':0,'x':2}1:$[1]:this record has no time:{", "[{'t':0,'x':1},{'x':1}]");
    FAULT("[{'t':0,'x':2}1:$[1].t:the time is missing:null", "[{'t':0,'x':1},{'t':null,'x':1}]");
    FAULT("[[2,2]1:$[1]:not the same number of elements as in the first array:[1]", "[[1,1],[1]]", RATE);
    FAULT("[{'x':2}1:$:expected another record, or ']':,", "[{'x':1},1]", RATE);
    FAULT(EMPTY, "[{},1]", RATE);
    FAULT(EMPTY, "[[[ ]],[[ ]]]", RATE);
    FAULT("[1:$[0]:not the same number of elements as in the first array:[]", "[[],[1,2]]", RATE);
    CHECK("[{'t':0,'a':[]},{ 't':1,'a' : [ 2 ] }]", "[{'t':0,'a':[]},{ 't':1,'a' : [ 1 ] }]");
    FAULT("[[2,2]1:$[1]:expected an object or array, as in the first row:{}", "[[1,1],{}]", RATE);
    FAULT("1:$[1]:the file ends too early: expected ',' or ']':", "[1, 2", RATE);
    FAULT("1:$[1]:expected a number, found a string:a", "[1, 'a']", RATE);
    FAULT("2:$[2]:not a JSON number:+3", "[1 ,2\n, +3]", RATE);
    FAULT("1:$[2]:expected a value:]", "[1,2,]", RATE);
    FAULT("{'x':2}\n2:$.x:expected a number, found a string:b", "{'x':1}\n{'x':'b'}\n", LINES, RATE);
    FAULT("{'x':2}\n2:$:text after the record on the same line:{", "{'x':1}\n{'x':2} {'x':3}\n", LINES, RATE);
    FAULT("{'x':2}\n2:$:this record is not complete at the end of its line:", "{'x':1}\n{\n'x':1}\n", LINES,
          RATE);
    FAULT("1:$:this record is not complete at the end of its line:", "{\n'x':1}\n", LINES, RATE);
    FAULT("[2,4]\n2:$[0]:this record is not complete at the end of its line:", "[1,2]\n[\n]\n", LINES, RATE);
}

static void faults_of_strings(void **state)
{
    (void)state;
    FAULT("[{'x':2}1:$[1].s:unpaired surrogate in a string:\\ud800", "[{'x':1},{'s':'\\ud800'}]", RATE);
    FAULT("[{'x':2}1:$[1].s:unpaired surrogate in a string:\\udc00", "[{'x':1},{'s':'\\udc00'}]", RATE);
    FAULT("[{'x':2}1:$[1].s:unpaired surrogate in a string:\\ud800", "[{'x':1},{'s':'\\ud800\\u0041'}]",
          RATE);
    FAULT("[{'x':2}1:$[1].s:unknown escape in a string:x", "[{'x':1},{'s':'\\x'}]", RATE);
    FAULT("[{'x':2}1:$[1].s:\\u needs four hexadecimal digits:g", "[{'x':1},{'s':'\\u00g'}]", RATE);
    FAULT("[{'x':2}1:$[1].s:a control character in a string:", "[{'x':1},{'s':'\t'}]", RATE);
    FAULT("[{'x':2}1:$[1].s:a byte that is not UTF-8:\xE9", "[{'x':1},{'s':'\xE9'}]", RATE);
    FAULT("[{'x':2}1:$[1].s:a byte that is not UTF-8:\xC0", "[{'x':1},{'s':'\xC0\x80'}]", RATE);
    FAULT("[{'x':2}1:$[1].s:a byte that is not UTF-8:\xED", "[{'x':1},{'s':'\xED\xA0\x80'}]", RATE);
    CHECK("[{'a\\u0000b':2,'x':2}]", "[{'a\\u0000b':1,'x':1}]", RATE);
}

static char *repeat(const char *start, const char *text, size_t n, const char *end)
{
    const size_t one = strlen(text), size = n * one;
    char *all = malloc(strlen(start) + size + strlen(end) + 1), *to = stpcpy(all, start);
    for (size_t done = 0, more; done < size; done += more) {
        more = done == 0 ? one : done < size - done ? done : size - done;
        memcpy(to + done, done == 0 ? text : to, more);
    }
    strcpy(to + size, end);
    return all;
}

/* Long inputs are not cut into pieces here: that takes too long. */
static void check_long(char *text, const char *fault)
{
    struct output o = run(&(struct input){ .text = text, X }, 65536, false);
    assert_string_equal(o.error.kind == ERROR_NONE ? "" : o.error.text, fault);
    free(o.bytes);
    free(text);
}

static void limits(void **state)
{
    (void)state;
    char *open = repeat("[{'t':0,'x':1,'d':", "[", 999, ""),
         *deeper = repeat("[{'t':0,'x':1,'d':", "[", 1000, "");
    check_long(repeat(open, "]", 999, "},{'x':2,'t':1}]"), "");
    check_long(repeat(deeper, "]", 1000, "}]"), "arrays and objects are nested more than 1000 deep");
    free(open);
    free(deeper);
    check_long(repeat("[{'t':0,'x':1},{'t':1,'x':'", "a", FORMAT_MAXCELL, "'}]"),
               "expected a number, found a string");
    check_long(repeat("[{'t':0,'x':1,'d':'", "a", FORMAT_MAXCELL, "'}]"), "");
    check_long(repeat("[{'t':0,'x':1,'", "a", JSON_MAXNAME, "':1}]"), "a name longer than 4096 bytes");
    check_long(repeat("[{'t':0,'x':1},{'t':1,'x':1,'d':[0", ",0", FORMAT_MAXROW / 2, "]}]"),
               "a record is longer than 64 MiB");
    check_long(repeat("[{'t':0,'x':1},{'t':1,'x':1,'d':[0", ",0", 3 * FORMAT_MAXROW / 4, "]}]"),
               "a record is longer than 64 MiB");
}

/* --- writing what another format holds --- */

static void composed(void **state)
{
    (void)state;
    CHECK("[\n{'time': 0, 'x': 2, 'label': 'a \\'b\\' \\\\ é'},\n{'time': 1.50, 'x': 4, 'label': null}\n]\n",
          "time,x,label\n0,1,'a ''b'' \\ é'\n1.50,2,\n", .from = "csv", .to = "json");
    CHECK("{'time': 0, 'x': 2, 'id': 9007199254740993, 'x_vel': 1}\n{'time': 1, 'x': null, 'id': 1.50, "
          "'x_vel': null}\n",
          "time,x,id\n0,1,9007199254740993\n1,NA,1.50\n", .from = "csv", .to = "jsonl", .added = 1, X);
    CHECK("{'time': -0, 'x': 2, 'id': '007', 'n': null}\n{'time': 0.5, 'x': 4, 'id': '+5', 'n': "
          "'b\\u0009c\\u000a\\u0001'}\n",
          "time,x,id,n\n-0,1,007,\n.5,2,+5,'b\tc\n\1'\n", .from = "csv", .to = "jsonl", X);
    CHECK("{'time': 7, 'x': 2}\n{'time': 8, 'x': 5}\n", "time;x\n007;1\n8,0;2,5\n", .from = "csv",
          .to = "jsonl", .options = { .decimal = "," });
    CHECK("{'1': 0, '2': 2}\n", "0,1\n", .from = "csv", .to = "jsonl", .choice = { .time = "1" });
    CHECK("{'time': 0, 'x': 2, 's\xF0\x9F\x98\x80': '\xF0\x9F\x98\x80'}\n",
          "time,x,s\xF0\x9F\x98\x80\n0,1,\xF0\x9F\x98\x80\n", .from = "csv", .to = "jsonl", X);
    CHECK("[\n]\n", "time,x\n", .from = "csv", .to = "json");
    FAULT("0::JSON must be UTF-8, but this text is not:\xE9", "time,\xE9\n0,1\n", .from = "csv",
          .to = "jsonl");
}

static void converted(void **state)
{
    (void)state;
    CHECK("t,x.y,s,b,x.y_vel\n0,2,'a\n',true,1\n1,4,,,2\n2,,é,,\n",
          "{'t':0,'x':{'y':1},'s':'a\\n','b':true}\n{'t':1,'x':{'y':2},'s':null}\n{'s':'\\u00e9','t':2}\n",
          LINES, .to = "csv", .added = 1);
    CHECK("[\n{'t':0,'x':{'y':2}},\n{'t':1, 'x':{'y':4}}\n]\n", "{'t':0,'x':{'y':1}}\n\n{'t':1, 'x':{'y':2}}",
          LINES, .to = "json");
    CHECK("{  't': 0,  'x': 2 }\n{'x': [1,  2],'t': 1}\n",
          "[\n{\n 't': 0,\n 'x': 1\n},\n{'x': [1,\r\n2],'t': 1}]", .to = "jsonl", .lenient = true);
    CHECK("{'t': 0, 'x': 2, 's': true, 'x_vel': 1}\n{'t': 1, 'x': 4, 's': [1, 2], 'x_vel': 2}\n",
          "{'t':[0,1],'x':[1,2],'s':[true,[1,\n2]]}", .to = "jsonl", .added = 1);
    CHECK("0,2\n1,4\n", "[[0,1],[1,2]]", .to = "csv", .choice = { .time = "1" });
}

/* --- the scanners --- */

static const char *plain_bytes(const char *p)
{
    while ((unsigned char)*p >= 0x20 && (unsigned char)*p < 0x80 && *p != '"' && *p != '\\')
        p++;
    return p;
}

static void plain_agrees(void **state)
{
    (void)state;
    char text[64 + JSON_SLACK] = { 0 };
    for (int byte = 0; byte < 256; byte++)
        for (size_t at = 0; at < 64; at++) {
            memset(text, 'a' + (int)at % 20, 64);
            text[at] = (char)byte;
            for (size_t from = 0; from < 40; from++)
                assert_ptr_equal(json_plain(text + from), plain_bytes(text + from));
        }
}

/* Random texts; the build without sanitizers, which is faster, takes more of them. */
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define NSPLIT 3000
#endif
#endif
#ifndef NSPLIT
#define NSPLIT 30000
#endif

/* Splitting a text whole and byte by byte. */
static void pieces_split_alike(void **state)
{
    (void)state;
    static const char some[] = "\"\\{}[],:a \n\x7f\xdb\xfb\x5b";
    char text[300 + JSON_SLACK];
    unsigned seed = 1;
    for (int i = 0; i < NSPLIT; i++) {
        for (size_t k = 0; k < 300; k++) {
            seed = seed * 1664525 + 1013904223;
            text[k] = i % 3 == 0   ? (char)(seed >> 24)
                      : i % 3 == 1 ? some[(seed >> 24) % sizeof some]
                                   : "{},1"[seed >> 30];
        }
        struct json_split whole = { .lines = i % 8 == 0, .most = JSON_MAXROWS }, part = whole;
        json_split(&whole, text, 300);
        for (size_t n = 1; n <= 300; n++)
            json_split(&part, text, n);
        assert_true(whole.n == part.n && whole.nrow == part.nrow && whole.last == part.last &&
                    whole.closed == part.closed && whole.depth == part.depth &&
                    (whole.closed || (whole.string == part.string && whole.escape == part.escape)));
    }
}

static void sniffing(void **state)
{
    (void)state;
    static const struct guess heads[] = {
        { "[{'t':0", "json" },
        { "\n [[1,2],", "json" },
        { "[1,", "json" },
        { "[]", "json" },
        { "[", "json" },
        { "{'t':[0,1],'x':[1,2]}", "json" },
        { "{'t':[0,1],'x':[1,2]}\n", "json" },
        { "{\n 'meta':", "json" },
        { "{'t':0,'x':1}\n", "jsonl" },
        { "{'t':0,'p':[1,2]}\n", "json" },
        { "{'t':0,'p':[1,2]}\n{'t':1,'p':[3,4]}\n", "jsonl" },
        { "{'a':0}\n{'a':1}\n", "jsonl" },
        { "{'p':[0]}\n{'p':[1]}\n", "jsonl" },
        { "[1,2]\n[3,4]\n", "jsonl" },
        { "[1,2]\n", "json" },
        { "{'rate':5,'x':[1,2]}\n", "json" },
        { "time,x\n", "csv" },
        { "[m],x\n0,1\n", "csv" },
        { "{a},x\n", "csv" },
        { "\xEF\xBB\xBF{'t':0}\n{'t':1}", "jsonl" },
    };
    check_guesses(heads, sizeof heads / sizeof *heads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(bytes_are_kept),
        cmocka_unit_test(other_layouts),
        cmocka_unit_test(gaps),
        cmocka_unit_test(vectors),
        cmocka_unit_test(derivatives),
        cmocka_unit_test(object_of_columns),
        cmocka_unit_test(records_in_a_document),
        cmocka_unit_test(faults),
        cmocka_unit_test(faults_of_strings),
        cmocka_unit_test(limits),
        cmocka_unit_test(composed),
        cmocka_unit_test(converted),
        cmocka_unit_test(plain_agrees),
        cmocka_unit_test(pieces_split_alike),
        cmocka_unit_test(sniffing),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
