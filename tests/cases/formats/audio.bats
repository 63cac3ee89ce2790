#!/usr/bin/env bats
# Audio: one case a promise and one a trap. Files are made by make_audio.py; what sox and ffmpeg make and read is tested
# where they are installed.

load ../common

MAKE=$TOOLS/make_audio.py

# make NAME [FILE]: a file of that name by make_audio.py.
make()
{
    python3 "$MAKE" "$1" "${2:-$1.wav}"
}

samples()
{
    python3 "$MAKE" samples "$1"
}

# identity [OPTION]...: a filter that changes nothing.
identity()
{
    sprung damper --method lerp --factor 1 "$@"
}

# same FILE FILE: the same rate, channels, samples and type of samples.
same()
{
    python3 "$MAKE" same "$1" "$2"
}

@test "every 16-bit sample, and the edges of 8, 24 and 32 bits, float and double come out as they went in" {
    names='all16 edge8 odd8 edge24 edge32 stereo bits12 extensible float double loud odd-before empty'
    python3 "$MAKE" make $names
    for name in $names; do
        identity $name.wav > out.wav
        same $name.wav out.wav
        cmp <(head -c 4 $name.wav) <(head -c 4 out.wav)
        # From a pipe and to a pipe: the same bytes.
        cat $name.wav | identity --from wav - | cat | cmp - out.wav
    done
}

@test "AU, AIFF, CAF and W64 come out with the samples that went in, their type and order of bytes" {
    for name in au au-float au-double au-24 au-little; do
        make $name $name.au
        identity $name.au > out.au
        cmp $name.au out.au
    done
    for name in aiff aiff-sowt aiff-float; do
        make $name $name.aiff
        identity $name.aiff > out.aiff
        same $name.aiff out.aiff
        [ "$(stat -c %s $name.aiff)" = "$(stat -c %s out.aiff)" ]
    done
    for name in caf caf-big caf-float; do
        make $name $name.caf
        identity $name.caf > out.caf
        cmp <(identity --to csv $name.caf) <(identity --to csv out.caf)
        # The flags of the description: order of bytes and float.
        cmp <(tail -c +33 $name.caf | head -c 4) <(tail -c +33 out.caf | head -c 4)
    done
    for name in all16 edge8 float double; do
        make $name
        identity --to w64 $name.wav > x.w64
        identity x.w64 | cmp - x.w64
        identity --to wav x.w64 > back.wav
        cmp <(samples back.wav) <(samples $name.wav)
    done
}

@test "every container takes every sample to every other and back" {
    make all16
    for format in au aiff caf w64 flac; do
        identity --to $format all16.wav > x.$format
        identity --to wav x.$format > back.wav
        same all16.wav back.wav
        cat x.$format | identity --to wav --from $format > back.wav
        same all16.wav back.wav
    done
}

@test "a filter filters each channel" {
    make long-float
    sprung critical --halflife 0.001 long-float.wav > out.wav
    sprung critical --halflife 0.001 --to csv -d 0 long-float.wav > out.csv
    sprung diff --abs 1e-7 out.csv out.wav
}

@test "to csv: time by the rate, and channels ch1, ch2" {
    make stereo
    identity --to csv -d 0 stereo.wav > out.csv
    [[ $(head -n 3 out.csv) == $'time,ch1,ch2\n0,0,0.030517578125\n0.000125,-0.030517578125,0.999969482421875' ]]
    identity --to csv -d 0 --rate 16000 stereo.wav | sed -n 3p | grep -q '^0.0000625,'
    identity --to csv -d 1 stereo.wav | head -n 1 | grep -qx 'time,ch1,ch2,ch1_vel,ch2_vel'
}

@test "float wav to csv to wav, and to json and back, loses nothing" {
    make long-float
    identity --to csv -d 0 long-float.wav > x.csv
    identity --to wav --rate 44100 x.csv > x.wav
    cmp <(samples x.wav) <(samples long-float.wav)
    identity --to json -d 0 long-float.wav > x.json
    identity --to wav --rate 44100 x.json > y.wav
    cmp x.wav y.wav
}

