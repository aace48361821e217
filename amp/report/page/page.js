'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const KINDS = [['kernel', '--kernel'], ['launch call', '--launch'], ['to device', '--up'], ['to host', '--down'],
  ['copy on a device', '--copy'], ['wait', '--wait'], ['compilation', '--compile']];

// Elements: text comes in by textContent alone, so that nothing of the program is read as HTML.
function make(tag, attributes, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {}))
    if (name === 'style') element.style.cssText = value;
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== undefined) element.setAttribute(name, value);
  element.append(...inside.filter(x => x !== null && x !== undefined));
  return element;
}
const main = document.body.appendChild(make('main'));
const tip = document.body.appendChild(make('div', { id: 'tip' }));
const card = (id, title, ...inside) =>
  make('section', { class: 'card', id }, title ? make('h2', {}, title) : null, ...inside);
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Numbers: times are in nanoseconds.
const digits = x => x >= 100 ? x.toFixed(0) : x >= 10 ? x.toFixed(1) : x >= 0.1 || !x ? x.toFixed(2) :
  String(+x.toPrecision(2));
const scale = (x, step, units) => {
  let n = 0;
  while (x >= step && n < units.length - 1) { x /= step; n++; }
  return (n === 0 && Number.isInteger(x) ? x : digits(x)) + ' ' + units[n];
};
const time = x => scale(x, 1000, ['ns', 'µs', 'ms', 's']);
const size = x => scale(x, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB']);
const count = x => x.toLocaleString('en');
const power = v => v >= 0.01 && v < 1e5 ? String(+v.toPrecision(3)) : v.toExponential(0);
const percent = x => x >= 0.1 ? (100 * x).toFixed(0) + ' %' : (100 * x).toFixed(1) + ' %';
const sum = (list, of) => list.reduce((all, x) => all + of(x), 0);
const times = n => n === 1 ? 'once' : count(n) + ' times';

// A site: [function, file, line, values]. Of a launch of several lines it is the first one, which compilers differ about.
const firstLines = new Map(data.kernels.filter(k => k.first).map(k => [k.site[1] + ':' + k.site[2], k.first]));
for (const site of [data.kernels, data.builds, data.differences].flat().map(x => x.site).concat(
  data.names.map(n => n[1]), data.transfers.map(t => t.cause)))
  if (site) site[2] = firstLines.get(site[1] + ':' + site[2]) || site[2];
const where = site => site ? site[1].split('/').slice(-2).join('/') + ':' + site[2] : '';
const label = site => site[0] + site[3];
const place = site => site ? make('span', { class: 'place', title: site[1] + ':' + site[2] },
  ...where(site).split(/(?<=\/)/).flatMap((part, n) => n ? [make('wbr'), part] : [part])) : '';
const short = n => data.devices[n] ? data.devices[n].path.replace(/:.*\//, ' ') : 'device';
const deviceText = n => make('span', { class: 'soft', title: data.devices[n].path }, short(n));
const same = (a, b) => a && b && a[0] === b[0] && a[1] === b[1] && a[2] === b[2] && a[3] === b[3];

// ---- what was counted -------------------------------------------------------------------------------------------

const kernels = data.kernels.slice().sort((a, b) => b.time - a.time);
// Kernels of one function differ by their lines.
const named = k => label(k.site) + (kernels.some(o => label(o.site) === label(k.site) && !same(o.site, k.site)) ?
  ':' + k.site[2] : '');
const allKernels = sum(kernels, k => k.time);
const rate = k => k.time ? k.bytes / k.time : 0;
const limit = k => data.devices[k.device].copy;
const share = k => limit(k) ? rate(k) / limit(k) : 0;
const operations = k => k.time && !k.bound ? k.operations * k.threads * k.count / k.time : 0;
const computed = k => data.devices[k.device].arithmetic ? operations(k) / data.devices[k.device].arithmetic : 0;

// The time that spans of [begin, end] cover together.
function covered(spans) {
  let all = 0, to = 0;
  for (const [from, end] of spans.sort((a, b) => a[0] - b[0]))
    if (end > to) { all += end - Math.max(from, to); to = end; }
  return all;
}
// Which part of what ran on several devices, or queues, did not run beside each other. 1: of one queue.
const busy = e => e[7] === undefined ? e[4] : e[7];
const apart = events => events.length ? covered(events.map(e => [e[3], e[3] + busy(e)])) / sum(events, busy) || 1 : 1;
const running = data.events.filter(e => e[1] === 0);

// The kernels of one line on all devices. time: in which at least one of them runs it.
const sites = [];
for (const k of kernels) {
  let s = sites.find(s => same(s.site, k.site));
  if (!s) sites.push(s = { site: k.site, on: [] });
  s.on.push(k);
}
for (const s of sites) {
  // Devices that do little of it give no causes.
  const most = s.on.filter(k => k.time >= 0.2 * sum(s.on, k => k.time));
  s.reasons = [...new Set(most.flatMap(k => k.reasons.map(r => r[0])))];
  s.apart = apart(running.filter(e => same(data.names[e[2]][1], s.site)));
  s.time = s.apart * sum(s.on, k => k.time);
}

// Transfers of a view, both ways together.
const views = [];
for (const t of data.transfers) {
  let view = views.find(v => v.name === t.name && v.fn === t.function);
  if (!view) views.push(view = { name: t.name, fn: t.function, way: [null, null].map(() =>
    ({ count: 0, bytes: 0, time: 0, causes: [], hosts: [] })) });
  const way = view.way[t.toDevice];
  way.count += t.count; way.bytes += t.bytes; way.time += t.time;
  if (t.cause) way.causes.push([t.count, t.cause]);
  if (t.host) way.hosts.push([t.count, t.host]);
}
for (const v of views) {
  v.time = v.way[0].time + v.way[1].time;
  v.bytes = v.way[0].bytes + v.way[1].bytes;
  v.both = Math.min(v.way[0].count, v.way[1].count);
  for (const w of v.way) for (const list of [w.causes, w.hosts]) list.sort((a, b) => b[0] - a[0]);
  v.host = (v.way[0].hosts[0] || [])[1];
  v.writer = (v.way[0].causes[0] || [])[1];
  v.user = (v.way[1].causes[0] || [])[1];
  v.times = v.both > 2 ? v.both : v.way[1].count > 2 ? v.way[1].count : v.way[0].count;
  v.avoidable = v.both > 2 ? 'goes to the device and back' : v.way[1].count > 2 ? 'is copied to the device each time'
    : v.way[0].count > 2 ? 'is copied to the host each time' : '';
}
views.sort((a, b) => !!b.avoidable - !!a.avoidable || b.time - a.time);

// ---- what to look at first ---------------------------------------------------------------------------------------

const CURES = {
  threads: 'Launch over a larger extent, join small launches to one, or give each thread less to do.',
  gather: 'Sort the indexes or the data, so that neighbouring threads read neighbouring elements.',
  stride: 'Make the last index of the launch the last index of AMP_AT, or transpose the view once before.',
  double: 'Use float where its 7 digits are enough.',
  precise: 'Call the faster form, amp_fast_sinf for sinf, where some units in the last place do not matter.',
  short: 'Join short launches to one, or record them once and replay them (amp_recording_begin).',
  arithmetic: 'Do less work for each result, e.g. a filter in two passes instead of one over a square. Read ' +
    'elements that the threads of a tile share once, into AMP_TILE_STATIC. Use faster functions (amp_fast_...) and ' +
    'smaller types. For the CPU backend AMP_LOG=info names loops without vectors.',
  memory: 'Join it with a kernel that uses the same elements, or use smaller types.'
};
// The program's time is without compilation and the launches that wait for it, and without what this page measured.
const inKernels = allKernels * apart(running), spans = data.builds.map(b => [b.begin, b.begin + b.time]);
const built = covered(spans), first = data.events.filter(e => e[1] === 1 && !e[6] && spans.some(([from]) =>
  e[3] <= from && from <= e[3] + e[4])).map(e => [e[3], e[3] + e[4]]);
const whole = Math.max(data.time - covered(spans.concat(first)) - data.measuring, inKernels, 1);
// What a kernel reaches of what its device can do; a lower bound of its operations would mislead.
const reached = k => (share(k) ? ' It moves ' + digits(rate(k)) + ' GB/s, ' + percent(share(k)) +
  ' of what this device copies' + (share(k) > 1 ? ': most of its data come from a cache.' : '.') : '') +
  (computed(k) ? ' It computes ' + digits(operations(k)) + ' G operations a second, ' + percent(computed(k)) +
    ' of the arithmetic peak.' : '');
// The part of its device that it uses; 0: not known. Where its data come from a cache, a copy is no limit.
const used = k => {
  const best = Math.max(share(k) > 1 ? 0 : share(k), Math.min(1, computed(k))), known = [best, k.busy].filter(x => x > 0);
  return best || k.busy < 1 ? Math.min(1, ...known) : 0;
};

function findings() {
  const list = [];
  for (const d of data.differences)
    list.push({ wrong: true, lost: Infinity, title: d.name + ' differs in ' + label(d.site), site: d.site,
      why: d.text[0].toUpperCase() + d.text.slice(1) + '.', cure: 'Look at the map under “Differences”.' });
  for (const v of views.filter(v => v.avoidable)) {
    const toHost = v.both <= 2 && v.way[1].count <= 2, user = toHost ? null : v.user;
    list.push({ lost: v.time, site: user || v.host || v.writer,
      title: v.name + (v.fn ? ' in ' + v.fn : '') + ' ' + v.avoidable + ' (' + times(v.times) + ')',
      why: size(v.bytes) + ' in ' + time(v.time) + '. ' + (user ?
        'The launch in this line needs it on the device' + (v.both > 2 ? '; the host reads or writes it between launches.'
          : '; the host changed it before.') : v.host ? 'The host reads it in this line.' :
          'The launch in this line wrote what the host read.'), host: user && v.both > 2 ? v.host : null,
      cure: 'Keep it on the device: read and write it there in a kernel, access a section of it on the host, or access ' +
        'it once after the loop.' });
  }
  for (const s of sites) {
    const large = s.time >= 0.1 * whole, reasons = s.reasons.filter(r => large || r !== 'arithmetic'), k = s.on[0];
    const calls = sum(s.on, k => k.count), all = sum(s.on, k => k.time);
    // A large part of the time is named without a cause, too.
    if (large && !reasons.length)
      reasons.push(all / calls < 20000 ? 'short' : share(k) > 0 && share(k) <= 1 ? 'memory' : 'arithmetic');
    if (reasons.length)
      list.push({ lost: s.apart * sum(s.on, k => k.time * (1 - used(k))), open: !used(k), site: s.site,
        title: label(s.site) + ' ' + (large ? 'takes ' + percent(s.time / whole) + ' of the time, and ' : '') +
          reasons.map(r => TITLES[r](k)).join(', and '), cure: reasons.map(r => CURES[r]).join(' '),
        why: count(calls) + ' × ' + time(all / calls) + (s.on.length > 1 ? ' on ' + s.on.length + ' devices' : '') + ', ' +
          percent(all / allKernels) + ' of the time in kernels.' +
          (s.on.length > 1 && reached(k) ? ' On ' + short(k.device) + ':' : '') + reached(k) });
  }
  return list.sort((a, b) => b.lost - a.lost);
}
const TITLES = {
  threads: k => 'starts only ' + count(k.threads) + ' threads',
  gather: () => 'gathers: its indexes come from memory',
  stride: () => 'reads with a stride: neighbouring threads use elements far apart',
  double: () => 'computes with double',
  precise: () => 'calls precise functions that have a faster form',
  short: () => 'is a short launch',
  arithmetic: () => 'is limited by arithmetic, or reads elements several times',
  memory: () => 'is limited by memory'
};

const program = data.program.split('/').pop() || 'program';
document.title = program + ' – report';
main.append(make('h1', {}, program), make('div', { class: 'soft' }, data.date + ' · amp.h ' + data.version +
  (data.ranks > 1 ? ' · rank ' + data.rank + ' of ' + data.ranks : '')));
const toDevice = sum(views, v => v.way[1].bytes), toHost = sum(views, v => v.way[0].bytes);
const eventsOf = kind => data.events.filter(e => e[1] === kind);
const bandOf = e => e[9] === undefined ? '' : ` rows ${e[8]}–${e[9]}`;
const launches = sum(kernels, k => k.count);
main.append(make('div', { class: 'tiles' }, ...[
  ['time', time(data.time)], ['kernels', count(launches)],
  ['in kernels', time(allKernels) + ' · ' + percent(inKernels / data.time)],
  ['to devices', size(toDevice)], ['to the host', size(toHost)],
  ['in transfers', time(sum(views, v => v.time))], ['in compilation', time(sum(data.builds, b => b.time))],
  ['most device memory', size(Math.max(0, ...data.devices.map(d => d.peak)))]
].map(([name, value]) => make('div', {}, make('b', {}, value), make('span', { class: 'soft' }, name)))));

const found = findings();
const finding = f => make('li', { class: f.wrong ? 'wrong' : undefined },
  make('b', { class: 'cost', title: 'time that this may cost' }, f.wrong || !f.lost ? '' :
    (f.open ? 'takes ' : 'up to ') + time(f.lost)),
  make('b', {}, f.title), make('br'), place(f.site),
  make('p', {}, f.why, ...(f.host ? [' The host accesses it in ', place(f.host)] : [])), make('p', {}, f.cure));
const compiled = data.builds.filter(b => b.how === 'compiled').length;
// Of many findings those that cost little are folded.
const minor = found.length < 7 ? [] : found.filter(f => f.lost < 0.005 * whole);
const major = found.filter(f => !minor.includes(f));
main.append(card('findings', 'What to look at first', found.length ? null :
  make('p', { class: 'soft' }, 'Nothing is conspicuous.'),
  make('ol', { class: 'findings' }, ...major.map(finding)),
  minor.length ? make('details', {}, make('summary', { class: 'soft' },
    minor.length + ' that cost less than 0.5 % of the time without compilation'),
    make('ol', { class: 'findings' }, ...minor.map(finding))) : null,
  built > 0.1 * data.time && compiled ? make('p', { class: 'soft' }, 'Compilation took ' + percent(built / data.time) +
    ' of the time. The next run may find the kernels on the disk.') : null,
  data.measuring > 0.01 * data.time ? make('p', { class: 'soft' }, 'Measuring the devices for this page took ' +
    time(data.measuring) + ' of the time, once for each machine.') : null));

// ---- the timeline ------------------------------------------------------------------------------------------------

const LANE = 30, AXIS = 24;
const lanes = data.lanes.map(([isHost, row, device], n) => ({ n, isHost, row, device, events: [],
  name: isHost ? 'host thread ' + row : `${short(device)}, queue ${row}` }));
lanes.sort((a, b) => a.isHost - b.isHost || a.device - b.device || a.row - b.row);
const laneOf = [];
lanes.forEach((lane, n) => { laneOf[lane.n] = lane; lane.y = AXIS + n * LANE; });
for (const e of data.events) laneOf[e[0]].events.push(e);
for (const lane of lanes) lane.events.sort((a, b) => a[3] - b[3] || b[4] - a[4]);

const canvas = make('canvas', { id: 'timeline', tabindex: 0, role: 'img', 'aria-label': 'timeline' });
canvas.height = AXIS + Math.max(1, lanes.length) * LANE + 4;
const end = Math.max(data.time, 1), LEFT = 190;
const view = { from: 0, to: end };
const pen = (target, height) => {
  const ratio = devicePixelRatio || 1, width = target.clientWidth;
  target.style.height = height + 'px';
  if (target.width !== Math.round(width * ratio) || target.height !== Math.round(height * ratio)) {
    target.width = Math.round(width * ratio);
    target.height = Math.round(height * ratio);
  }
  const c = target.getContext('2d');
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, width, height);
  c.font = '12px system-ui, sans-serif';
  return [c, width];
};
// Round steps: 1, 2 or 5 times a power of ten.
const stepFor = (range, most) => {
  const least = range / most, ten = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map(f => f * ten).find(s => s >= least);
};
const at = (x, width) => view.from + (x - LEFT) / (width - LEFT) * (view.to - view.from);

function drawTimeline() {
  const height = AXIS + Math.max(1, lanes.length) * LANE + 4, [c, width] = pen(canvas, height);
  const per = (width - LEFT) / (view.to - view.from), x = t => LEFT + (t - view.from) * per;
  const soft = css('--soft'), text = css('--text'), line = css('--line'), colors = KINDS.map(k => css(k[1]));
  const step = stepFor(view.to - view.from, Math.max(2, (width - LEFT) / 110));
  c.textBaseline = 'middle';
  for (let t = Math.ceil(view.from / step) * step; t <= view.to; t += step) {
    c.fillStyle = line; c.fillRect(x(t), AXIS - 6, 1, height);
    const name = t === 0 ? '0' : time(t);
    c.fillStyle = soft;
    if (x(t) + 4 + c.measureText(name).width <= width) c.fillText(name, x(t) + 4, 9);
  }
  for (const lane of lanes) {
    c.save(); c.beginPath(); c.rect(LEFT, lane.y, width - LEFT, LANE); c.clip();
    const last = KINDS.map(() => -1);
    for (const e of lane.events) {
      const x0 = Math.max(LEFT - 2, x(e[3])), x1 = Math.min(width + 2, x(e[3] + e[4]));
      if (x1 < LEFT || x0 > width || Math.max(x1, x0 + 1) <= last[e[1]]) continue;
      const inset = e[1] > 1 && lane.isHost ? 7 : 3, wide = Math.max(1, x1 - x0);
      last[e[1]] = x0 + wide;
      c.globalAlpha = e[6] ? 0.35 + 0.65 * Math.min(1, e[7] / Math.max(1, e[4])) : 1;
      c.fillStyle = colors[e[1]];
      c.fillRect(x0, lane.y + inset, wide > 3 ? wide - 0.5 : wide, LANE - 2 * inset);
      c.globalAlpha = 1;
      if (wide > 46 && e[1] !== 5) {
        c.save(); c.beginPath(); c.rect(x0, lane.y, wide - 4, LANE); c.clip();
        c.fillStyle = e[1] === 1 ? text : '#fff';
        c.fillText((e[6] ? e[6] + ' × ' : '') + data.names[e[2]][0] + bandOf(e), x0 + 5, lane.y + LANE / 2 + 0.5);
        c.restore();
      }
    }
    c.restore();
    c.fillStyle = line; c.fillRect(0, lane.y + LANE - 0.5, width, 1);
    c.save(); c.beginPath(); c.rect(0, lane.y, LEFT - 8, LANE); c.clip();
    c.fillStyle = soft; c.fillText(lane.name, 0, lane.y + LANE / 2); c.restore();
  }
  canvas.dataset.from = view.from; canvas.dataset.to = view.to;
}

function show(from, to) {
  const wide = Math.min(end, Math.max(100, to - from));
  view.from = Math.min(Math.max(0, from), end - wide);
  view.to = view.from + wide;
  drawTimeline();
}
const zoom = (factor, middle) => show(middle - (middle - view.from) * factor, middle + (view.to - middle) * factor);
const pan = part => show(view.from + part * (view.to - view.from), view.to + part * (view.to - view.from));
canvas.addEventListener('wheel', e => {
  e.preventDefault();
  if (Math.abs(e.deltaX) > Math.abs(e.deltaY)) pan(e.deltaX / 1000);
  else zoom(2 ** (e.deltaY / 300), at(e.offsetX, canvas.clientWidth));
}, { passive: false });
let drag = null;
canvas.addEventListener('pointerdown', e => {
  drag = { x: e.clientX, from: view.from, to: view.to };
  canvas.setPointerCapture(e.pointerId);
});
canvas.addEventListener('pointerup', () => { drag = null; });
canvas.addEventListener('pointermove', e => {
  if (drag) {
    const by = (drag.x - e.clientX) / (canvas.clientWidth - LEFT) * (drag.to - drag.from);
    show(drag.from + by, drag.to + by);
    return;
  }
  const lane = lanes[Math.floor((e.offsetY - AXIS) / LANE)], t = at(e.offsetX, canvas.clientWidth);
  const near = 2 * (view.to - view.from) / canvas.clientWidth;
  const hit = lane && e.offsetX > LEFT ? lane.events.filter(v => v[3] - near <= t && t <= v[3] + v[4] + near).pop() : null;
  tip.style.display = hit ? 'block' : 'none';
  if (!hit) return;
  const [name, site] = data.names[hit[2]];
  tip.textContent = (hit[6] ? hit[6] + ' × ' : '') + KINDS[hit[1]][0] + ' ' + name + (bandOf(hit) && ', band of' + bandOf(hit)) + '\n' + time(hit[4]) +
    (hit[6] ? ' (' + time(hit[7]) + ' busy)' : '') + ' at ' + time(hit[3]) + (hit[5] ? '\n' + size(hit[5]) : '') +
    (site ? '\n' + where(site) : '');
  tip.style.left = Math.min(e.clientX + 14, innerWidth - 300) + 'px';
  tip.style.top = e.clientY + 16 + 'px';
});
canvas.addEventListener('pointerleave', () => { tip.style.display = 'none'; });
canvas.addEventListener('dblclick', () => show(0, end));
canvas.addEventListener('keydown', e => {
  const middle = (view.from + view.to) / 2;
  const keys = { ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2), '+': () => zoom(0.5, middle),
    '=': () => zoom(0.5, middle), '-': () => zoom(2, middle), ArrowUp: () => zoom(0.5, middle),
    ArrowDown: () => zoom(2, middle), '0': () => show(0, end), Home: () => show(0, view.to - view.from),
    End: () => show(end - view.to + view.from, end) };
  if (!keys[e.key]) return;
  e.preventDefault();
  keys[e.key]();
});
main.append(card('lanes', 'Timeline', canvas, make('div', { class: 'legend' },
  ...KINDS.filter((k, n) => data.events.some(e => e[1] === n)).map(([name, color]) => make('span', {},
    make('i', { style: 'background: var(' + color + ')' }), name)),
  make('span', {}, 'wheel, + and − zoom; drag, ← and → move; 0 or a double click shows all'),
  data.summed ? make('span', {}, count(data.summed) + ' older events are summed up in lighter bars') : null)));

