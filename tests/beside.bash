# Sourced by tests/static and tests/windows: a program of another kind beside the ordinary one, on the same files. Before
# that they set `ordinary`, its path, and `mine`, the folder where the other program works, and define
#   other OPERAND...   runs the other program in that folder.
work=$(mktemp -d)
theirs=$work/ordinary
bad=0
mkdir -p "$theirs"

wrong()
{
    echo "wrong: $*"
    bad=1
}

# make_samples: a file of every format, the same in both folders.
make_samples()
{
    local tools=tests/cases/tools
    cp data/{wave,step,take,vicon}.csv data/hip.fbx data/walk.bvh data/markers.trc data/angles.sto data/angles.mot "$theirs"
    sed 's/$/\r/' data/step.csv > "$theirs/crlf.csv"
    printf 't,x\n0,0\n1,12abc\n' > "$theirs/wrong.csv"
    awk 'BEGIN { print "time,x"; for (i = 0; i < 2000; i++) { t += 0.01 + i * 7 % 13 / 1000; printf "%.6f,%.5f\n", t, sin(3 * t) * 40 + i * 5 % 17 / 10 } }' > "$theirs/uneven.csv"
    printf '{"t":%d,"x":%d}\n' 0 1 1 5 2 3 3 8 > "$theirs/rows.jsonl"
    printf '{"time": [0, 1, 2, 3],\n "hip": {"x": [1, 5, 3, 8]}}\n' > "$theirs/columns.json"
    python3 $tools/make_c3d.py "$theirs/walk.c3d" || wrong "no C3D file was made"
    python3 $tools/gltf.py make "$theirs/walk.glb" || wrong "no GLB file was made"
    (cd "$theirs" && python3 "$OLDPWD/$tools/gltf.py" make walk.gltf) || wrong "no glTF file was made"
    python3 $tools/npy.py make "$theirs/array.npy" '<f8' 100,3 || wrong "no NumPy array was made"
    sox -n -r 8000 -b 16 "$theirs/tone.wav" synth 0.5 sine 200 || wrong "no WAV file was made"
    sox "$theirs/tone.wav" "$theirs/tone.flac" || wrong "no FLAC file was made"
    sox "$theirs/tone.wav" "$theirs/tone.ogg" || wrong "no Ogg file was made"
    cp -a "$theirs/." "$mine"
}

# agree MINE THEIRS: the same bytes, or series whose numbers agree: elementary functions differ in their last digit from one C
# library to another. Accelerations reach some thousands, hence the absolute part.
agree()
{
    cmp -s "$1" "$2" || "$ordinary" diff -q --rel 1e-12 --abs 1e-9 "$2" "$1" > /dev/null 2>&1
}

# same NAME STATUS_THEIRS STATUS_MINE: both printed the same, with the status $status, 0 without it.
same()
{
    (($2 == ${status:-0})) || wrong "$1: the ordinary program's status is $2: $(head -n 3 "$work/theirs.err")"
    (($3 == $2)) || wrong "$1: status $3, not $2: $(head -n 3 "$work/mine.err")"
    agree "$work/mine.out" "$work/theirs.out" || wrong "$1: other numbers or bytes"
    cmp -s "$work/mine.err" "$work/theirs.err" || wrong "$1: other messages: $(diff "$work/theirs.err" "$work/mine.err" | head -n 6)"
}

# wine_failed STATUS: did Wine fail instead of the program? On a busy machine it may end with status 1 and without a word before
# the program begins, or with a message of the loader of Linux after the program has ended. The program ends with 1 only where a
# comparison differs, and says so.
wine_failed()
{
    (($1 == 1)) && [[ ! -s $work/mine.out && ! -s $work/mine.err ]] || grep -q "detected by ld.so" "$work/mine.err"
}

# other_once OPERAND...: runs the other program, through pipes with from_pipe=1, and ends with its status.
other_once()
{
    if [[ ${from_pipe:-} ]]; then
        (cd "$theirs" && cat "$input" | other "$@" | cat > "$work/mine.out"; exit "${PIPESTATUS[1]}") 2> "$work/mine.err"
    else
        (cd "$theirs" && other "$@" < "$input") > "$work/mine.out" 2> "$work/mine.err"
    fi
}

# both NAME OPERAND...: both programs print the same numbers and the same messages, with the status $status, 0 without it. Standard
# input is $input, an empty file without it; from_pipe=1: through pipes.
both()
{
    local name=$1 input=${input:-/dev/null} status_theirs status_mine
    shift
    if [[ ${from_pipe:-} ]]; then
        (cd "$theirs" && cat "$input" | "$ordinary" "$@" | cat > "$work/theirs.out"; exit "${PIPESTATUS[1]}") 2> "$work/theirs.err"
    else
        (cd "$theirs" && "$ordinary" "$@" < "$input") > "$work/theirs.out" 2> "$work/theirs.err"
    fi
    status_theirs=$?
    for _ in 1 2; do
        other_once "$@"
        status_mine=$?
        wine_failed $status_mine || break
    done
    same "$name" $status_theirs $status_mine
}