@test "channels that are left out pass through untouched" {
    make stereo
    sprung critical --halflife 1 -c ch1 stereo.wav > out.wav
    cmp <(samples out.wav | tail -n +2 | sed -n 'n;p') <(samples stereo.wav | tail -n +2 | sed -n 'n;p')
    ! cmp -s stereo.wav out.wav
    make nan-right
    sprung critical --halflife 1 -x ch2 nan-right.wav > out.wav
    cmp <(samples out.wav | tail -n +2 | sed -n 'n;p') <(samples nan-right.wav | tail -n +2 | sed -n 'n;p')
}

@test "appended to a file, a WAV stays whole" {
    make long
    identity long.wav > want.wav
    printf 'abc' > out
    identity long.wav >> out
    tail -c +4 out | cmp - want.wav
    : > empty
    identity long.wav >> empty
    cmp empty want.wav
}

@test "sizes of streaming writers: everything up to the end is read, and the head is corrected" {
    make ramp
    python3 "$MAKE" make size0 size36 sizeF size7 size7b rf64 rf64-open
    for name in sizeF size7 size7b; do
        fails 0 identity $name.wav
        [[ -z $err ]]
        identity $name.wav | cmp - ramp.wav
    done
    cmp <(identity --to csv rf64.wav) <(identity --to csv ramp.wav)
    cmp <(identity rf64.wav | head -c 4) <(printf RF64)
    # libsndfile finds no sample.
    for name in size0 size36 rf64-open; do
        fails 2 identity $name.wav
        says "the header says that there are no samples"
        says "sox --ignore-length"
    done
    make au-open x.au
    identity --to wav x.au > y.wav
    same y.wav ramp.wav
    # No sample, and a chunk that follows, though the head says 0.
    make empty-list
    identity empty-list.wav > out.wav
    [[ $(python3 "$MAKE" chunks out.wav | tr '\n' ' ') == "fmt  16 LIST 20 data 0 " ]]
}

@test "truncated: what is there is read, and a warning says how much is missing" {
    make truncated
    make ramp
    fails 0 identity truncated.wav -o of_file.wav
    says "truncated.wav: warning: truncated: 1000 frames expected, 8 found"
    cat truncated.wav | identity 2> err > of_pipe.wav
    grep -q 'warning: truncated: ' err
    cmp of_file.wav of_pipe.wav
    fails 0 identity of_file.wav # its head is true
    [[ -z $err ]]
    identity -q truncated.wav | cmp - ramp.wav
    make long
    identity --to flac long.wav > long.flac
    head -c 20000 long.flac > x.flac
    identity --to wav x.flac 2> err > y.wav
    grep -q "10000 frames expected" err
    # A part of a frame at the end is dropped.
    make partial
    identity -q partial.wav | cmp - ramp.wav
}

@test "samples that are neither PCM nor float are refused by name" {
    local name
    python3 "$MAKE" make adpcm-ms mulaw tag-odd rifx
    while read -r name words; do
        fails 2 identity $name.wav
        says "$words"
        [[ -z $out ]]
    done << 'LIST'
adpcm-ms cannot read samples that are Microsoft ADPCM
mulaw cannot read samples that are U-Law
tag-odd libsndfile refuses the file
rifx the file is a big-endian WAV file
LIST
    make au-mulaw x.au
    fails 2 identity x.au
    says "cannot read samples that are U-Law"
    make au-g721 x.au
    fails 2 identity x.au
    says "cannot read samples that are 32kbs G721 ADPCM"
    make aiff-ima4 x.aiff
    fails 2 identity x.aiff
    says "cannot read samples that are IMA ADPCM"
    make caf-aac x.caf
    fails 2 identity x.caf
    says "libsndfile refuses the file: "
}

@test "headers that make no sense get plain words" {
    local name
    python3 "$MAKE" make no-data channels0 channels257 rate0 bits64 short-fmt fmt-cut head-cut avi
    while read -r name words; do
        fails 2 identity $name.wav
        says "$words"
        [[ -z $out ]]
    done << 'LIST'
no-data libsndfile refuses the file: Error in WAV file. No 'data' chunk
channels0 libsndfile refuses the file
channels257 the header says 257 channels; at most 256 can be read
rate0 libsndfile refuses the file
bits64 libsndfile refuses the file
short-fmt libsndfile refuses the file
fmt-cut libsndfile refuses the file
head-cut this file is not WAV
avi this file is not WAV
LIST
    make aiff x.wav
    fails 2 identity x.wav
    says "this file is not WAV"
    says "--from aiff"
    identity --from aiff x.wav > out
    for name in au-channels0 aiff-no-comm caf-align caf-rate caf-truncated; do
        make $name x.${name%%-*}
        fails 2 identity x.${name%%-*}
        says "libsndfile refuses the file: "
    done
    : > x.wav
    fails 2 identity x.wav
    says "the file is empty"
}

