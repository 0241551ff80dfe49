// Draws arrows, shows details of a row on hover or focus, finds names and copies lines. Without it, everything is readable except
// the arrows and the code.
'use strict';
const all = (q, root = document) => [...root.querySelectorAll(q)];
const make = (name, text, kind) => {
  const node = document.createElement(name);
  if (text !== undefined) node.textContent = text;
  if (kind) node.className = kind;
  return node;
};
const details = JSON.parse(document.getElementById('details').textContent);
// The values of a row: its step, its task, the step that made it runnable, its call, its places, its changes.
const data = row => row.data ||= (row.dataset.r || '').split(' ').map(v => v || undefined);
const laneOf = row => { const found = /(?:^| )l([0-9]+)/.exec(row.className); return found ? +found[1] : undefined; };
const places = row => data(row)[4] === undefined ? [] : details.stacks[data(row)[4]].map(i => details.places[i]);
const changes = row => {
  const numbers = details.changes[data(row)[5]] || [], found = [];
  for (let n = 0; n < numbers.length; n += 3) found.push(numbers.slice(n, n + 3).map(word => details.words[word]));
  return found;
};
const svg = (name, values) => {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const key in values) node.setAttribute(key, values[key]);
  return node;
};
// Where an arrow may begin and end: the box of a row, or its mark in the lane.
const spot = (row, run) => {
  const box = row.querySelector('div'), frame = run.getBoundingClientRect(), r = box.getBoundingClientRect();
  const lane = laneOf(row) || 0, mark = getComputedStyle(box, '::before');
  if (mark.display === 'none') return { left: r.left - frame.left, right: r.right - frame.left, in: r.left - frame.left + 12, top: r.top - frame.top, mid: r.top - frame.top + Math.min(11, r.height / 2), bottom: r.bottom - frame.top, lane };
  const x = r.left - frame.left + parseFloat(mark.left) + 4.5, top = r.top - frame.top + parseFloat(mark.top);
  return { left: x - 5, right: x + 5, in: x, top, mid: top + 4, bottom: top + parseFloat(mark.height), lane };
};
const path = (from, to) => {
  if (from.lane === to.lane) return 'M' + from.in + ' ' + from.bottom + 'V' + (to.top - 1);
  const right = to.in > from.in, start = right ? from.right : from.left, bend = right ? -6 : 6;
  return 'M' + start + ' ' + from.mid + 'H' + (to.in + bend) + 'q' + -bend + ' 0 ' + -bend + ' 6V' + (to.top - 1);
};
const draw = run => {
  run.querySelector('.arrows')?.remove();
  const layer = svg('svg', { class: 'arrows', 'aria-hidden': 'true' });
  const tip = svg('marker', { id: 'tip-' + (draw.count = (draw.count || 0) + 1), viewBox: '0 0 8 8', refX: 6, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' });
  tip.append(svg('path', { d: 'M0 0L8 4L0 8z' }));
  layer.append(tip);
  const steps = new Map(), calls = new Map();
  for (const row of all('ol > li', run)) {
    const [step, task, cause, call] = data(row);
    const arrow = (from, kind) => {
      if (!from || from === row || (kind !== 'call' && from.nextElementSibling === row && laneOf(from) === laneOf(row))) return;
      const line = svg('path', { d: path(spot(from, run), spot(row, run)), class: kind, 'marker-end': 'url(#' + tip.id + ')' });
      line.from = from; line.to = row;
      layer.append(line);
    };
    const called = call === undefined ? undefined : calls.get(call);
    if (call !== undefined) {
      arrow(called, 'call');
      calls.set(call, row);
    }
    if (step !== undefined && !row.classList.contains('vx')) {
      const from = steps.get(cause);
      if (from && from !== called && !steps.has(step)) arrow(from, data(from)[1] === task ? 'hop' : 'wake');
      if (laneOf(row) !== undefined) steps.set(step, row);
    }
  }
  run.append(layer);
};
const listing = figure => {
  const home = figure.querySelector('.code');
  if (home.firstChild) return;
  const files = new Map();
  for (const row of all('.run:not(.passing) ol > li', figure)) {
    const place = places(row).find(p => p[3]);
    if (!place) continue;
    if (!files.has(place[1])) files.set(place[1], new Map());
    files.get(place[1]).set(place[2], place);
  }
  for (const [file, lines] of files) {
    const table = make('table');
    table.append(make('caption', file));
    for (const [number, place] of [...lines].sort((a, b) => a[0] - b[0])) {
      const row = table.insertRow();
      row.append(make('td', number), make('td', place[3]), make('td', place[0], 'fn'));
    }
    home.append(table);
  }
};
// A name that is too long for its lane ends a line at a point in it, not anywhere.
const soften = figure => {
  if (figure.dataset.soft) return;
  figure.dataset.soft = '1';
  for (const row of all('.run ol > li > div', figure)) {
    const texts = [], walk = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) texts.push(walk.currentNode);
    for (const text of texts) {
      const parts = text.data.split(/(?<=\w[.:\/])(?=\w)/);
      if (parts.length > 1) text.replaceWith(...parts.flatMap((part, i) => i ? [make('wbr'), part] : [part]));
    }
  }
};
const show = figure => {
  if (!figure.offsetParent) return;
  soften(figure);
  listing(figure);
  all('.run', figure).forEach(draw);
  all('ol', figure).forEach(list => {
    if (list.querySelector('[tabindex]')) return;
    all('li', list).forEach((row, i) => {
      row.tabIndex = i ? -1 : 0;
      const lane = all('.lanes li', list.parentNode)[laneOf(row)], name = lane ? lane.firstChild.textContent : 'from outside';
      row.setAttribute('aria-label', [timeOf(row), name, row.querySelector('div').innerText].join(', '));
    });
  });
};
const timeOf = row => {
  for (let r = row; r; r = r.previousElementSibling) if (r.querySelector('time')) return r.querySelector('time').textContent;
  return '';
};
const watcher = new ResizeObserver(entries => requestAnimationFrame(() => entries.forEach(e => show(e.target))));
all('figure').forEach(f => watcher.observe(f));
all('.glance a').forEach(a => a.setAttribute('aria-label', a.title));
all('.dv').forEach(mark => { mark.title = 'the schedule leaves the natural order'; });
document.addEventListener('toggle', e => all('figure', e.target).forEach(show), true);
const tip = document.getElementById('tip');
const look = row => {
  if (!row) { tip.hidden = true; all('.arrows .on').forEach(p => p.classList.remove('on')); return; }
  tip.replaceChildren();
  const [place, ...callers] = places(row), [step, , cause] = data(row);
  if (place) {
    tip.append(make('b', place[0]), make('span', place[1] + ':' + place[2]));
    if (place[3]) tip.append(make('code', place[3]));
  }
  for (const caller of callers) tip.append(make('span', 'called by ' + caller[0] + ', ' + caller[1] + ':' + caller[2]));
  for (const [name, before, after] of changes(row)) tip.append(make('span', name + ' before: ' + before + ', after: ' + after));
  const at = [step ? 'step ' + step : '', timeOf(row)].filter(t => t).join(' at ');
  tip.append(make('span', at + (cause ? ', made runnable in step ' + cause : '')));
  tip.hidden = false;
  const r = row.querySelector('div').getBoundingClientRect(), w = tip.offsetWidth, h = tip.offsetHeight;
  const x = Math.max(8, Math.min(r.left, innerWidth - w - 8));
  const below = r.bottom + 6 + h < innerHeight || r.top < h;
  tip.style.left = x + scrollX + 'px';
  tip.style.top = (below ? r.bottom + 6 : r.top - h - 6) + scrollY + 'px';
  all('.arrows path').forEach(p => p.classList.toggle('on', p.from === row || p.to === row));
};
const rowOf = node => node.closest?.('.run ol > li');
document.addEventListener('mouseover', e => look(rowOf(e.target)));
document.addEventListener('focusin', e => { if (rowOf(e.target)) e.target.setAttribute('aria-describedby', 'tip'); look(rowOf(e.target)); });
document.addEventListener('focusout', () => look());
document.addEventListener('keydown', e => {
  const row = rowOf(e.target);
  if (e.key === 'Escape') look();
  if (!row) return;
  const list = [...row.parentNode.children], i = list.indexOf(row);
  const go = { ArrowDown: i + 1, ArrowUp: i - 1, Home: 0, End: list.length - 1 }[e.key];
  if (go === undefined) return;
  e.preventDefault();
  if (!list[go]) return;
  row.tabIndex = -1;
  list[go].tabIndex = 0;
  list[go].focus();
});
const find = document.getElementById('find'), none = document.getElementById('none');
let kind = '';
const filter = () => {
  const words = (find ? find.value : '').toLowerCase().split(' ').filter(w => w);
  let count = 0;
  for (const subject of all('.subject')) {
    let shown = 0;
    for (const variant of all('.variant', subject)) {
      const name = (subject.querySelector('h2').textContent + ' ' + variant.querySelector('b').textContent + ' ' + variant.querySelector('span').textContent).toLowerCase();
      variant.hidden = !(words.every(w => name.includes(w)) && (!kind || variant.dataset.mark === kind));
      if (!variant.hidden) shown++;
    }
    subject.hidden = !shown;
    count += shown;
  }
  none.hidden = count > 0;
  all('[data-show]').forEach(b => b.setAttribute('aria-pressed', b.dataset.show === kind));
};
const go = () => {
  const hash = decodeURIComponent(location.hash.slice(1));
  if (find && hash.startsWith('find=')) { find.value = hash.slice(5); filter(); return; }
  if (hash.startsWith('show=')) { kind = hash.slice(5); filter(); return; }
  const target = hash ? document.getElementById(hash) : null;
  if (!target) return;
  if (target.hidden || target.closest('[hidden]')) { kind = ''; if (find) find.value = ''; filter(); }
  if (target.tagName === 'DETAILS') target.open = true;
  target.scrollIntoView();
};
find?.addEventListener('input', () => { history.replaceState(null, '', find.value ? '#find=' + encodeURIComponent(find.value) : ' '); filter(); });
find?.form.addEventListener('submit', e => e.preventDefault());
all('[data-show]').forEach(b => b.addEventListener('click', () => { kind = b.dataset.show; history.replaceState(null, '', kind ? '#show=' + kind : ' '); filter(); }));
document.getElementById('open-all')?.addEventListener('click', e => {
  const closed = all('details.variant:not([hidden])').filter(d => d.offsetParent);
  const open = closed.some(d => !d.open);
  closed.forEach(d => { d.open = open; });
  e.target.textContent = open ? 'close all' : 'open all';
});
document.addEventListener('click', async e => {
  if (!e.target.matches('.copy')) return;
  const text = e.target.parentNode.querySelector('code').textContent;
  try { await navigator.clipboard.writeText(text); e.target.textContent = 'copied'; } catch {
    getSelection().selectAllChildren(e.target.parentNode.querySelector('code'));
    e.target.textContent = 'selected';
  }
  setTimeout(() => { e.target.textContent = 'copy'; }, 1500);
});
addEventListener('hashchange', go);
addEventListener('beforeprint', () => all('figure').forEach(show));
go();
