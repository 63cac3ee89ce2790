#!/usr/bin/env bats
# Audio: WAV, AU, AIFF, FLAC, CAF in and out, one case a promise and one a trap. Files are made by make_audio.py; what sox
# and ffmpeg make and read is tested where they are installed.

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

@test "every 16-bit sample, and the edges of 8, 24 and 32 bits, come out as they went in" {
    for name in all16 edge8 odd8 edge24 edge32 stereo bits12 extensible extensible-20 rifx channels64; do
        make $name
        identity $name.wav > out.wav
        cmp $name.wav out.wav
    done
}

@test "float and double samples come out as they went in" {
    for name in float double long-float extensible-float rifx-float loud; do
        make $name
        identity $name.wav > out.wav
        cmp $name.wav out.wav
    done
}

@test "AU, AIFF, CAF and W64 come out with the samples that went in, their type and order of bytes" {
    for name in au au-float au-double au-24 au-little; do
        make $name $name.au
        identity $name.au > out.au
        cmp $name.au out.au
    done
    for name in aiff aiff-8 aiff-sowt aiff-float aiff-odd-samples; do
        make $name $name.aiff
        identity $name.aiff > out.aiff
        cmp <(samples $name.aiff) <(samples out.aiff)
        [[ $name == aiff-odd-samples ]] || [ "$(stat -c %s $name.aiff)" = "$(stat -c %s out.aiff)" ]
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

@test "AIFF of an odd number of bytes has the frames and the sizes that went in" {
    needs sox
    for bits in 8 24; do
        python3 -c "import sys; sys.path.insert(0, '$TOOLS'); import make_audio as m
open('x.aiff', 'wb').write(m.aiff(bytes(range(1, 7 * $bits // 8 + 1)), $bits))"
        identity x.aiff > out.aiff
        cmp x.aiff out.aiff # frames in COMM, the size in SSND, and the padding byte
        [ "$(soxi -s out.aiff)" = 7 ]
        identity x.aiff | cat | cmp - x.aiff
    done
}

@test "every container takes every sample to every other and back" {
    make all16
    samples all16.wav > want
    for format in au aiff caf w64 flac; do
        identity --to $format all16.wav > x.$format
        identity --to wav x.$format > back.wav
        cmp all16.wav back.wav
        identity --to wav --from $format < x.$format | cmp - all16.wav
    done
    for subtype in pcm24 pcm32 float double; do
        identity --subtype $subtype all16.wav > x.wav
        identity --subtype pcm16 x.wav > back.wav
        samples back.wav | cmp - want
    done
}

@test "a filter filters each channel" {
    make long
    sprung critical --halflife 0.001 --subtype double long.wav > out.wav
    sprung critical --halflife 0.001 --to csv -d 0 long.wav > out.csv
    samples out.wav | tail -n +2 | paste -d, - - > a
    tail -n +2 out.csv | cut -d, -f2- | python3 -c 'import sys
for line in sys.stdin: print(",".join(repr(float(x)) for x in line.split(",")))' > b
    cmp a b
}

@test "to csv: time by the rate, and channels ch1, ch2" {
    make stereo
    identity --to csv -d 0 stereo.wav > out.csv
    [[ $(head -n 3 out.csv) == $'time,ch1,ch2\n0,0,0.030517578125\n0.000125,-0.030517578125,0.999969482421875' ]]
    identity --to csv -d 0 --rate 16000 stereo.wav | sed -n 3p | grep -q '^0.0000625,'
    identity --to csv -d 1 stereo.wav | head -n 1 | grep -qx 'time,ch1,ch2,ch1_vel,ch2_vel'
}

@test "to json: a decimal comma is no string" {
    make stereo
    identity --to json stereo.wav > out.json
    identity --to json --decimal , stereo.wav | cmp - out.json
}

@test "float wav to csv to wav, and to json and back, loses nothing" {
    make long-float
    identity --to csv -d 0 long-float.wav > x.csv
    identity --to wav x.csv > x.wav
    cmp <(samples x.wav) <(samples long-float.wav)
    identity --to json -d 0 long-float.wav > x.json
    identity --to wav x.json > y.wav
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

@test "through pipes both ways the bytes are the same" {
    for name in long metadata cue-after rf64 odd-samples empty empty-list extensible-float partial; do
        make $name
        identity $name.wav > want.wav
        cat $name.wav | identity --from wav - | cat > out.wav
        cmp want.wav out.wav
        cat $name.wav | identity | cmp - want.wav
    done
    make aiff x.aiff
    identity x.aiff > want.aiff
    cat x.aiff | identity | cat | cmp - want.aiff
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

@test "WAV streams: a row leaves before the next one comes" {
    make cue-after x.wav
    mkfifo in out
    identity --from wav - < in > out &
    local pid=$!
    exec 7> in 8< out
    # 44 bytes of head, and one frame of two bytes
    head -c 46 x.wav >&7
    timeout 10 head -c 46 <&8 | cmp - <(head -c 46 x.wav)
    tail -c +47 x.wav >&7
    exec 7>&-
    timeout 10 cat <&8 | cmp - <(tail -c +47 x.wav)
    exec 8<&-
    wait $pid
}

@test "WAV streams: byte by byte, and without an end" {
    make metadata x.wav
    identity x.wav > want.wav
    python3 -c 'import sys
for byte in open("x.wav", "rb").read():
    sys.stdout.buffer.write(bytes([byte])), sys.stdout.buffer.flush()' | identity --from wav | cat | cmp - want.wav
    # An endless stream: the first samples leave, and the memory stays.
    python3 -c 'import sys, struct
head = b"RIFF\xff\xff\xff\xffWAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 16000, 2, 16) + b"data\xff\xff\xff\xff"
try:
    sys.stdout.buffer.write(head)
    while True: sys.stdout.buffer.write(bytes(65536))
except BrokenPipeError: sys.stderr.close()' |
        ([[ $BUILD == *san* ]] || ulimit -v 1000000; sprung damper --method lerp --factor 1 --from wav) | head -c 300000000 | wc -c > count
    [ "$(cat count)" = 300000000 ]
}

@test "WAV to a pipe: the length if it is known, else all ones; to a file the head is corrected" {
    make ramp
    for name in size0 size36 sizeF size7 size7b rf64-open; do
        make $name
        cat $name.wav | identity --from wav | cat > out.wav
        [ "$(head -c 8 out.wav | tail -c 4 | od -An -tx4 | tr -d ' ')" = ffffffff ]
        [ "$(head -c 44 out.wav | tail -c 4 | od -An -tx4 | tr -d ' ')" = ffffffff ]
        cmp <(samples ramp.wav) <(identity --to csv -d 0 out.wav | python3 -c 'import sys
print("8000 1")
for line in sys.stdin.readlines()[1:]: print(round(float(line.split(",")[1]) * 32768))')
        cat $name.wav | identity --from wav > out.wav
        cmp ramp.wav out.wav
    done
    # No sample, and nothing that follows, though the head says 0.
    make empty-list
    cat empty-list.wav | identity --from wav | cat | cmp - empty-list.wav
}

@test "chunks before the samples keep their order around the format chunk and the number of frames" {
    python3 - << 'END'
import struct
def chunk(name, data):
    return name + struct.pack('<I', len(data)) + data + b'\0' * (len(data) % 2)
samples = struct.pack('<4f', 0, 0.5, -0.25, 0.125)
format = struct.pack('<HHIIHHH', 3, 1, 8000, 32000, 4, 32, 0)
parts = {'j': chunk(b'JUNK', bytes(27)), 'b': chunk(b'bext', bytes(602)), 'f': chunk(b'fmt ', format),
         'l': chunk(b'LIST', b'INFOINAM\2\0\0\0a\0'), 'n': chunk(b'fact', struct.pack('<I', 4))}
for order in 'jbfln', 'fnjb', 'jfn', 'flbn', 'bf', 'njfl':
    body = b'WAVE' + b''.join(parts[letter] for letter in order) + chunk(b'data', samples) + chunk(b'oddc', b'abc')
    open(f'{order}.wav', 'wb').write(b'RIFF' + struct.pack('<I', len(body)) + body)
END
    for file in jbfln fnjb jfn flbn bf; do
        identity $file.wav | cmp - $file.wav
        identity -o out.wav $file.wav
        cmp out.wav $file.wav
        cat $file.wav | identity --from wav -o out.wav
        cmp out.wav $file.wav
    done
    # The number of frames comes after the format.
    identity njfl.wav > out.wav
    [[ $(python3 "$MAKE" chunks out.wav | tr '\n' ' ') == "JUNK 27 fmt  18 fact 4 LIST 14 data 16 oddc 3 " ]]
    # Samples of another type: a new format chunk, with a number of frames behind where the input has none.
    identity --subtype pcm16 jbfln.wav > out.wav
    [[ $(python3 "$MAKE" chunks out.wav | tr '\n' ' ') == "JUNK 27 bext 602 fmt "*" LIST 14 "*"data 8 oddc 3 " ]]
}

@test "chunks after the samples that are wrong now leave one of their size" {
    make metadata
    identity metadata.wav > out.wav
    python3 "$MAKE" chunks out.wav > chunks
    [[ $(tr '\n' ' ' < chunks) == "fmt  16 bext 602 data 16 LIST 20 JUNK 16 oddc 3 " ]]
    [ "$(stat -c %s out.wav)" = "$(stat -c %s metadata.wav)" ]
}

@test "metadata of a WAV from a pipe that another container loses is named, wherever it stands" {
    make metadata
    cat metadata.wav | identity --from wav --to flac 2> err.txt > /dev/null
    grep -q "metadata not kept: bext, LIST, oddc" err.txt
    # With an open length nothing can follow the samples.
    make cue-after
    cat cue-after.wav | sprung critical -H 0.001 --resample 4000 --from wav 2> err.txt | cat > out.wav
    grep -q "metadata not kept: cue , LIST" err.txt
    [ "$(tail -c +41 out.wav | head -c 4 | od -An -tx4 | tr -d ' ')" = ffffffff ]
}

@test "a padding byte follows an odd chunk before the samples, and odd samples; in CAF there is none" {
    for name in odd-before odd-before-rifx odd-fmt odd-samples; do
        make $name
        identity $name.wav > out.wav
        cmp $name.wav out.wav
        identity --to csv -d 0 $name.wav > $name.csv
    done
    for name in odd-before odd-samples; do
        make aiff-$name x.aiff
        identity x.aiff > out.aiff
        cmp <(samples x.aiff) <(samples out.aiff)
        identity --to csv -d 0 x.aiff | cmp - $name.csv
    done
    make ramp
    identity --to csv -d 0 ramp.wav > ramp.csv
    for name in odd-before odd-before-rifx odd-fmt; do
        cmp ramp.csv $name.csv
    done
}

@test "sizes of streaming writers: everything up to the end is read" {
    make ramp
    for name in size0 size36 sizeF size7 size7b rf64 rf64-open; do
        make $name
        identity $name.wav > out.wav
        cmp <(samples out.wav) <(samples ramp.wav)
    done
    make au-open x.au
    identity --to wav x.au > y.wav
    cmp <(samples y.wav) <(samples ramp.wav)
}

@test "an empty recording stays one" {
    for name in empty empty-list; do
        make $name
        identity $name.wav > out.wav
        cmp $name.wav out.wav
    done
    for format in au aiff caf w64; do
        identity --to $format empty.wav > x.$format
        identity --to wav x.$format | cmp - empty.wav
    done
}

# make_huge: writes an RF64 file of 200 frames whose head promises 2^63 bytes.
make_huge()
{
    python3 - <<'P'
import struct, sys
samples = struct.pack("<200h", *[i * 37 % 2000 for i in range(200)])
sizes = struct.pack("<QQQI", 1 << 63, 1 << 63, 200, 0)
chunks = b"ds64" + struct.pack("<I", len(sizes)) + sizes
chunks += b"fmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 16000, 2, 16)
chunks += b"data" + struct.pack("<I", 0xFFFFFFFF) + samples
sys.stdout.buffer.write(b"RF64" + struct.pack("<I", 0xFFFFFFFF) + b"WAVE" + chunks)
P
}

@test "truncated: the frames that are there and an error, unless it is allowed; the same from a file and a pipe" {
    make truncated
    fails 2 identity truncated.wav
    says "truncated: 1000 frames expected, 8 found"
    says "--allow-truncated"
    for file in truncated.wav huge.wav part.wav; do
        [[ $file != huge.wav ]] || make_huge > huge.wav
        [[ $file != part.wav ]] || head -c $(($(stat -c %s huge.wav) - 101)) huge.wav > part.wav
        status=0
        identity "$file" > of_file 2> err || status=$?
        [ "$status" = 2 ]
        grep -q "$file: truncated: " err
        cat "$file" | (identity > of_pipe 2> err || [ $? = 2 ])
        grep -q '(standard input): truncated: ' err
        cmp of_file of_pipe
        [[ -s of_file ]]
        fails 2 identity "$file" -o gone.wav
        [ ! -e gone.wav ]
    done
    make ramp
    identity --allow-truncated truncated.wav | cmp - ramp.wav
    # WAV from a pipe: what came has left.
    fails 2 bash -c "cat truncated.wav | '$SPRUNG' damper --method lerp --factor 1 --from wav"
    says "truncated: 1000 frames expected, 8 found"
    says "--allow-truncated"
    cat truncated.wav | identity --from wav --allow-truncated > whole.wav
    cmp ramp.wav whole.wav
    cat truncated.wav | identity --from wav --allow-truncated | cat > open.wav
    identity open.wav | cmp - ramp.wav
    make long
    identity --to flac long.wav > long.flac
    head -c 20000 long.flac > x.flac
    fails 2 identity x.flac
    says "10000 frames expected"
}

@test "samples shorter than a frame: nothing to filter, and that is said, of a file and of a pipe" {
    printf 'RIFF\045\0\0\0WAVEfmt \020\0\0\0\1\0\1\0@\037\0\0\200>\0\0\2\0\020\0data\1\0\0\0x' > short.wav
    for how in 'identity short.wav' 'identity < short.wav'; do
        eval "$how" > out.wav 2> err
        grep -q 'an incomplete last frame, 1 of 2 bytes, is dropped' err
        [ "$(stat -c %s out.wav)" = 44 ]
    done
}

@test "a part of a frame at the end is dropped, and that is said" {
    make partial
    identity partial.wav > out.wav 2> err.txt
    grep -q "an incomplete last frame, 1 of 2 bytes, is dropped" err.txt
    make ramp
    cmp ramp.wav out.wav
}

@test "samples that are neither PCM nor float are refused by name" {
    local name
    while read -r name words; do
        make $name
        fails 2 identity $name.wav
        says "cannot read samples that are $words"
        says "only PCM and IEEE float"
        [[ -z $out ]]
    done << 'LIST'
adpcm-ms Microsoft ADPCM
adpcm-ima IMA ADPCM
gsm GSM 6.10
mulaw mu-law
alaw A-law
mp3 MP3
tag-odd of format 0x1234
extensible-adpcm Microsoft ADPCM
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

@test "a WAV file of rows that nobody counted has room to become RF64, from a file as from a pipe" {
    printf 'x\n0\n0.5\n0.25\n' > in.csv
    identity --rate 8000 --to wav -o file.wav in.csv
    identity --rate 8000 --to wav < <(cat in.csv) > pipe.wav
    cmp file.wav pipe.wav
    [ "$(head -c 16 file.wav | tail -c 4)" = JUNK ]
    # Where the number is known there is none.
    printf 'time,x\n0,0\n1,0.5\n2,0.25\n' | identity --to wav > timed.wav
    [ "$(head -c 16 timed.wav | tail -c 4)" = 'fmt ' ]
}

@test "headers that make no sense get plain words" {
    local name
    while read -r name words; do
        make $name
        fails 2 identity $name.wav
        says "$words"
        [[ -z $out ]]
    done << 'LIST'
two-data the file has two "data" chunks
two-fmt the file has two "fmt " chunks
no-data the file has no "data" chunk
no-fmt the samples come before the "fmt " chunk
channels0 the header says 0 channels
channels257 257 channels; at most 256
rate0 invalid sample rate in the header: 0
align bad header
bits64 samples of 64 bits
short-fmt the "fmt " chunk has only 14 bytes
fmt-cut the chunk "fmt " should have 16 bytes, but has 10
head-cut the file ends inside its header
cue-past the chunk "cue " should have
many-chunks more than 4096 chunks
avi another kind of RIFF file
LIST
    make aiff x.wav
    fails 2 identity x.wav
    says "this is not a WAV file"
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
    identity --subtype pcm16 loud.wav > out.wav 2> err.txt
    [[ $(samples out.wav | tr '\n' ' ') == "8000 1 0 32767 -32768 29491 " ]]
    grep -q "2 samples were clipped" err.txt
    identity -q --subtype pcm16 loud.wav 2> err.txt > /dev/null
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
    fails 2 identity --subtype pcm16 nan.wav
}

@test "infinite samples are an error with their place" {
    make inf
    fails 2 identity inf.wav
    says 'column "ch1": the sample of frame 3, at 0.000375 s, is infinite'
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

@test "cue points survive, many of them as well" {
    for name in cue cue-after cue-200 cue-rifx; do
        make $name
        identity $name.wav > out.wav
        cmp $name.wav out.wav
    done
    make cue-200
    identity --to aiff cue-200.wav > x.aiff
    identity --to wav x.aiff > back.wav
    python3 "$MAKE" chunks back.wav | grep -qx 'cue  4804'
    # With their names from AIFF to AIFF.
    make aiff-mark x.aiff
    identity x.aiff > out.aiff 2> err.txt
    [[ ! -s err.txt ]]
    for file in x.aiff out.aiff; do
        python3 -c '
import struct, sys
sys.path.insert(0, sys.argv[1])
import make_audio as m
mark = dict((n, b) for n, b, _ in m.walk(open(sys.argv[2], "rb").read()))[b"MARK"]
at = 2
for i in range(struct.unpack(">H", mark[:2])[0]):
    number, frame, n = struct.unpack(">HIB", mark[at:at + 7])
    print(number, frame, mark[at + 7:at + 7 + n].rstrip(b"\0"))
    at += 7 + n + (n + 1) % 2' "$TOOLS" $file > $file.txt
    done
    diff x.aiff.txt out.aiff.txt
    grep -qx "2 5 b'jump'" out.aiff.txt
    # libsndfile reads 2,500 at most.
    python3 -c "import sys; sys.path.insert(0, '$TOOLS'); import make_audio as m
open('many.wav', 'wb').write(m.wav(m.long, before=m.cue(list(range(3000)))))"
    identity --to aiff many.wav > x.aiff 2> err.txt
    grep -q 'metadata not kept: cue points after the first 2500' err.txt
    identity --to wav x.aiff > back.wav
    python3 "$MAKE" chunks back.wav | grep -qx 'cue  60004'
}

@test "a lying cue chunk costs no sample" {
    make cue-lies
    make cue
    identity cue-lies.wav > out.wav 2> err.txt
    grep -q "99999 cue points expected, 2 found" err.txt
    cmp <(samples out.wav) <(samples cue.wav)
    cmp cue-lies.wav out.wav # the chunk stays as it is
    sprung critical -H 0.001 --resample 4000 cue-lies.wav > out.wav 2> err.txt
    python3 -c "import sys; sys.path.insert(0, '$TOOLS'); import make_audio as m
print(dict((n, b) for n, b, _ in m.walk(open('out.wav', 'rb').read()))[b'cue '][:4].hex())" | grep -qx 02000000
}

@test "metadata is kept in the same container; what another one loses is said" {
    make metadata
    identity metadata.wav > out.wav 2> err.txt
    [[ ! -s err.txt ]]
    python3 "$MAKE" chunks out.wav > chunks
    [[ $(tr '\n' ' ' < chunks) == "fmt  16 bext 602 data 16 LIST 20 JUNK 16 oddc 3 " ]]
    identity --to flac metadata.wav 2> err.txt > /dev/null
    grep -q "metadata not kept: bext, LIST, oddc" err.txt
    make cue-after
    identity --to aiff cue-after.wav 2> err.txt > /dev/null
    grep -q "metadata not kept: LIST, the names of cue points" err.txt
    identity --to flac cue-after.wav 2> err.txt > /dev/null
    grep -q "metadata not kept: LIST, 2 cue points" err.txt
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

@test "a file whose metadata would be lost, or may be lost, is not replaced in place without --force" {
    for format in au aiff caf flac w64; do
        make stereo
        identity --to $format stereo.wav > x.$format
        cp x.$format before
        fails 2 sprung damper -H 0.001 --in-place x.$format
        says "x.$format: metadata of ${format^^} may be lost"
        says "--force"
        cmp x.$format before
        sprung damper -H 0.001 --in-place --force x.$format 2> err.txt
        [[ ! -s err.txt ]]
        ! cmp -s x.$format before
    done
    # WAV keeps every chunk, but for those that another rate makes wrong.
    make metadata x.wav
    sprung damper -H 0.001 --in-place x.wav
    fails 2 sprung damper -H 0.001 --in-place --resample 4000 x.wav
    says "x.wav: metadata would be lost: bext"
}

@test "titles, authors and annotations of AIFF are kept" {
    make aiff-texts x.aiff
    identity x.aiff > out.aiff 2> err.txt
    [[ ! -s err.txt ]]
    for text in Walk Nobody "Copyright none" "A note"; do
        grep -aq "$text" out.aiff
    done
    ! grep -aq libsndfile out.aiff
    identity --to wav x.aiff 2> err.txt > /dev/null
    grep -q "metadata not kept: 4 of 4 tags" err.txt
}

@test "Ogg is read, and not written" {
    needs ffmpeg
    needs sox
    ffmpeg -v error -y -f lavfi -i "sine=440:r=48000:d=0.2" -c:a libvorbis x.ogg
    identity --to wav x.ogg > out.wav 2> err.txt
    # The samples that another program decodes, which rounds them to 16 bits.
    sox -D x.ogg -b 16 want.wav
    sprung diff --abs 3.1e-5 want.wav out.wav
    fails 2 identity x.ogg
    says "Ogg can be read, but not written"
    says "--to flac"
    fails 2 identity --to ogg out.wav
}

@test "pipes of ffmpeg and sox: heads, chunks and samples go through" {
    needs ffmpeg
    needs sox
    for codec in pcm_s16le pcm_f32le pcm_s24le; do
        ffmpeg -v error -y -f lavfi -i "sine=440:r=44100:d=0.2" -ac 2 -c:a $codec -f wav - | cat > piped.wav
        # Its LIST stays, and no JUNK comes.
        cat piped.wav | identity --from wav | cat | cmp - piped.wav
        cat piped.wav | identity --from wav > file.wav
        cmp <(python3 "$MAKE" chunks file.wav | head -n 2 | cut -c1-4) <(printf 'fmt \nLIST\n')
        cat piped.wav | sprung damper -H 0.0001 --from wav | ffmpeg -v error -i - -f f32le - > got.raw
        sprung damper -H 0.0001 file.wav | ffmpeg -v error -i - -f f32le - > want.raw
        cmp want.raw got.raw
    done
    sox -D -R -n -r 44100 -b 16 -c 2 x.wav synth 0.3 sine 440 sine 880 gain -3
    sox -D x.wav -t wav - 2> /dev/null | sprung damper -H 0.0001 | sox -D -t wav - -t raw got.raw 2> /dev/null
    sprung damper -H 0.0001 x.wav | sox -D -t wav - -t raw want.raw
    cmp want.raw got.raw
    [ "$(stat -c %s want.raw)" = $((13230 * 4)) ]
}

@test "csv to wav: uniform steps tell the rate" {
    printf 'time,x\n0,0\n0.0167,0.1\n0.0333,0.2\n0.05,0.3\n' > x.csv
    identity --to wav x.csv > out.wav
    [[ $(samples out.wav | head -n 1) == "60 1" ]]
    printf 'time,x\n100,0\n100.125,0.1\n100.25,0.2\n' | identity --to wav > out.wav
    [[ $(samples out.wav | head -n 1) == "8 1" ]]
    printf 'time,x\n0,0\n10,0.1\n20,0.2\n' | identity --to aiff --time-unit ms > out.aiff
    [[ $(samples out.aiff | head -n 1) == "100 1" ]]
    printf 'time,x\n0,0\n10,0.1\n20,0.2\n' | identity --to flac --time-unit ms | identity --from flac --to wav > out.wav
    [[ $(samples out.wav | head -n 1) == "100 1" ]]
}

@test "csv to wav: other steps are an error that names --rate" {
    printf 'time,x\n0,0\n0.1,1\n0.2,0\n0.35,1\n0.4,0\n0.5,0\n' > x.csv
    fails 2 identity --to wav x.csv
    says "--rate"
    [[ -z $out ]]
    python3 -c 'print("time,x"); [print("%.4f,0" % (i * 0.0167)) for i in range(300)]' > x.csv
    fails 2 identity --to wav x.csv
     says "59.8802"
    identity --to wav --rate 60 x.csv > out.wav
    [[ $(samples out.wav | head -n 1) == "60 1" ]]
    printf 'time,x\n0,0\n' > x.csv
    fails 2 identity --to wav x.csv
    says "audio needs a row rate, but the file has only one row"
}

@test "csv to wav: what cannot be held is refused with a way out" {
    printf '[]' > x.json
    fails 2 identity --to wav x.json
    says "wav needs at least one column of numbers"
    printf 'time,x,s\n0,0,a\n0.01,0.5,b\n0.02,0.25,c\n' > x.csv
    fails 2 identity --to wav x.csv
    says 'column "s": audio holds numbers, but this column is text'
    says "--to csv"
    fails 2 identity --to wav --group-by s x.csv
    printf 'time,x\n0,0\n0.01,0.5\n0.02,0.25\n' > x.csv
    fails 2 identity --to wav -d 2 --subtype pcm16 x.csv
    says "derivatives do not fit into 16 bit PCM"
    says "--derivatives 0"
    fails 2 sprung resonance -H 1 --frequencies 1 --to wav --subtype pcm16 x.csv
    says "columns that the filter adds do not fit into 16 bit PCM"
    [[ $err != *"--derivatives 0"* ]]
    identity --to wav -d 1 x.csv > out.wav
    [[ $(samples out.wav | head -n 1) == "100 2" ]]
    fails 2 identity --to flac --subtype float x.csv
    says "--subtype pcm24"
    printf 'time,x\n0,0\n0.01,\n0.02,0.25\n' > x.csv
    fails 2 identity --to wav x.csv
    says 'x.csv:3: column "x": audio cannot hold a gap, but frame 1 is missing'
    identity --to wav --gaps fill x.csv > out.wav
    [[ $(samples out.wav | wc -l) == 4 ]]
}

@test "columns that pass through become channels; the time column does not" {
    printf 'time,x,y\n0,0,1\n0.01,0.5,-0.5\n0.02,0.25,0.125\n' > x.csv
    sprung critical --halflife 1 -c x --to wav x.csv > out.wav
    [[ $(samples out.wav | tail -n +2 | sed -n 'n;p' | tr '\n' ' ') == "1.0 -0.5 0.125 " ]]
    identity --to wav --rate 50 x.csv > out.wav
    [[ $(samples out.wav | head -n 1) == "50 2" ]]
}

@test "a table to wav: columns that are written unfiltered are named, with the way that leaves them out" {
    printf 't,x,y,z\n0,0.1,0.5,0\n0.01,0.2,0.5,0\n0.02,0.4,0.5,0\n' > a.csv
    fails 0 sprung critical -H 0.1 -d 0 -c x a.csv -o a.wav
    [ "$err" = 'sprung: a.csv: also written, not filtered: "y", "z"; to leave them out: mlr --csv cut -x -f y,z FILE | sprung ...' ]
    fails 0 sprung critical -H 0.1 -d 0 -x y a.csv -o a.wav
    says '"y"; to leave it out: mlr --csv cut -x -f y FILE'
    fails 0 sprung critical -H 0.1 -d 0 a.csv -o a.wav
    [ -z "$err" ]
    printf 't,x,y 1\n0,0.1,0.5\n0.01,0.2,0.5\n' > b.csv
    fails 0 sprung critical -H 0.1 -d 0 -c x b.csv -o b.wav
    [ "$err" = 'sprung: b.csv: also written, not filtered: "y 1"' ]
    # A recording keeps its other channels.
    fails 0 sprung critical -H 0.1 -d 0 -c ch1 a.wav -o b.wav
    [ -z "$err" ]
}

@test "--rate tells the times of a recording anew; they are no channel" {
    printf 'time,ch1,ch2\n0,0,1\n0.01,0.5,-0.5\n0.02,0.25,0.125\n' > x.csv
    identity -d 0 --to wav --subtype float x.csv > x.wav
    printf 'time,ch1,ch2\n0,0,1\n0.125,0.5,-0.5\n0.25,0.25,0.125\n' > want.csv
    identity -d 0 --rate 8 --to csv x.wav | cmp - want.csv
    identity -d 0 --rate 8 -c 2 --to csv x.wav | cmp - want.csv
    identity -d 0 --rate 8 -x 1 --to csv x.wav | cmp - want.csv
    # One channel filtered, at the new rate: as the same numbers in csv are.
    sprung critical -H 0.2 -c ch2 --rate 8 --to csv x.wav > got.csv
    sprung critical -H 0.2 -c ch2 want.csv | cmp - got.csv
    # Back, with the rate told by the steps and by the option.
    identity -d 0 --to wav --subtype float want.csv > slow.wav
    samples slow.wav > slow
    identity -d 0 --rate 8 x.wav > again.wav
    samples again.wav | cmp - slow
    identity -d 0 --to wav --subtype float --rate 8 x.csv > again.wav
    samples again.wav | cmp - slow
    identity -d 0 --to csv slow.wav | cmp - want.csv
    identity -d 0 --to csv slow.wav | identity -d 0 --to wav --subtype float | cmp - slow.wav
    fails 2 identity --time-unit ms --to csv x.wav
    says '--time-unit does not apply to wav, which has a rate instead of a time column'
    for rate in '' '--rate 100'; do
        for list in 1 time 1-2; do
            fails 2 identity $rate -c $list --to csv x.wav
            says 'column "time": --columns names this column, but it is already the time column'
            says 'columns: time, ch1, ch2'
        done
        fails 2 identity $rate --time ch1 --to csv x.wav
        [[ $rate ]] && says '--time and --rate contradict each other' || says '--time does not apply to wav files, which have their own time'
        fails 2 sprung inertialize -H 1 $rate --cut-column 1 --to csv x.wav
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
    for rate in '' '--rate 10'; do
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
    says "cannot create a temporary file in /nowhere"
    says "TMPDIR"
}

@test "nothing is left in TMPDIR" {
    mkdir tmp
    make long
    cat long.wav | TMPDIR=$PWD/tmp identity --to flac | TMPDIR=$PWD/tmp identity --from flac --to caf | cat > out.caf
    [[ -z $(ls -A tmp) ]]
}

@test "several blocks and many channels give the same as few" {
    make channels64
    identity --subtype float channels64.wav | identity --from wav --subtype pcm16 > out.wav
    cmp <(samples out.wav) <(samples channels64.wav)
}

@test "what sox makes is read, and what we make sox reads" {
    needs sox
    for bits in 8 16 24 32; do
        sox -D -R -n -r 44100 -b $bits -c 2 x.wav synth 0.3 sine 440 sine 880 gain -3
        identity x.wav > y.wav
        cmp x.wav y.wav
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
    says "mu-law"
    sox -n -r 8000 -e ima-adpcm x.wav synth 0.1 sine 440
    fails 2 identity x.wav
    says "IMA ADPCM"
    sox -n -r 8000 -e gsm-full-rate x.wav synth 0.1 sine 440
    fails 2 identity x.wav
    says "GSM 6.10"
}

@test "what ffmpeg makes is read, and what we make ffmpeg reads" {
    needs ffmpeg
    for codec in pcm_u8 pcm_s16le pcm_s24le pcm_s32le pcm_f32le pcm_f64le; do
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
    for file in x.flac x.caf x.aiff x.au; do
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

@test "--subtype where the output is no recording: an error that says so" {
    fails 2 sprung critical -H 0.1 --subtype float "$DATA/wave.csv"
    says '--subtype needs audio or npy output'
    says '--to wav'
}