// ---- kernels ------------------------------------------------------------------------------------------------------

const bar = part => make('span', { class: 'bar', style: 'width:' + Math.max(2, Math.min(100, 100 * part)) + '%' });
const head = (...names) => make('thead', {}, make('tr', {}, ...names.map(n =>
  make('th', n.startsWith('#') ? { class: 'n' } : {}, n.replace('#', '')))));
const number = (text, part) => make('td', { class: 'n' }, text, part === undefined ? null : bar(part));
// A button that opens a text below its row.
const opener = (name, text, cell) => {
  const block = make('pre', {}, text);
  return make('button', { 'aria-expanded': 'false', onclick: e => {
    const open = block.isConnected;
    if (open) block.remove(); else cell.append(block);
    e.currentTarget.setAttribute('aria-expanded', !open);
  } }, name);
};
const numbered = k => k.first ? k.source.replace(/\n$/, '').split('\n').map((l, n) =>
  String(k.first + n).padStart(5) + '  ' + l).join('\n') : k.source;

const rows = [];
for (const k of kernels) {
  const below = make('td', { class: 'open', colspan: 9 });
  const built = data.builds.filter(b => same(b.site, k.site) && b.device === k.device && b.text);
  rows.push(make('tr', { class: 'kernel' },
    make('td', {}, make('b', {}, label(k.site)), make('br'), place(k.site), make('br'),
      opener('source', numbered(k), below), ...built.map((b, n) =>
        opener('generated program' + (n ? ' ' + (n + 1) : ''), b.text, below))),
    make('td', {}, deviceText(k.device)), number(count(k.count)), number(time(k.time)),
    number(time(k.time / k.count)), number(percent(allKernels ? k.time / allKernels : 0), k.time / allKernels),
    number(rate(k) ? digits(rate(k)) : '–'), share(k) ? number(percent(share(k)), share(k)) : number('–'),
    make('td', { class: 'why' }, ...k.reasons.flatMap(([word, why]) => [make('div', {}, why),
      make('div', { class: 'soft' }, CURES[word])]))), make('tr', {}, below));
}
main.append(card('kernels', 'Kernels', make('div', { class: 'scroll' }, make('table', {},
  head('kernel', 'device', '#calls', '#total', '#mean', '#share', '#GB/s', '#of a copy', 'why it is slow, and the cure'),
  make('tbody', {}, ...rows)))));

