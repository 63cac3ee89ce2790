// node spring.js csv|array|lines HALFLIFE STEP FILE: the critical spring on every column but the first, or on x of
// records. With a step of 0 the first column says the time.
const fs = require('fs');
const [kind, halflife, step, file] = process.argv.slice(2);
const y = 2 * Math.LN2 / halflife;
let ee, ev, ve, vv;

function matrix(T) {
  const E = Math.exp(-y * T);
  ee = E * (1 + y * T); ev = E * T; ve = -E * y * y * T; vv = E * (1 - y * T);
}

class Spring {
  constructor(x) { this.x = x; this.v = 0; }
  run(g) {
    const e = this.x - g;
    this.x = g + ee * e + ev * this.v;
    this.v = ve * e + vv * this.v;
    return this.x;
  }
}

function csv(lines) {
  let springs, t;
  return lines.map((line, row) => {
    if (row === 0 || line === '') return line;
    const cells = line.split(',');
    springs ??= cells.map(cell => new Spring(+cell));
    if (step == 0) { matrix(row === 1 ? 0 : cells[0] - t); t = cells[0]; }
    for (let i = 1; i < cells.length; i++) cells[i] = springs[i].run(+cells[i]).toFixed(6);
    return cells.join(',');
  }).join('\n');
}

let spring;
function record(r) {
  spring ??= new Spring(r.x);
  r.x = spring.run(r.x);
  return r;
}

matrix(+step);
const text = fs.readFileSync(file, 'utf8');
if (kind === 'csv') fs.writeSync(1, csv(text.split('\n')));
else if (kind === 'array') fs.writeSync(1, JSON.stringify(JSON.parse(text).map(record)));
else fs.writeSync(1, text.split('\n').map(l => l && JSON.stringify(record(JSON.parse(l)))).join('\n'));
