/* The formats of motion capture that are text. */
#include "unit/formats/read_write.h"

static const struct tested tested = { .excerpt = true };

/* A skeleton of one joint with a child, up to the number of frames. */
#define SKELETON                                                                                             \
    "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 1.5e0 -2\n\tCHANNELS 2 Yposition Zrotation\n\tJOINT Left "          \
    "Leg\n\t{\n"                                                                                             \
    "\t\tOFFSET 0 0 0\n\t\tCHANNELS 1 xRotation\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 1 2 3\n\t\t}\n\t}\n}\n"
#define HEAD(frames) SKELETON "MOTION\nFrames:\t" frames "\nFrame Time: 0.25\n"
#define BVH          .from = "bvh"

static void bvh_names(void **state)
{
    (void)state;
    NAMES("time|Hips.Yposition|Hips.Zrotation@360|Left Leg.xRotation@360", HEAD("0"), BVH);
    NAMES("time|A.Xposition|A.Xposition_2|B.Xposition|A.Xposition_3",
          "HIERARCHY ROOT A { OFFSET 0 0 0 CHANNELS 2 Xposition Xposition\nJOINT B { OFFSET 0 0 0 "
          "CHANNELS\n1\nXposition }"
          "\nJOINT A { OFFSET 0 0\n0 CHANNELS 1 Xposition } }\nmotion\nframes : 0\nFRAME TIME:0.01\n",
          BVH);
    struct input in = { .text = HEAD("0"), BVH };
    struct output o = run_all(&in);
    assert_true(o.rate == 4);
    free(o.bytes);
}

static void bvh_rows(void **state)
{
    (void)state;
    CHECK(HEAD("2") "2 -4 0.5 \n\t6   8\t10\n", HEAD("2") "1 -2e0 .25 \n\t3   +4\t5.0\n", BVH);
    CHECK(HEAD("2") "2 -4 0.5\n6 8 10", HEAD("2") "1 -2 .25\n3 4 5", BVH);
    CHECK(HEAD("2") "2 -2 .25\n6 4 5", HEAD("2") "1 -2 .25\n3 4 5", BVH, .choice = { .columns = "Hips.Y*" });
    CHECK(HEAD("2") "1 -2 0.5 \t\n3 4 10", HEAD("2") "1 -2 .25 \t\n3 4 5", BVH, .choice = { .columns = "4" });
    CHECK(HEAD("2") "\n2 4 6\n \n2 4 6\n\n\n", HEAD("2") "\n1 2 3\n \n1 2 3\n\n\n", BVH);
    CHECK(HEAD("0") "", HEAD("0") "", BVH);
    CHECK(HEAD("0") "\n\n", HEAD("0") "\n\n", BVH);
    CHECK(HEAD("2") "nan 4 6\n2 NA 6\n", HEAD("2") "nan 2 3\n1 NA 3\n", BVH);
    CHECK(HEAD("1") "-9 4 6\n", HEAD("1") "-9 2 3\n", BVH, .options = { .missing = "-9" });
    CHECK(HEAD("1") "2,5 4 6\n", HEAD("1") "1,25 2 3\n", BVH, .options = { .decimal = "," });
}

static char *with_eol(const char *text, const char *eol)
{
    char *made = calloc(2 * strlen(text) + 1, 1), *to = made;
    for (; *text; text++)
        to = *text == '\n' ? stpcpy(to, eol) : (*to = *text, to + 1);
    return made;
}

static void line_ends(void **state)
{
    (void)state;
    static const char *const eols[] = { "\r\n", "\r" };
    for (size_t i = 0; i < 2; i++) {
        char *in = with_eol(HEAD("2") "1 2 3 \n4 5 6\n\n", eols[i]),
             *out = with_eol(HEAD("2") "2 4 6 \n8 10 12\n\n", eols[i]);
        CHECK(out, in, BVH);
        free(in);
        free(out);
        in = with_eol("x\nendheader\ntime\ta\t\n0\t1\t\n1\t\t\n", eols[i]);
        out = with_eol("x\nendheader\ntime\ta\ta_vel\t\n0\t2\t1\t\n1\t\tnan\t\n", eols[i]);
        CHECK(out, in, .from = "sto", .added = 1);
        free(in);
        free(out);
    }
    CHECK("\xEF\xBB\xBF" HEAD("1") "2 4 6\n", "\xEF\xBB\xBF" HEAD("1") "1 2 3\n", BVH);
}