// ---- transfers ------------------------------------------------------------------------------------------------------

if (views.length)
  main.append(card('transfers', 'Transfers', make('div', { class: 'scroll' }, make('table', {},
    head('view', '#to device', '#times', '#to host', '#times', '#time', 'needed by', 'read by the host in', ''),
    make('tbody', {}, ...views.map(v => make('tr', {}, make('td', {}, make('b', {}, v.name), ' ',
      make('small', {}, v.fn ? 'in ' + v.fn : '')), number(size(v.way[1].bytes)), number(count(v.way[1].count)),
      number(size(v.way[0].bytes)), number(count(v.way[0].count)), number(time(v.time)),
      make('td', {}, ...v.way[1].causes.concat(v.way[0].hosts.length ? [] : v.way[0].causes).map(c => c[1]).filter(
        (c, n, all) => all.findIndex(o => same(o, c)) === n).slice(0, 4).flatMap(c => [place(c), make('br')])),
      make('td', {}, ...v.way[0].hosts.slice(0, 4).flatMap(c => [place(c[1]), make('br')])),
      make('td', { class: 'why' }, v.avoidable ? 'avoidable: ' + v.avoidable : '')))))),
    make('small', {}, 'A view has the name of its first capture. “Needed by” names the launch that needed it on the ' +
      'device, or the one that wrote what the host read where the line of the host is not known.')));