@test "clipping: values outside are clipped, counted and reported" {
    make loud
    identity --to flac loud.wav > x.flac 2> err.txt
    grep -q "2 samples were clipped" err.txt
    identity --to csv -d 0 x.flac | cut -d, -f2 | tail -n +2 | tr '\n' ' ' > got
    [[ $(cat got) == "0 0.9999998807907104 -1 0.9 "* ]] || [[ $(cat got) == "0 0.99999988079071"*" -1 0.8999999"* ]]
    identity -q --to flac loud.wav 2> err.txt > /dev/null
    [[ ! -s err.txt ]]
}

@test "a gap is refused before it is written, and filled where that is asked for" {
    make nan
    fails 2 identity nan.wav
    says 'column "ch1": audio cannot hold a gap, but frame 2'
    says "fill it with --gaps linear"
    identity --gaps fill nan.wav > out.wav
    [[ $(samples out.wav | tr '\n' ' ') == "8000 1 0.0 0.5 0.5 0.5 0.25 0.125 " ]]
    identity --to csv -d 0 nan.wav | sed -n 4p | grep -qx '0.00025,'
    sprung diff nan.wav nan.wav
}

@test "infinite samples are an error with their place" {
    make inf
    fails 2 identity inf.wav
    says 'column "ch1": the sample of frame 3 is infinite'
}

@test "the same input gives the same bytes at any time of day" {
    make long-float
    identity long-float.wav > a.wav
    for format in wav aiff caf au flac; do
        identity --to $format long-float.wav > a.$format 2> /dev/null
    done
    sleep 1.1
    for format in wav aiff caf au flac; do
        identity --to $format long-float.wav 2> /dev/null | cmp - a.$format
    done
    ! grep -qa PEAK a.wav
}

@test "cue points survive, many of them as well, with their names" {
    for name in cue cue-after cue-200; do
        make $name
        identity $name.wav > out.wav
        python3 "$MAKE" chunks out.wav | grep -qx "$(python3 "$MAKE" chunks $name.wav | grep '^cue ')"
    done
    identity cue-after.wav | grep -aq jump
    identity --to aiff cue-200.wav > x.aiff
    identity --to wav x.aiff > back.wav
    python3 "$MAKE" chunks back.wav | grep -qx 'cue  4804'
    make aiff-mark x.aiff
    identity x.aiff > out.aiff 2> err.txt
    [[ ! -s err.txt ]]
    grep -aq jump out.aiff
    # Resampled, they would be at other frames.
    sprung critical -H 0.001 --resample 4000 cue.wav 2> err.txt > out.wav
    grep -q "metadata not kept: 2 cue points" err.txt
    # libsndfile reads 2,500 at most.
    python3 -c "import sys; sys.path.insert(0, '$TOOLS'); import make_audio as m
open('many.wav', 'wb').write(m.wav(m.long, before=m.cue(list(range(3000)))))"
    fails 2 sprung damper -H 0.001 --in-place many.wav
    says "metadata would not be kept: cue"
}

@test "chunks next to many cue points are left out, so that the head stays small enough for the library" {
    python3 -c "import sys; sys.path.insert(0, '$TOOLS'); import make_audio as m
open('many.wav', 'wb').write(m.wav(m.long, before=m.cue(list(range(2200))) + m.chunk(b'larg', bytes(20000))))"
    fails 0 identity many.wav -o out.wav
    says "metadata not kept: larg"
    [[ $(python3 "$MAKE" chunks out.wav | tr '\n' ' ') == "fmt  16 cue  52804 data 40000 " ]]
    same many.wav out.wav
}

@test "lying cue points cost no sample" {
    make cue-lies
    identity cue-lies.wav > out.wav 2> err.txt
    grep -qi "metadata not kept: cue" err.txt
    same cue-lies.wav out.wav
}