static void bvh_other_formats(void **state)
{
    (void)state;
    CHECK("time,Hips.Yposition,Hips.Zrotation,Left Leg.xRotation\n0,2,4,6\n0.25,8,10,12\n0.5,,2,2\n",
          HEAD("3") "1 2 3\n4 5 6 \nnan 1 1\n", BVH, .to = "csv");
    CHECK("time,Hips.Yposition,Hips.Zrotation,Left Leg.xRotation,Hips.Yposition_vel\n0,2,2.0,3,1\n",
          HEAD("1") "1 2.0 3\n", BVH, .to = "csv", .choice = { .columns = "2" }, .added = 1);
    /* 3 * 0.1 is 0.3 here: the decimal is multiplied, not the double. */
    CHECK("time,A.x\n0,2\n0.1,2\n0.2,2\n0.3,2\n",
          "HIERARCHY\nROOT A {\nOFFSET 0 0 0\nCHANNELS 1 x\n}\nMOTION\nFrames: 4\nFrame Time: "
          "0.1\n1\n1\n1\n1\n",
          BVH, .to = "csv");
    FAULT("0::--to bvh needs a bvh input: the output copies its header:", "time,x\n0,1\n", .from = "csv",
          .to = "bvh");
    FAULT("0::derivatives: a bvh file has no place for them:", HEAD("0"), BVH, .added = 1);
    FAULT("0::--time does not apply to bvh files, which have their own time and hold one series:", HEAD("0"),
          BVH, .choice = { .time = "2" });
}

static void bvh_head_faults(void **state)
{
    (void)state;
    FAULT("0::the file is empty:", "", BVH);
    FAULT("0::the file is empty:", "\xEF\xBB\xBF", BVH);
    FAULT("1::expected HIERARCHY: this is not a bvh file:time,x", "time,x\n", BVH);
    FAULT("2::expected ROOT or MOTION:JOINT", "HIERARCHY\nJOINT A\n", BVH);
    FAULT("3::expected '{':OFFSET", "HIERARCHY\nROOT A\n  OFFSET\n", BVH);
    FAULT("2::expected the joint's name:ROOT", "HIERARCHY\nROOT {\n", BVH);
    FAULT("3::expected an offset, a number:x", "HIERARCHY\nROOT A {\nOFFSET x 1 2\n", BVH);
    FAULT("3::expected the number of channels:two", "HIERARCHY\nROOT A {\nCHANNELS two\n", BVH);
    FAULT("3::expected the name of a channel:}", "HIERARCHY\nROOT A {\nCHANNELS 2 a }\n", BVH);
    FAULT("3::expected JOINT, End Site, OFFSET, CHANNELS or '}':CHANNELS",
          "HIERARCHY\nROOT A {\nEnd Site { CHANNELS 1 x }\n", BVH);
    FAULT("2::expected ROOT or MOTION:}", "HIERARCHY\n}\n", BVH);
    FAULT("3::the file ends before the line MOTION:", "HIERARCHY\nROOT A {\n", BVH);
    FAULT("2::expected nothing after MOTION:x", "HIERARCHY\nMOTION x\n", BVH);
    FAULT("17::the file ends before Frames::", SKELETON "MOTION\n", BVH);
    FAULT("17::expected \"Frames:\" and a number:Frame: 1", SKELETON "MOTION\nFrame: 1\n", BVH);
    FAULT("18::expected \"Frame Time:\" and a number:0.1", SKELETON "MOTION\nFrames: 1\n0.1\n", BVH);
    FAULT("18::expected the frame time in seconds:Frame Time: 0",
          SKELETON "MOTION\nFrames: 1\n Frame Time: 0 \n", BVH);
    FAULT("2::a NUL byte: this is not text:", "HIERARCHY\nROOT \0 {\n", BVH, .ntext = 19);
}