// ---- charts -----------------------------------------------------------------------------------------------------------

const grid = main.appendChild(make('div', { class: 'grid' })), charts = [];
const chart = (id, title, height, draw, ...notes) => {
  const canvas = make('canvas', { role: 'img', 'aria-label': title });
  grid.append(card(id, title, canvas, ...notes));
  charts.push(() => draw(...pen(canvas, height), height));
};
const shades = ['--kernel', '--up', '--down', '--compile', '--copy'];

if (data.memory.length)
  chart('memory', 'Memory of devices', 240, (c, width, height) => {
    const most = Math.max(...data.memory.map(m => m[2]), 1), x = t => 70 + t / end * (width - 80);
    const y = b => height - 26 - b / most * (height - 44), soft = css('--soft'), line = css('--line');
    c.textBaseline = 'middle';
    for (let n = 0; n <= 4; n++) {
      c.fillStyle = line; c.fillRect(70, y(most * n / 4), width - 80, 1);
      c.fillStyle = soft; c.fillText(size(most * n / 4), 0, y(most * n / 4));
    }
    for (let n = 0; n <= 3; n++) c.fillText(n ? time(end * n / 3) : '0', Math.min(x(end * n / 3), width - 52), height - 8);
    [...new Set(data.memory.map(m => m[1]))].forEach((device, n) => {
      c.strokeStyle = css(shades[n % shades.length]); c.lineWidth = 2;
      c.beginPath(); c.moveTo(x(0), y(0));
      let bytes = 0;
      for (const m of data.memory.filter(m => m[1] === device)) {
        c.lineTo(x(m[0]), y(bytes)); c.lineTo(x(m[0]), y(m[2]));
        bytes = m[2];
      }
      c.lineTo(x(end), y(bytes)); c.stroke();
    });
  }, make('div', { class: 'legend' }, ...[...new Set(data.memory.map(m => m[1]))].map((device, n) => make('span', {},
    make('i', { style: 'background: var(' + shades[n % shades.length] + ')' }),
    short(device) + ', at most ' + size(data.devices[device].peak)))));