# written NAME FILE...: files that the last command of both wrote are the same, and are not empty.
written()
{
    local name=$1 path
    shift
    for path; do
        [[ -s $mine/$path ]] || wrong "$name: $path is missing or empty"
        agree "$mine/$path" "$theirs/$path" || wrong "$name: other numbers or bytes in $path"
    done
}

# every_filter: each filter over uneven steps, where every row has numbers of its own; rotations; whole series; responses.
every_filter()
{
    local filter rows
    for rows in "$mine/uneven.csv" "$theirs/uneven.csv"; do
        awk 'BEGIN { print "t,x,y,bone.w,bone.x,bone.y,bone.z"
            for (i = 0; i < 3000; i++) {
                seed = (seed * 1103515245 + 12345) % 2147483648
                t += 0.001 + seed / 2147483648 * 0.1
                a = (seed / 65536) % 1000 / 500 - 1
                printf "%.6f,%.6f,%.6f,0.5,%.4f,%.4f,0.5\n", t, i % 97 + a, seed % 10007 / 100, a, (i % 50) / 50
            } }' > "$rows"
    done
    while read -r filter; do
        both "uneven steps: $filter" $filter uneven.csv
    done << 'LIST'
damper -H 0.1
one-euro
critical -H 0.1
critical -H 0.1 --approx holden
spring -f 2 -z 0.2
spring -f 2 -z 2
butterworth --cutoff 3
second-order -f 1.5 -z 0.5 -r -1
tracking
inertialize -H 0.15 --detect-cuts 5
double -H 0.15
timed -H 0.1 --time 0.5
velocity -H 0.1 --speed 2
character -H 0.1
butterworth --cutoff 2 --zero-phase
butterworth --cutoff auto --zero-phase
resonance -H 0.3 --frequencies 2
damper -H 0.1 --quaternions bone
critical -H 0.1 --quaternions bone
spring -f 2 -z 0.2 --quaternions bone
second-order -f 1.5 -z 0.5 -r -1 --quaternions bone
tracking --quaternions bone
butterworth --cutoff 2 --zero-phase --quaternions bone
LIST
    for filter in "damper -H 0.1" "critical -H 0.1" "spring -f 2 -z 0.2" "double -H 0.1" "butterworth --cutoff 3"; do
        both "response: $filter" response $filter --bode --to csv
    done
}

# every_format: each format from file to file, in place, as a batch; what is read only; commands; messages.
every_format()
{
    local kind
    for kind in wave.csv crlf.csv rows.jsonl columns.json array.npy tone.wav tone.flac walk.c3d walk.bvh markers.trc angles.sto \
        angles.mot walk.glb walk.gltf hip.fbx; do
        both "$kind" critical -H 0.01 --rate 60 -o "new_$kind" "$kind"
        written "$kind" "new_$kind"
    done
    both "Ogg" critical -H 0.01 -o ogg.flac tone.ogg # Ogg is read, not written
    "$ordinary" diff -q --abs 1e-4 "$mine/ogg.flac" "$theirs/ogg.flac" || wrong "Ogg: other samples" # decoders round
    every_filter
    both "a file into a pipe" critical -H 0.01 walk.c3d
    both "zero phase" butterworth --cutoff auto --zero-phase --despike 6 --gaps linear --header 3,4 --rate 100 vicon.csv
    both "tracking, each step of another length" tracking uneven.csv
    both "points of a grid between rows" critical -H 0.1 --resample 29.97 uneven.csv
    both "one format to another" damper -H 0.1 --to json markers.trc
    both "in place" critical -H 0.1 --in-place step.csv
    written "in place" step.csv
    both "in place with a backup" critical -H 0.1 --in-place=.orig take.csv --header 3,4
    written "in place with a backup" take.csv take.csv.orig
    both "a batch" critical -H 0.1 --rate 60 --output-dir out wave.csv step.csv hip.fbx walk.bvh tone.wav
    written "a batch" out/wave.csv out/step.csv out/hip.fbx out/walk.bvh out/tone.wav
    status=2 both "a batch over a file that is there" critical -H 0.1 --output-dir out wave.csv
    both "what is in a file" inspect wave.csv
    both "a response" response critical -H 0.2 --summary
    status=1 both "two files compared" diff wave.csv step.csv
    both "plot in the terminal" plot -o - wave.csv
    both "help" help
    both "help on a filter" critical --help
    both "a topic of help" help formats
    status=2 both "a missing file" critical -H 0.1 missing.csv
    status=2 both "an error in a row" critical -H 0.1 wrong.csv
    status=2 both "an unknown option" critical --halflif 0.1 wave.csv
}