static void bvh_faults(void **state)
{
    (void)state;
    CHECK(HEAD("1") "2 4 6\n", HEAD("2") "1 2 3\n", BVH);
    CHECK(HEAD("2") "2 4 6\n2 4 6\n", HEAD("1") "1 2 3\n1 2 3\n", BVH);
    FAULT(HEAD("1") "2 4 6\n20::expected 3 cells, found 2:1 2 ", HEAD("3") "1 2 3\n1 2 \n1 2 3\n", BVH);
    FAULT(HEAD("0") "\n20::expected 3 cells, found 4:1 2 3 4", HEAD("3") "\n1 2 3 4\n", BVH);
    FAULT(HEAD("0") "\n20::expected 3 cells, found 2:1 2", HEAD("3") "\n1 2\n", BVH,
          .choice = { .columns = "2" });
    FAULT(HEAD("1") "2 4 6\n20:Hips.Zrotation:not a number:2x", HEAD("2") "1 2 3\n1 2x 3\n", BVH);
    FAULT(HEAD("0") "19:Hips.Zrotation:not a number:inf", HEAD("1") "1 inf 3\n", BVH);
    FAULT(HEAD("0") "19:Left Leg.xRotation:the number is too large for a double:1e999",
          HEAD("1") "1 2 1e999\n", BVH);
    FAULT("19::a NUL byte: this is not text:", HEAD("1") "1 2 3 \0\n", BVH,
          .ntext = sizeof(HEAD("1") "1 2 3 \0\n") - 1);
    FAULT(HEAD("1") "2 4 6\n20::a NUL byte: this is not text:", HEAD("2") "1 2 3\n1 \0 3\n", BVH,
          .ntext = sizeof(HEAD("2") "1 2 3\n1 \0 3\n") - 1);
}

/* ------------------------------------------------------------------------------------------------------------------
 */

#define TRC_FRAMES(n)                                                                                        \
    "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\t"    \
    "OrigDataStartFrame\tOrigNumFrames\n100\t100\t" n "\t2\tmm\t100\t1\t2\n"
#define TRC_TOP   TRC_FRAMES("2")
#define TRC_NAMES "Frame#\tTime\tR.ASIS\t\t\tKnee \t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n"
#define TRC_HEAD  TRC_TOP TRC_NAMES
#define TRC       .from = "trc"

static void trc_names(void **state)
{
    (void)state;
    NAMES("Frame#|Time|R.ASIS.X|R.ASIS.Y|R.ASIS.Z|Knee.X|Knee.Y|Knee.Z", TRC_HEAD, TRC);
    NAMES("Frame#|Time|R.ASIS.X|R.ASIS.Y|R.ASIS.Z|Knee.X|Knee.Y|Knee.Z",
          TRC_HEAD "\n1\t0\t1\t2\t3\t4\t5\t6\t\n", TRC);
    NAMES("Frame#|Time|A.X|A.Y|A.Z|2.X|2.Y|2.Z|A.X_2|A.Y_2|A.Z_2", TRC_TOP "Frame#\tTime\tA\t\t\t\t\t\tA\n\n",
          TRC);
    NAMES("Frame#|Time|A.X|A.Y|A.Z|2.X|2.Y|2.Z", TRC_TOP "Frame#,Time,A,,,,,,,\n,,X1,Y1,Z1,X2,Y2,Z2,,\n",
          TRC);
    /* In order, where three labels of axes or three cells of a row belong to each name. */
    NAMES("Frame#|Time|A.X|A.Y|A.Z|B.X|B.Y|B.Z",
          TRC_TOP "Frame#\tTime\t\tA\t\tB\nX1\tY1\tZ1\tX2\tY2\tZ2\n1\t0\t1\t2\t3\t4\t5\t6\n", TRC);
    NAMES("Frame#|Time|A.X|A.Y|A.Z|B.X|B.Y|B.Z", TRC_TOP "Frame#\tTime\tA\t\tB\n1\t0\t1\t2\t3\t4\t5\t6\n",
          TRC);
    /* A row of more markers than names. */
    NAMES("Frame#|Time|R.ASIS.X|R.ASIS.Y|R.ASIS.Z|Knee.X|Knee.Y|Knee.Z|3.X|3.Y|3.Z",
          TRC_HEAD "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9\n", TRC);
    CHECK(TRC_HEAD "1\t0\t2\t4\t6\t8\t10\t12\t7\t8\t9\t\n2\t1\t2\t4\t6\t8\t10\t12\t\t\t\n",
          TRC_HEAD "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9\t\n2\t1\t1\t2\t3\t4\t5\t6\t\t\t\n", TRC);
}