// Each kernel a dot: operations a byte, and operations a second. Above the slope no kernel comes that moves its bytes once.
const dots = kernels.map(k => ({ k, x: k.operations * k.threads * k.count / k.bytes,
  y: k.operations * k.threads * k.count / k.time })).filter(d => d.x > 0.001 && isFinite(d.x) && d.y > 0 && isFinite(d.y));
if (dots.length)
  chart('roofline', 'Roofline', 280, (c, width, height) => {
    const roofs = [...new Set(dots.map(d => d.k.device))].map(n => data.devices[n]);
    const peaks = roofs.map(d => d.arithmetic).filter(p => p > 0);
    const low = v => 10 ** Math.floor(Math.log10(v)), high = v => 10 ** Math.ceil(Math.log10(v) + 0.01);
    const x0 = low(Math.min(0.1, ...dots.map(d => d.x))), x1 = high(Math.max(10, ...dots.map(d => d.x)));
    const best = Math.max(...dots.map(d => d.y), ...peaks), y0 = low(Math.min(...dots.map(d => d.y))), y1 = high(2 * best);
    const part = (v, from, to) => Math.log(v / from) / Math.log(to / from);
    const x = v => 64 + part(v, x0, x1) * (width - 84), y = v => height - 40 - part(v, y0, y1) * (height - 56);
    const text = css('--text'), soft = css('--soft'), line = css('--line');
    c.textBaseline = 'middle';
    for (let v = x0; v <= x1 * 1.01; v *= 10) {
      c.fillStyle = line; c.fillRect(x(v), 16, 1, height - 56);
      c.fillStyle = soft; c.fillText(power(v), x(v) - 6, height - 28);
    }
    for (let v = y0; v <= y1 * 1.01; v *= 10) {
      c.fillStyle = line; c.fillRect(64, y(v), width - 84, 1);
      c.fillStyle = soft; c.fillText(power(v), 4, y(v));
    }
    c.fillText('operations a byte', width / 2 - 40, height - 10); c.fillText('G operations a second', 64, 7);
    c.save(); c.beginPath(); c.rect(64, 16, width - 84, height - 56); c.clip();
    roofs.forEach((d, n) => {
      const slope = v => d.copy > 0 ? d.copy * v : Infinity, roof = v => Math.min(slope(v), d.arithmetic || Infinity);
      const bend = d.copy > 0 && d.arithmetic > 0 ? [d.arithmetic / d.copy] : [];
      c.strokeStyle = css(shades[n % shades.length]); c.lineWidth = 2; c.beginPath();
      for (const v of [x0, ...bend.filter(v => v > x0 && v < x1), x1]) if (isFinite(roof(v))) c.lineTo(x(v), y(roof(v)));
      c.stroke();
      if (!d.arithmetic) return;
      c.fillStyle = soft;
      c.textAlign = 'right'; c.fillText(power(d.arithmetic), width - 26, y(d.arithmetic) - 8); c.textAlign = 'left';
    });
    c.restore();
    for (const d of dots) {
      c.fillStyle = c.strokeStyle = css('--kernel'); c.lineWidth = 2; c.beginPath();
      c.arc(x(d.x), y(d.y), 4 + 10 * Math.sqrt(d.k.time / allKernels), 0, 7);
      if (d.k.bound) c.stroke(); else c.fill();
      c.fillStyle = text; c.fillText(named(d.k), Math.min(x(d.x) + 16, width - 90), y(d.y) - 10);
    }
  }, make('small', {}, 'Operations are counted in the source; a kernel without a dot has none that could be counted. Of a ring, some loops or functions could not be counted, and it ' +
    'lies further right and higher. Both parts of the roof are measured: the slope is the copy bandwidth of the device, the level the ' +
    'operations a second of a kernel of multiplications and additions of float. The size is the share of the time.'));