@test "a list of texts whose size is no multiple of four, as ffmpeg writes it, can be read again" {
    for n in 1 2 3 4 14; do
        python3 -c "import sys; sys.path.insert(0, '$TOOLS'); import make_audio as m
texts = m.chunk(b'LIST', b'INFO' + m.chunk(b'IART', b'Nobody') + m.chunk(b'ISFT', b'L' * $n))
open('texts.wav', 'wb').write(m.wav(m.ramp, before=texts))"
        identity texts.wav -o out.wav
        sprung diff texts.wav out.wav
        grep -aq "IART.*Nobody.*ISFT.*$(printf "%${n}s" | tr ' ' L)" out.wav
    done
}

@test "chunks are kept, at most 20 and 48 kB of them; what is lost is named, and --in-place asks for --force" {
    make metadata
    fails 0 identity metadata.wav -o x.wav
    [[ $err != *"not kept"* ]]
    [[ $(python3 "$MAKE" chunks x.wav | tr '\n' ' ') == "fmt  16 bext 604 LIST 20 oddc 4 data 16 " ]]
    sprung damper -H 0.001 --in-place metadata.wav
    fails 2 sprung damper -H 0.001 --in-place --resample 4000 x.wav
    says "x.wav: metadata would not be kept: bext"
    python3 - "$TOOLS" << 'P'
import sys
sys.path.insert(0, sys.argv[1])
import make_audio as m
many = b''.join(m.chunk(b'c%03d' % i, b'%04d' % i) for i in range(25))
open('many.wav', 'wb').write(m.wav(m.ramp, before=many))
open('large.wav', 'wb').write(m.wav(m.ramp, before=m.chunk(b'larg', bytes(60000)), after=m.chunk(b'smal', b'abcd')))
P
    identity many.wav > out.wav 2> err.txt
    grep -q "metadata not kept: c020, c021, c022, c023, c024" err.txt
    [[ $(python3 "$MAKE" chunks out.wav | grep -c '^c0') == 20 ]]
    fails 2 sprung damper -H 0.001 --in-place large.wav
    says "large.wav: metadata would not be kept: larg"
    sprung damper -H 0.001 --in-place --force large.wav 2> err.txt
    [[ $(python3 "$MAKE" chunks large.wav | tr '\n' ' ') == "fmt  16 smal 4 data 16 " ]]
    python3 -c "import sys; sys.path.insert(0, '$TOOLS'); import make_audio as m
open('nul.wav', 'wb').write(m.wav(m.ramp, after=m.chunk(b'a\0cd', bytes(4))))"
    fails 0 identity nul.wav
    says 'metadata not kept: a\x00cd'
    make fillers
    fails 0 identity fillers.wav -o out.wav
    says 'metadata not kept: an empty chunk'
    [[ $(python3 "$MAKE" chunks out.wav | tr '\n' ' ') == "fmt  16 JUNK 8 PAD  4 data 16 " ]]
    identity --to flac metadata.wav 2> err.txt > /dev/null
    grep -q "metadata not kept: bext, oddc" err.txt
    make cue-after
    identity --to flac cue-after.wav 2> err.txt > /dev/null
    grep -q "metadata not kept: LIST, 2 cue points" err.txt
    for format in au aiff caf flac w64; do
        make stereo
        identity --to $format stereo.wav > x.$format
        cp x.$format before
        fails 2 sprung damper -H 0.001 --in-place x.$format
        says "x.$format: metadata of ${format^^} may be lost"
        cmp x.$format before
        sprung damper -H 0.001 --in-place --force x.$format 2> err.txt
        [[ ! -s err.txt ]]
        ! cmp -s x.$format before
    done
}

# flac_tags NAME: a FLAC file with a title and artist, and what further tags are given.
flac_tags()
{
    local name=$1
    shift
    ffmpeg -v error -y -f lavfi -i "sine=440:r=8000:d=0.1" -metadata title=Walk -metadata artist=Nobody "$@" $name
}

tags()
{
    ffprobe -v error -show_entries format_tags "$1" | grep -i '^TAG:' | grep -vi encoder | sort
}