static void trc_rows(void **state)
{
    (void)state;
    CHECK(TRC_HEAD "\n1\t0.00\t2\t4\t6\t8\t10\t12\n2\t0.01\t2\t4\t6\t\t \t\t\n",
          TRC_HEAD "\n1\t0.00\t1\t2\t3\t4\t5\t6\n2\t0.01\t1\t2\t3\t\t \t\t\n", TRC);
    CHECK(TRC_HEAD "1\t0\t\t\t\t8\t10\t12\t\t\n2\t1\t 2\t4 \t6\t8\t10\t12\n",
          TRC_HEAD "1\t0\t\t\t\t4\t5\t6\t\t\n2\t1\t 1\t2 \t3\t4\t5\t6\n", TRC);
    CHECK(TRC_FRAMES("1") TRC_NAMES "\t\t\n1\t0\t1.0\t4\t3\t4\t5\t6",
          TRC_HEAD "\t\t\n1\t0\t1.0\t2\t3\t4\t5\t6", TRC, .choice = { .columns = "R.ASIS.Y" });
    CHECK("Frame#,Time,R.ASIS.X,R.ASIS.Y,R.ASIS.Z,Knee.X,Knee.Y,Knee.Z\n7,0.0,2,4,6,,,\n",
          TRC_HEAD "\n7\t0.0\t1\t2\t3\t\t\t\n", TRC, .to = "csv");
    CHECK(TRC_FRAMES("1") TRC_NAMES "1\t0\t2\t4\t6\t8\t10\n", TRC_HEAD "1\t0\t1\t2\t3\t4\t5\n", TRC);
    FAULT(TRC_FRAMES("0") TRC_NAMES "6::expected 8 cells, found 1:1", TRC_HEAD "1\n", TRC);
    /* Cells beyond the header stay, in any number, also where the first row has columns for them. */
    CHECK(TRC_HEAD "1\t0\t2\t4\t6\t8\t10\t12\n2\t1\t2\t4\t6\t8\t10\t12\t7\t\t9\t\n",
          TRC_HEAD "1\t0\t1\t2\t3\t4\t5\t6\n2\t1\t1\t2\t3\t4\t5\t6\t7\t\t9\t\n", TRC);
    CHECK(TRC_FRAMES("4") TRC_NAMES "1\t0\t2\t4\t6\t8\t10\t12\t7\t8\t9\n2\t1\t2\t4\t6\t8\t10\t12\n"
                                    "3\t2\t2\t4\t6\t8\t10\t12\t7\n4\t3\t2\t4\t6\t8\t10\t12\t7\t8\t9\tx\n",
          TRC_HEAD "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9\n2\t1\t1\t2\t3\t4\t5\t6\n"
                   "3\t2\t1\t2\t3\t4\t5\t6\t7\n4\t3\t1\t2\t3\t4\t5\t6\t7\t8\t9\tx\n",
          TRC);
    CHECK("Frame#,Time,R.ASIS.X,R.ASIS.Y,R.ASIS.Z,Knee.X,Knee.Y,Knee.Z,3.X,3.Y,3.Z\n"
          "1,0,2,4,6,8,10,12,7,8,9\n2,1,2,4,6,8,10,12,,,\n3,2,2,4,6,8,10,12,7,,\n",
          TRC_HEAD "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9\n2\t1\t1\t2\t3\t4\t5\t6\n"
                   "3\t2\t1\t2\t3\t4\t5\t6\t7\t\n",
          TRC, .to = "csv");
    CHECK(TRC_HEAD "1\t0\t1\t2\t3\t4\t5\t6\t14\t8\t9\n2\t1\t1\t2\t3\t4\t5\t6\n",
          TRC_HEAD "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9\n2\t1\t1\t2\t3\t4\t5\t6\n", TRC,
          .choice = { .columns = "3.X" });
    FAULT(TRC_FRAMES("0") TRC_NAMES "6:Time:the time is missing:", TRC_HEAD "1\t\t1\t2\t3\t4\t5\t6\n", TRC);
    FAULT("1::expected PathFileType: this is not a trc file:a,b", "a,b\n", TRC);
    FAULT("0::no line of names found: expected a line that begins with Frame#:", TRC_TOP, TRC);
    FAULT("4::a marker name is above column 4, but names must be above every third column:B",
          TRC_TOP "Frame#\tTime\tA\tB\n", TRC);
    FAULT("0::derivatives: a trc file has only positions of markers:", TRC_HEAD, TRC, .added = 1);
}