if (data.builds.length)
  main.append(card('builds', 'Compilations', make('div', { class: 'scroll' }, make('table', {},
    head('kernel', 'device', 'how', '#at', '#time'),
    make('tbody', {}, ...data.builds.map(b => make('tr', {}, make('td', {}, label(b.site), ' ', place(b.site)),
      make('td', {}, deviceText(b.device)), make('td', {}, b.how), number(time(b.begin)),
      number(time(b.time))))))), data.buildsLost ? make('small', {}, count(data.buildsLost) + ' more are left out') : null));

// ---- differences and pictures ------------------------------------------------------------------------------------------

if (data.differences.length)
  main.append(card('differences', 'Differences', ...data.differences.map(d => {
    const most = Math.max(...d.map, 1), cell = Math.max(4, Math.floor(384 / Math.max(d.rows, d.columns)));
    const map = make('canvas', { role: 'img', 'aria-label': 'where ' + d.name + ' differs' });
    map.style.width = d.columns * cell + 'px';
    charts.push(() => {
      const tall = Math.max(cell, 16), [c] = pen(map, d.rows === 1 ? tall : d.rows * cell);
      d.map.forEach((n, i) => {
        c.fillStyle = n ? css('--bad') : css('--code');
        c.globalAlpha = n ? 0.35 + 0.65 * n / most : 1;
        c.fillRect(i % d.columns * cell, Math.floor(i / d.columns) * cell, cell - 1, d.rows === 1 ? tall : cell - 1);
      });
    });
    return make('div', {}, make('p', {}, make('b', {}, d.name + d.shape), ' ', place(d.site)), map,
      make('p', {}, d.text));
  }), data.differencesLost ? make('small', {}, count(data.differencesLost) + ' more are left out') : null));