@test "FLAC keeps its tags, also in place" {
    needs ffmpeg
    flac_tags x.flac
    tags x.flac > want
    [[ $(wc -l < want) == 2 ]]
    identity x.flac > out.flac 2> err.txt
    [[ ! -s err.txt ]]
    tags out.flac | cmp - want
    ! grep -aq libsndfile out.flac
    sprung damper -H 0.001 --in-place --force x.flac
    tags x.flac | cmp - want
    ! cmp -s x.flac out.flac
    # From FLAC to CAF and back.
    identity --to caf x.flac > x.caf
    identity --to flac x.caf > back.flac
    tags back.flac | cmp - want
}

@test "titles, authors and annotations of AIFF are kept" {
    make aiff-texts x.aiff
    identity x.aiff > out.aiff 2> err.txt
    [[ ! -s err.txt ]]
    for text in Walk Nobody "Copyright none" "A note"; do
        grep -aq "$text" out.aiff
    done
    ! grep -aq libsndfile out.aiff
    identity --to wav x.aiff > out.wav 2> err.txt
    [[ ! -s err.txt ]]
    grep -aq Nobody out.wav
    identity --to au x.aiff 2> err.txt > /dev/null
    grep -q "metadata not kept: 4 tags" err.txt
}

@test "Ogg is read, and encoded again" {
    needs ffmpeg
    needs sox
    ffmpeg -v error -y -f lavfi -i "sine=440:r=48000:d=0.2" -c:a libvorbis x.ogg
    identity --to wav x.ogg > out.wav 2> err.txt
    # The samples that another program decodes, which rounds them to 16 bits.
    sox -D x.ogg -b 16 want.wav
    sprung diff --abs 3.1e-5 want.wav out.wav
    identity x.ogg > y.ogg
    identity --to wav y.ogg | sprung diff --abs 0.02 out.wav -
}

@test "csv to wav: --rate or --resample gives the rate" {
    printf 'time,x\n0,0\n0.0167,0.1\n0.0333,0.2\n0.05,0.3\n' > x.csv
    fails 2 identity --to wav x.csv
    says "audio needs a row rate"
    says "sprung inspect shows the rate of the times"
    [[ -z $out ]]
    identity --to wav --rate 60 x.csv > out.wav
    [[ $(samples out.wav | head -n 1) == "60 1" ]]
    identity --to flac --resample 100 x.csv | identity --from flac --to wav > out.wav
    [[ $(samples out.wav | head -n 1) == "100 1" ]]
    fails 2 identity --to wav --rate 59.5 x.csv
    says "audio needs a whole number"
}

@test "csv to wav: what cannot be held is refused with a way out" {
    printf '[]' > x.json
    fails 2 identity --to wav x.json
    says "wav holds 1 to 256 columns of numbers, not 0"
    printf 'time,x,s\n0,0,a\n0.01,0.5,b\n0.02,0.25,c\n' > x.csv
    fails 2 identity --to wav x.csv
    says 'column "s": audio holds numbers, but this column is text'
    says "--to csv"
    fails 2 identity --to wav --group-by s x.csv
    printf 'time,x\n0,0\n0.01,0.5\n0.02,0.25\n' > x.csv
    make ramp
    fails 2 identity -d 2 ramp.wav
    says "derivatives do not fit into 16 bit PCM"
    says "--derivatives 0"
    identity --to wav -d 1 --rate 100 x.csv > out.wav
    [[ $(samples out.wav | head -n 1) == "100 2" ]]
    printf 'time,x\n0,0\n0.01,\n0.02,0.25\n' > x.csv
    fails 2 identity --to wav --rate 100 x.csv
    says 'x.csv:3: column "x": audio cannot hold a gap, but frame 1 is missing'
    identity --to wav --rate 100 --gaps fill x.csv > out.wav
    [[ $(samples out.wav | wc -l) == 4 ]]
}

@test "columns that pass through become channels; the time column does not" {
    printf 'time,x,y\n0,0,1\n0.01,0.5,-0.5\n0.02,0.25,0.125\n' > x.csv
    sprung critical --halflife 1 -c x --rate 100 --to wav x.csv > out.wav
    [[ $(samples out.wav | tail -n +2 | sed -n 'n;p' | tr '\n' ' ') == "1.0 -0.5 0.125 " ]]
    identity --to wav --rate 50 x.csv > out.wav
    [[ $(samples out.wav | head -n 1) == "50 2" ]]
}