/* ------------------------------------------------------------------------------------------------------------------
 */

#define STO_TOP "Title\nversion=1\nnColumns=3\ninDegrees=yes\n\nendheader\n"
#define STO     .from = "sto"

static void sto_rows(void **state)
{
    (void)state;
    NAMES("time|a b|c|c_2", STO_TOP "time\ta b\tc\tc\n0\t1\t2\t3\n", STO);
    NAMES("time|a|b|c", STO_TOP "time a \t b   c  \n0 1\t2 3\n", STO);
    NAMES("time|a|b", STO_TOP "time,a,b,,\n0,1,2\n", STO);
    NAMES("time|a|b", STO_TOP "time\ta\tb\n", STO);
    CHECK(STO_TOP "time\ta\tb\n0.0\t2\tnan\n0.5\tNaN\t4\n", STO_TOP "time\ta\tb\n0.0\t1\tnan\n0.5\tNaN\t2\n",
          STO);
    CHECK(STO_TOP "time a  b\n  0.0\t2   4\n 0.5 6 8", STO_TOP "time a  b\n  0.0\t1   2\n 0.5 3 4", STO);
    CHECK(STO_TOP "time,a,b\n0,2,4,,\n1,,4\n", STO_TOP "time,a,b\n0,1,2,,\n1,,2\n", STO);
    CHECK(STO_TOP "time\ta\tq\n0\t2\t1,2,3\n", STO_TOP "time\ta\tq\n0\t1\t1,2,3\n", STO);
    CHECK(STO_TOP "time\tq\ta\n0\t\"x\t2\n1\ty\"\"\t4\n", STO_TOP "time\tq\ta\n0\t\"x\t1\n1\ty\"\"\t2\n",
          STO);
    CHECK("name x\ndatacolumns 2\ndatarows 1\nendheader\ntime a\n0 2\n",
          "name x\ndatacolumns 2\ndatarows 30\nendheader\ntime a\n0 1\n", .from = "mot");
    CHECK("Title\nversion=1\nnColumns=5\ninDegrees=yes\n\nendheader\ntime\ta\tb\ta_vel\tb_"
          "vel\n0\t2\t4\t1\t2\n",
          STO_TOP "time\ta\tb\n0\t1\t2\n", STO, .added = 1);
    /* From sto to mot nothing is lost. */
    CHECK(STO_TOP "time\ta\tb\n0\t2\t4\n", STO_TOP "time\ta\tb\n0\t1\t2\n", STO, .to = "mot");
}

#define VEC(type) "DataType=" type "\nversion=3\nendheader\n"