// A colour map from dark blue through green to yellow.
const RAMP = [[48, 18, 92], [52, 94, 141], [34, 144, 140], [94, 201, 98], [253, 231, 37]];
const ramp = v => {
  const p = v / 254 * 4, n = Math.min(3, Math.floor(p)), f = p - n;
  return RAMP[n].map((from, i) => from + f * (RAMP[n + 1][i] - from));
};
for (const name of new Set(data.pictures.map(p => p.name))) {
  const series = data.pictures.filter(p => p.name === name), canvas = make('canvas', { class: 'picture' });
  const caption = make('div', { class: 'soft' });
  const slider = make('input', { type: 'range', min: 0, max: series.length - 1, value: 0, 'aria-label': name,
    oninput: () => draw() });
  const draw = () => {
    const p = series[slider.value], bytes = Uint8Array.from(atob(p.pixels), c => c.charCodeAt(0));
    caption.textContent = p.name + p.shape + ' at ' + time(p.time) + ', ' + (+slider.value + 1) + ' of ' + series.length +
      ', from ' + p.least.toPrecision(5) + ' to ' + p.most.toPrecision(5);
    if (p.rows > 1) {
      canvas.width = p.columns; canvas.height = p.rows;
      const c = canvas.getContext('2d'), image = c.createImageData(p.columns, p.rows);
      bytes.forEach((v, i) => image.data.set(v === 255 ? [255, 0, 255, 255] : [...ramp(v), 255], 4 * i));
      c.putImageData(image, 0, 0);
      return;
    }
    const [c, width] = pen(canvas, 200);
    c.strokeStyle = css('--kernel'); c.lineWidth = 1.5; c.beginPath();
    bytes.forEach((v, i) => { if (v !== 255) c.lineTo(i / Math.max(1, bytes.length - 1) * width, 195 - v / 254 * 190); });
    c.stroke();
  };
  charts.push(draw);
  grid.append(card('', 'Picture: ' + name, canvas, series.length > 1 ? slider : null, caption));
}

// ---- the environment ------------------------------------------------------------------------------------------------------

main.append(card('environment', 'Environment', make('div', { class: 'scroll' }, make('table', {},
  head('device', 'description', '#copies GB/s', '#G operations/s', 'driver'), make('tbody', {}, ...data.devices.map(d => make('tr', {},
    make('td', {}, d.path), make('td', {}, d.description), number(d.copy ? digits(d.copy) : '–'),
    number(d.arithmetic ? digits(d.arithmetic) : '–'),
    make('td', { class: 'why' }, d.identity)))))),
  make('p', { class: 'soft' }, data.build + data.options.map(([name, value]) => ' · ' + name + '=' + value).join('')),
  data.lost ? make('p', { class: 'soft' }, count(data.lost) + ' commands were still running at the end.') : null));

const drawAll = () => { drawTimeline(); charts.forEach(draw => draw()); };
addEventListener('resize', drawAll);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
drawAll();
Object.assign(document.body.dataset, { launches, toDevice, toHost, lanes: lanes.length, findings: found.length });