@test "--rate tells the times of a recording anew; they are no channel" {
    printf 'time,ch1,ch2\n0,0,1\n0.01,0.5,-0.5\n0.02,0.25,0.125\n' > x.csv
    identity -d 0 --to wav --rate 100 x.csv > x.wav
    printf 'time,ch1,ch2\n0,0,1\n0.125,0.5,-0.5\n0.25,0.25,0.125\n' > want.csv
    identity -d 0 --rate 8 --to csv x.wav | cmp - want.csv
    identity -d 0 --rate 8 -c 1 --to csv x.wav | cmp - want.csv
    identity -d 0 --rate 8 -x 1 --to csv x.wav | cmp - want.csv
    # One channel filtered, at the new rate: as the same numbers in csv are.
    sprung critical -H 0.2 -c ch2 --rate 8 --to csv x.wav > got.csv
    sprung critical -H 0.2 -c ch2 want.csv | cmp - got.csv
    identity -d 0 --to wav --rate 8 want.csv > slow.wav
    samples slow.wav > slow
    identity -d 0 --rate 8 x.wav > again.wav
    samples again.wav | cmp - slow
    identity -d 0 --to wav --rate 8 x.csv > again.wav
    samples again.wav | cmp - slow
    identity -d 0 --to csv slow.wav | cmp - want.csv
    cmp <(sprung damper -H 1 -d 0 -c 1 --to csv slow.wav) <(sprung damper -H 1 -d 0 -c ch1 --to csv slow.wav)
    identity -d 0 --to csv slow.wav | identity -d 0 --to wav --rate 8 | cmp - slow.wav
    fails 2 identity --time-unit ms --to csv x.wav
    says '--time-unit does not apply to wav, whose times are in seconds'
    for rate in '' '--rate 100'; do
        fails 2 identity $rate -c time --to csv x.wav
        says 'column "time": --columns names this column, but it is already the time column'
        says 'columns: "time", "ch1", "ch2"'
        fails 2 identity $rate --time ch1 --to csv x.wav
        [[ $rate ]] && says '--time and --rate contradict each other' || says '--time does not apply to wav files, which have their own time'
        fails 2 sprung inertialize -H 1 $rate --cut-column time --to csv x.wav
        says 'the time'
    done
}

@test "rows before a fault make a file that is whole" {
    make inf
    fails 2 identity inf.wav
    identity inf.wav > out.wav 2> /dev/null || true
    [[ $(samples out.wav | tr '\n' ' ') == "8000 1 0.0 0.5 0.25 " ]]
}

@test "rows before one that audio cannot hold make a file, the same however they arrive" {
    python3 -c '
print("time,x,y,z")
for n in range(9000):
    print("%g,%g,%s,%s" % (n / 10, n % 7 / 8, "" if n == 8600 else 0.5, "a" if n == 8500 else ""  if n == 8700 else 0.25))' > x.csv
    for rate in '--rate 10'; do
        for format in wav aiff; do
            fails 2 identity --to $format $rate -c x x.csv
            says 'x.csv:8502: column "z": audio can hold only numbers, and this is not a number: "a"'
            head -n 8501 x.csv | identity --to $format $rate -c x > want
            cmp want out.txt
            in_pieces x.csv | identity --to $format $rate -c x 2> /dev/null > got || true
            cmp want got
        done
    done
    sed '/a$/d' x.csv > y.csv
    fails 2 identity --to wav --rate 10 -c x y.csv
    says 'y.csv:8601: column "y": audio cannot hold a gap, but frame 8599'
}

@test "a full disk is an error, and a closed output too" {
    make long
    [[ -w /dev/full ]] || skip "no /dev/full"
    for format in wav au aiff caf w64 flac; do
        fails 2 bash -c "'$SPRUNG' damper --halflife 1e-9 --to $format long.wav > /dev/full"
        says "No space left"
    done
    fails 2 bash -c "'$SPRUNG' damper --halflife 1e-9 long.wav >&-"
    fails 2 env TMPDIR=/nowhere bash -c "'$SPRUNG' damper --halflife 1e-9 --to aiff long.wav | cat; exit \${PIPESTATUS[0]}"
    says "cannot write a temporary file in /nowhere"
    says "TMPDIR"
}