static void sto_vectors(void **state)
{
    (void)state;
    NAMES("time|a.w|a.x|a.y|a.z|b.w|b.x|b.y|b.z", VEC("Quaternion") "time\ta\tb\n0\t1,0,0,0\t1,0,0,0\n", STO);
    NAMES("time|a.w|a.x|a.y|a.z", VEC("Quaternion") "time\ta\n", STO);
    NAMES("time|a.1|a.2|a.3|a.4|a.5|a.6", VEC("SpatialVec") "time\ta\n0\t1,2,3,4,5,6\n", STO);
    /* The type may be wrong, and numbers with a decimal comma have none between them. */
    NAMES("time|a", VEC("Vec3") "time\ta\n0\t1\n", STO);
    NAMES("time|a", VEC("Vec3") "time\ta\n0\t1,2,3\n", STO, .options = { .decimal = "," });
    NAMES("time|a", VEC("double") "time\ta\n0\t1\n", STO);
    CHECK(VEC("UnitVec3") "time\ta\tb\n0\t2, 4 ,6e0\t 8,nan,12\t\n1 \t2,4,6\t2,2,2\n",
          VEC("UnitVec3") "time\ta\tb\n0\t1, 2 ,6e0\t 4,nan,6\t\n1 \t1,2,6\t1,1,1\n", STO,
          .choice = { .exclude = "a.z" });
    CHECK("time,a.x,a.y,a.z\n0,2,4,6\n1,2,,6\n", VEC("Vec3") "time\ta\n0\t1,2,3\n1\t1,nan,3\n", STO,
          .to = "csv");
    FAULT(VEC("Vec3") "time\ta\tb\n5::expected a time, then 3 comma-separated numbers in every "
                      "cell after it:0\t1,2\t3,4,5,6",
          VEC("Vec3") "time\ta\tb\n0\t1,2\t3,4,5,6\n", STO);
    FAULT(VEC("Vec3") "time\ta\n5::expected a time, then 3 comma-separated numbers in every "
                      "cell after it:0\t1,2,3,",
          VEC("Vec3") "time\ta\n0\t1,2,3,\n", STO);
    FAULT(VEC("Vec3") "time\ta\n5::expected a time, then 3 comma-separated numbers in every "
                      "cell after it:0,1\t2,3",
          VEC("Vec3") "time\ta\n0,1\t2,3\n", STO);
    FAULT("0::derivatives: cells of several numbers cannot hold them:", VEC("Vec3") "time\ta\n", STO,
          .added = 1);
}

#define QTM(rate) "NO_OF_FRAMES\t2\nFREQUENCY\t" rate "\nDATA_INCLUDED\t3D\nMARKER_NAMES\tA\tB c\t\n"

static void qualisys(void **state)
{
    (void)state;
    static const char in[] = QTM(
        "8") "TRAJECTORY_TYPES\tMeasured\tMeasured\n\n1\t2\t3\t4\t5\t6\t\n\t\t\t1\t1\t1\n";
    NAMES("time|A.x|A.y|A.z|B c.x|B c.y|B c.z", in, .from = "qualisys");
    CHECK(QTM("8") "TRAJECTORY_TYPES\tMeasured\tMeasured\n\n2\t4\t6\t8\t10\t12\t\n\t\t\t2\t2\t2\n", in,
          .from = "qualisys");
    CHECK("time,A.x,A.y,A.z,B c.x,B c.y,B c.z\n0,2,4,6,8,10,12\n0.125,,,,2,2,2\n", in, .from = "qualisys",
          .to = "csv");
    CHECK(QTM("8") "3\t0.5\t2\t4\t6\t\t\t\n4\t1\t2\t4\t6\t\t\t\n",
          QTM("8") "3\t0.5\t1\t2\t3\t\t\t\n4\t1\t1\t2\t3\t\t\t\n", .from = "qualisys");
    NAMES("Frame|Time|A.x|A.y|A.z|B c.x|B c.y|B c.z", QTM("x") "3\t0.5\t1\t2\t3\t\t\t\n", .from = "qualisys");
    NAMES("time|A.x|A.y|A.z|B c.x|B c.y|B c.z", QTM("8") "AX\tAY\tAZ\tBX\tBY\tBZ\n1\t2\t3\t4\t5\t6\n",
          .from = "qualisys");
    FAULT("0::this is not a Qualisys marker file: no MARKER_NAMES line above the rows:",
          "NO_OF_FRAMES\t1\n1\t2\n", .from = "qualisys");
    FAULT("3::a Qualisys file must hold 3D data (marker positions):6D",
          "NO_OF_FRAMES\t1\nFREQUENCY\t1\nDATA_INCLUDED\t6D\n", .from = "qualisys");
    FAULT("2::no row rate found: the file has no FREQUENCY line and no Time column:-1", QTM("-1"),
          .from = "qualisys");
    FAULT("2::no row rate found: the file has no FREQUENCY line and no Time column:1e400", QTM("1e400"),
          .from = "qualisys");
    FAULT("NO_OF_FRAMES\t0\nFREQUENCY\t8\nDATA_INCLUDED\t3D\nMARKER_NAMES\tA\tB c\t\n5::expected 6 cells, "
          "found 5:1\t2\t3\t4\t5",
          QTM("8") "1\t2\t3\t4\t5\n", .from = "qualisys");
}

