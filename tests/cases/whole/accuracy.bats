#!/usr/bin/env bats
# How near recorded series come to the truth: tools/accuracy.py prints the errors, and fails where one is above its bound.
load ../common

@test "both ends of a recorded motion are nearer to the truth than those of filtfilt, at any noise" {
    SPRUNG="$SPRUNG" python3 "$TOOLS/accuracy.py" ends
}

@test "auto is near the best cutoff on gait, reaches, throws, impacts, stairs and encoders, at 30 to 1,000 rows a second" {
    SPRUNG="$SPRUNG" python3 "$TOOLS/accuracy.py" motions
}