@test "nothing is left in TMPDIR" {
    mkdir tmp
    make long
    cat long.wav | TMPDIR=$PWD/tmp identity --to flac | TMPDIR=$PWD/tmp identity --from flac --to caf | cat > out.caf
    [[ -z $(ls -A tmp) ]]
}

@test "what sox makes is read, and what we make sox reads" {
    needs sox
    for bits in 8 16 24 32; do
        sox -D -R -n -r 44100 -b $bits -c 2 x.wav synth 0.3 sine 440 sine 880 gain -3
        identity x.wav > y.wav
        cmp <(sox -D x.wav -t raw -) <(sox -D y.wav -t raw -)
    done
    for kind in "wav -e float -b 32" "wav -e float -b 64" "aiff -b 24" "au -b 16" "caf -b 16" "flac -b 24"; do
        set -- $kind
        sox -D -R -n -r 48000 "${@:2}" -c 2 x.$1 synth 0.3 sine 440 sine 880 gain -3
        identity x.$1 > y.$1 2> /dev/null
        sox -D x.$1 -t raw -e signed -b 32 x.raw
        sox -D y.$1 -t raw -e signed -b 32 y.raw
        cmp x.raw y.raw
    done
    sox -D -R -n -r 44100 -b 16 -t wav - synth 0.1 sine 440 2> /dev/null | identity --from wav > y.wav
    [[ $(soxi -s y.wav) == 4410 ]]
    sox -n -r 8000 -e mu-law x.wav synth 0.1 sine 440
    fails 2 identity x.wav
    says "U-Law"
}

@test "what ffmpeg makes is read, and what we make ffmpeg reads" {
    needs ffmpeg
    for codec in pcm_u8 pcm_s24le pcm_f32le; do
        ffmpeg -v error -y -f lavfi -i "sine=440:r=44100:d=0.2" -ac 2 -c:a $codec x.wav
        identity x.wav > y.wav
        cmp <(ffmpeg -v error -i x.wav -f f64le -) <(ffmpeg -v error -i y.wav -f f64le -)
        ffmpeg -v error -y -f lavfi -i "sine=440:r=44100:d=0.2" -ac 2 -c:a $codec -f wav - | cat > z.wav
        identity z.wav > y.wav
        cmp <(ffmpeg -v error -i x.wav -f f64le -) <(ffmpeg -v error -i y.wav -f f64le -)
    done
    ffmpeg -v error -y -f lavfi -i "sine=440:r=44100:d=0.2" -ac 2 -rf64 always x.wav
    identity x.wav > y.wav
    cmp <(ffmpeg -v error -i x.wav -f s16le -) <(ffmpeg -v error -i y.wav -f s16le -)
    for file in x.flac x.caf; do
        ffmpeg -v error -y -f lavfi -i "sine=440:r=44100:d=0.2" -ac 2 $file
        identity $file > y.${file#x.} 2> /dev/null
        cmp <(ffmpeg -v error -i $file -f s16le -) <(ffmpeg -v error -i y.${file#x.} -f s16le -)
    done
    ffmpeg -v error -y -f lavfi -i "sine=440:r=44100:d=0.2" -c:a adpcm_ms x.wav
    fails 2 identity x.wav
    says "Microsoft ADPCM"
    ffmpeg -v error -y -f lavfi -i "sine=440:r=44100:d=0.2" -f flac - | cat > x.flac
    identity --to wav x.flac > y.wav 2> /dev/null
    [[ $(samples y.wav | wc -l) == 8821 ]]
}

@test "diff compares recordings with each other and with tables" {
    make stereo
    identity --to csv -d 0 stereo.wav > x.csv
    sprung diff --rel 0 stereo.wav x.csv
    identity --to flac stereo.wav > x.flac
    sprung diff --rel 0 stereo.wav x.flac
    sprung critical --halflife 1 stereo.wav > y.wav
    fails 1 sprung diff stereo.wav y.wav
}

@test "--missing names a number of a recording" {
    make ramp
    value=$(identity --to csv -d 0 ramp.wav | sed -n 4p | cut -d, -f2)
    fails 0 identity --to csv -d 0 --missing "$value" --gaps linear ramp.wav
    [[ $(sed -n 4p out.txt) == 0.00025,0.515* ]]
    [[ -z $err ]]
}