static void sto_faults(void **state)
{
    (void)state;
    FAULT("0::no line \"endheader\" found:", "time\ta\n0\t1\n", STO);
    FAULT("0::the file ends before the names of its columns:", STO_TOP, STO);
    FAULT(STO_TOP "time\ta\n8::expected 2 cells, found 3:0\t1\t2", STO_TOP "time\ta\n0\t1\t2\n", STO);
    FAULT("0::--to sto needs a sto input: the output copies its header:", "time,a\n0,1\n", .from = "csv",
          .to = "sto");
}

static void sniffing(void **state)
{
    (void)state;
    static const struct guess heads[] = {
        { "HIERARCHY\nROOT x\n", "bvh" },
        { "\n  hierarchy \n", "bvh" },
        { "HIERARCHY2\n", "csv" },
        { "PathFileType\t4\t(X/Y/Z)\n", "trc" },
        { "\xEF\xBB\xBFPathFileType 4\n", "trc" },
        { STO_TOP, "sto" },
        { "a\r\nnRows=2\r\nendheader,,,\r\n", "sto" },
        { "a\nendheader\n", "csv" },
        { "nRows=2\nendheaders\n", "csv" },
        { "DataType=Vec3\nendheader\n", "sto" },
        { QTM("1"), "qualisys" },
        { "NO_OF_FRAME\t1\n", "csv" },
    };
    check_guesses(heads, sizeof heads / sizeof *heads);
    assert_string_equal(format_by_file("x/y.BVH")->name, "bvh");
    assert_string_equal(format_by_file("a.trc")->name, "trc");
    assert_string_equal(format_by_file("a.sto")->name, "sto");
    assert_string_equal(format_by_file("a.mot")->name, "mot");
}

/* Many rows, so that there are many blocks: all come out, and each once. */
static void many_rows(void **state)
{
    (void)state;
    enum { ROWS = 60000 };
    char *in = malloc(ROWS * 32 + 1000), *out = malloc(ROWS * 32 + 1000), *p = in, *q = out;
    p += sprintf(p, "%s", HEAD("60000"));
    q += sprintf(q, "%s", HEAD("60000"));
    for (int i = 0; i < ROWS; i++) {
        p += sprintf(p, "%d %d 1 %s\n", i, i % 7, i % 1000 ? "" : "\n");
        q += sprintf(q, "%d %d 2 %s\n", 2 * i, i % 7 * 2, i % 1000 ? "" : "\n");
    }
    struct input input = { .text = in, BVH };
    static const size_t chunks[] = { 16384, 1000, 4099 };
    for (size_t k = 0; k < 3; k++) {
        struct output o = run(&input, chunks[k], false);
        assert_int_equal(o.error.kind, ERROR_NONE);
        assert_string_equal(o.bytes, out);
        free(o.bytes);
    }
    free(in);
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bvh_names),         cmocka_unit_test(bvh_rows),        cmocka_unit_test(line_ends),
        cmocka_unit_test(bvh_other_formats), cmocka_unit_test(bvh_head_faults), cmocka_unit_test(bvh_faults),
        cmocka_unit_test(trc_names),         cmocka_unit_test(trc_rows),        cmocka_unit_test(sto_rows),
        cmocka_unit_test(sto_vectors),       cmocka_unit_test(qualisys),        cmocka_unit_test(sto_faults),
        cmocka_unit_test(sniffing),          cmocka_unit_test(many_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
