# jq -nc -f spring.jq --argjson halflife S --argjson step S: the critical spring on x of records, one a line, or of an
# array of them where --argjson lines false.
(2 * (2 | log) / $halflife) as $y
| ($y * $step) as $u
| (-$u | exp) as $E
| def spring(records):
    foreach records as $r ({};
      if .v == null then {x: $r.x, v: 0}
      else (.x - $r.x) as $e | {x: ($r.x + $E * (1 + $u) * $e + $E * $step * .v), v: (-$E * $y * $u * $e + $E * (1 - $u) * .v)}
      end;
      .x as $x | $r | .x = $x);
  if $lines then spring(inputs) else input | [spring(.[])] end
