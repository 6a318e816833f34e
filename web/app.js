// SPDX-License-Identifier: MIT
// The page: what is chosen, what keys do, and what is asked of the program.
import {Beside} from './beside.js';
import {MARK, STATUS} from './look.js';
import {$, make, percent, showCurve, showHistory, showNext, showStand, showWhy, swatch, Table} from './panels.js';
import {askBlob, askBytes, askJson, framed, kept} from './server.js';
import {View} from './view.js';

const PREVIEW_DELAY = 120;  // ms over a class before it is asked what would change

class App {
  constructor() {
    this.view = new View($('canvas'), $('lassoLine'));
    this.chosen = [];       // the first is the one that is explained
    this.flips = [];        // nodes that have changed, or would
    this.suggested = [];
    this.names = [];
    this.film = null;
    this.labelsSinceTraining = 0;
    this.table = new Table(this);
    this.beside = new Beside(this);
  }

  nameOf(u) { return this.names.length ? this.names[u] : String(u); }
  numberOf(name) {
    if (!this.names.length) return /^\d+$/.test(name) && +name < this.view.n ? +name : -1;
    this.byName ??= new Map(this.names.map((text, u) => [text, u]));
    return this.byName.get(name) ?? -1;
  }

  async start() {
    const began = performance.now();
    this.theme(kept.get('theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
    const [state, graph, answer] = await Promise.all([askJson('state'), askBytes('graph'), askBytes('answer')]);
    this.view.setGraph(graph);
    this.takeState(state);
    this.takeAnswer(answer);
    this.view.drawNow();
    this.firstPictureMs = performance.now() - began;
    this.listen();
    document.body.dataset.ready = 'true';
    if (state.named) this.names = await askJson('names');
    if (state.taken_up) this.say(`labels that were not saved are here again (${state.taken_up} ${state.taken_up === 1 ? "step" : "steps"})`);
    if (!kept.get('seen')) $('welcome').showModal();
    this.placesVersion = state.layout.version;
    this.watch();
  }

  // What changes without being asked for: the layout gets better, training ends, another page sets labels.
  async watch() {
    for (;;) {
      const busy = this.state.training.running || this.state.layout.rounds < this.state.layout.of;
      await new Promise((done) => setTimeout(done, busy ? 400 : 2000));
      if (document.hidden || (framed && !busy)) continue;  // of a notebook's widget there is one page only
      try {
        await this.refresh();
        delete document.body.dataset.lost;
      } catch {
        document.body.dataset.lost = 'true';
        this.say('the program does not answer; start `heatfront explore` again (labels are kept)');
      }
    }
  }

  async refresh() {
    const version = this.state.version, state = await askJson('state');
    this.takeState(state);
    if (state.version !== version) await this.reload();
    if (state.layout.version !== this.placesVersion) {
      const newer = await askBytes(`places?have=${this.placesVersion}`);
      if (newer) {
        this.placesVersion = newer.version;
        this.view.setPlaces(newer.places);
        if (this.view.fitted) this.view.fit();
      }
    }
  }

  async reload() {
    const before = this.answer;
    this.takeAnswer(await askBytes('answer'));
    this.mark(this.changedSince(before));
    if (this.chosen.length) await this.explain();
  }

  changedSince(before) {
    const flips = [];
    for (let u = 0; u < this.view.n; ++u) {
      if (before.classes[u] !== this.answer.classes[u]) flips.push(u);
    }
    return flips;
  }

  takeState(state) {
    if (this.state?.training.running && !state.training.running) this.say(state.training.note);
    this.state = state;
    $('title').textContent = state.dataset || 'heatfront';
    document.title = `${state.dataset} · heatfront`;
    document.body.dataset.version = state.version;
    showStand($('stand'), state);
    showHistory($('history'), state.history, (u) => this.choose(u, true));
    $('undo').disabled = !state.undo;
    $('redo').disabled = !state.redo;
    $('save').disabled = !state.file || !state.unsaved;
    $('save').title = state.file ? `to ${state.file}` : 'there is no file to save to';
    const {running, done, total, stage, note} = state.training;
    $('train').textContent = running ? 'Stop training' : 'Train again';
    $('train').disabled = !running && !state.known;
    $('progress').hidden = !running;
    if (total > 0) $('progress').value = done / total; else $('progress').removeAttribute('value');
    $('learned').textContent = running ? `${stage} ${total ? `${done} of ${total}` : ''}` : note;
    this.showClasses();
  }

  showClasses() {
    const text = this.state.classes.join('\n');
    if (this.classText === text) return;
    this.classText = text;
    const label = (c) => make('button', {
      class: 'class', type: 'button', 'data-class': c, title: `Label the chosen nodes ${this.state.classes[c]}; with none chosen, give it another name (F2)`,
      onkeydown: (event) => { if (event.key === 'F2') this.askForClass(c); },
      onclick: () => (this.chosen.length ? this.label(c) : this.askForClass(c)), onpointerenter: () => this.preview(c), onpointerleave: () => this.endPreview(),
      onfocus: () => this.preview(c), onblur: () => this.endPreview(),
    }, ...(c < 9 ? [make('kbd', {}, c + 1)] : []), swatch(c), this.state.classes[c]);
    $('classes').replaceChildren(...this.state.classes.map((_, c) => label(c)),
      make('button', {type: 'button', id: 'newClass', title: 'Another class', onclick: () => this.askForClass()}, '+ class'));
  }

  takeAnswer(answer) {
    this.answer = answer;
    this.film = null;
    $('slider').value = 40;
    $('moment').textContent = 'now';
    showCurve($('curve'), null);
    this.view.setHeat(null);
    this.view.setAnswer(answer);
    $('back').hidden = true;
    document.body.dataset.version = answer.version;
    this.beside.refresh().catch((error) => this.say(error.message));
  }

  // `alone`: those nodes are not ringed; all others are pale instead.
  mark(flips = this.flips, alone = false) {
    this.flips = flips;
    const marks = new Uint8Array(this.view.n).fill(alone ? MARK.dim : 0);
    if (alone) for (const u of flips) marks[u] = 0;
    else for (const u of flips) marks[u] |= MARK.flips;
    for (const u of this.suggested) marks[u] |= MARK.suggested;
    if (this.chosen.length > 1) for (const u of this.chosen) marks[u] |= MARK.chosen;
    if (this.chosen.length === 1) marks[this.chosen[0]] |= MARK.selected;
    for (const view of [this.view, this.beside.view]) {
      view?.setMarks(marks);
      view?.setNear(this.chosen.length === 1 ? this.chosen[0] : -1);
    }
    document.body.dataset.flips = this.flips.length;
    document.body.dataset.chosen = this.chosen.join(',');
  }

  async choose(u, focus = false) {
    if (u < 0 || u === undefined) return;
    this.chosen = [u];
    this.view.setHeat(null);
    if (focus) this.view.reveal(u);
    this.mark([]);
    await this.explain();
  }

  chooseMany(nodes) {
    this.chosen = nodes;
    this.mark([]);
    $('why').replaceChildren(make('p', {}, make('b', {}, `${nodes.length} nodes`), ' are chosen; a class labels all of them in one step.'));
    this.say(`${nodes.length} nodes chosen`);
  }

  clear() {
    this.chosen = [];
    if (!$('back').hidden) this.takeAnswer(this.answer);
    this.view.setHeat(null);
    this.mark([]);
    $('why').replaceChildren(make('p', {class: 'quiet'}, 'Choose a node: click it, search for it, or press N.'));
  }

  async explain() {
    const u = this.chosen[0], began = performance.now();
    if (this.chosen.length !== 1) return;
    const why = await askJson(`why?node=${u}`);
    this.whyMs = performance.now() - began;
    if (this.chosen[0] !== u) return;
    why.node ??= this.nameOf(u);
    why.class ??= this.state.classes[this.answer.classes[u]];
    why.status ??= STATUS[this.answer.status[u]];
    why.confidence ??= this.answer.sure[u] / 255;
    showWhy($('why'), why, this.state.classes, (name) => this.choose(this.numberOf(name), true));
    const reach = make('button', {type: 'button', id: 'reach', onclick: () => this.reach()}, this.answer.status[u] === 0 ? 'Territory of its label (R)' : 'How far its label would reach (R)');
    $('why').append(make('p', {class: 'row'}, reach));
    document.body.dataset.why = u;
  }

  // `work` gives the new answer; what differs is marked.
  async change(work, tell) {
    this.endPreview();
    const before = this.answer, began = performance.now();
    try {
      const reply = await work();
      this.takeAnswer(reply);
      this.clickMs = performance.now() - began;
      this.mark(this.changedSince(before));
      document.body.dataset.moved = reply.moved;
      this.say(tell(reply) + this.confidences(before));
      this.takeState(await askJson('state'));
      await this.explain();
    } catch (error) {
      this.say(error.message);
    }
  }

  confidences(before) {
    const u = this.chosen[0], sureOf = ({sure}) => percent(sure.reduce((sum, s) => sum + s, 0) / 255 / sure.length);
    const was = this.chosen.length === 1 ? `; it was ${this.state.classes[before.classes[u]]}, ${percent(before.sure[u] / 255)} sure` : '';
    return `${was}; confidence of all nodes ${sureOf(before)} → ${sureOf(this.answer)}`;
  }

  moved(count) { return count === 1 ? '1 other node changed its class' : `${count} other nodes changed their class`; }

  async label(c) {
    if (!this.chosen.length) return this.say('choose a node first: click one, or press N');
    if (c !== null && c >= this.state.classes.length) return;
    const nodes = this.chosen;
    await this.change(() => askBytes('label', c === null ? {unset: nodes} : {set: nodes.map((u) => [u, c])}),
      (reply) => `${c === null ? 'label removed' : this.state.classes[c]}: ${this.moved(reply.moved)}`);
    if (this.suggested.some((u) => nodes.includes(u))) {
      this.suggested = this.suggested.filter((u) => !nodes.includes(u));
      for (const u of nodes) $('next').querySelector(`[data-node="${u}"]`)?.parentElement.remove();
      this.mark();
    }
    this.labelsSinceTraining += nodes.length;
    if ($('each').checked && this.labelsSinceTraining >= +$('eachCount').value && !this.state.training.running) await this.train();
  }

  undo() { return this.change(() => askBytes('undo', {}), (reply) => `undone: ${this.moved(reply.moved)}`); }
  redo() { return this.change(() => askBytes('redo', {}), (reply) => `done again: ${this.moved(reply.moved)}`); }

  preview(c) {
    clearTimeout(this.previewTimer);
    if (!this.chosen.length || !this.state.takes_labels) return;
    this.previewTimer = setTimeout(async () => {
      const wanted = this.previewing = Symbol();
      const would = await askBytes('label', {set: this.chosen.map((u) => [u, c]), preview: true});
      if (this.previewing !== wanted) return;
      const flips = [];
      for (let u = 0; u < this.view.n; ++u) if (would.classes[u] !== this.answer.classes[u]) flips.push(u);
      this.view.setAnswer(would);
      this.mark(flips);
      document.body.dataset.preview = would.moved;
      this.say(`${this.state.classes[c]} would change ${would.moved} other ${would.moved === 1 ? 'node' : 'nodes'}`);
    }, PREVIEW_DELAY);
  }

  endPreview() {
    clearTimeout(this.previewTimer);
    if (!this.previewing) return;
    this.previewing = null;
    delete document.body.dataset.preview;
    this.view.setAnswer(this.answer);
    this.mark([]);
  }

  async reach() {
    if (this.chosen.length !== 1) return;
    if (this.view.heat) return this.view.setHeat(null);
    const reach = await askBytes(`reach?node=${this.chosen[0]}`);
    this.view.setHeat(reach.strength);
    const other = reach.flips === 1 ? '1 other node' : `${reach.flips} other nodes`;
    this.say(reach.held ? `the class of ${other} hangs on this label` : `a label ${this.state.classes[reach.class]} would change ${other}`);
  }

  async disagree() {
    if (!this.state.has_front) return this.say('this model has no say of the features alone');
    const {nodes} = await askJson('disagree');
    this.mark(nodes);
    this.say(`features alone say another class of ${nodes.length} nodes`);
  }

  async suggest() {
    const began = performance.now(), {suggestions} = await askJson('suggest?count=5');
    this.suggestMs = performance.now() - began;
    this.suggested = suggestions.map((s) => s.number);
    this.suggestedFor = this.answer.version;
    showNext($('next'), suggestions, (u) => this.answer.status[u] !== 3, (u) => this.choose(u, true));
    this.mark();
  }

  async next() {
    if (!this.suggested.length || this.suggestedFor !== this.answer.version) await this.suggest();  // a label has changed what is worth one
    if (!this.suggested.length) return this.say('there is no node worth a label');
    const u = this.suggested[(this.suggested.indexOf(this.chosen[0]) + 1) % this.suggested.length];
    await this.choose(u, true);
  }

  // `rename`: a class that gets another name; without, it is a new one.
  askForClass(rename) {
    $('className').value = rename === undefined ? '' : this.state.classes[rename];
    $('classHead').textContent = rename === undefined ? 'Another class' : `Another name for ${this.state.classes[rename]}`;
    this.renamed = rename;
    $('classDialog').showModal();
  }

  async nameClass() {
    const name = $('className').value.trim();
    if (!name || $('classDialog').returnValue === 'no' || name === this.state.classes[this.renamed]) return;
    try {
      await askJson('class', {name, rename: this.renamed});
      this.takeState(await askJson('state'));
      this.takeAnswer(await askBytes('answer'));
    } catch (error) {
      this.say(error.message);
    }
  }

  async loadFilm() {
    if (!this.film) this.film = await askBytes('film');
    return this.film;
  }

  async scrub() {
    const at = +$('slider').value, film = await this.loadFilm();
    showCurve($('curve'), film, at);
    $('back').hidden = false;
    this.view.setAnswer(at === 40 && !film.ofLabelsAlone ? this.answer : film.states[at]);
    $('moment').textContent = `t = ${film.times[at].toPrecision(3)}: ${percent(film.scores[at])} ${film.judged ? 'right' : 'as at the end'}${film.ofLabelsAlone ? ', labels alone' : ''}`;
    document.body.dataset.moment = at;
  }

  async play() {
    if (this.playing) {
      this.playing = false;
      return;
    }
    this.playing = true;
    $('play').textContent = '❚❚';
    for (let at = 0; at <= 40 && this.playing; ++at) {
      $('slider').value = at;
      await this.scrub();
      await new Promise((done) => setTimeout(done, 90));
    }
    this.playing = false;
    $('play').textContent = '▶';
  }

  async train() {
    try {
      const running = this.state.training.running;
      await askJson('train', running ? {stop: true} : {});
      this.labelsSinceTraining = 0;
      this.takeState(await askJson('state'));
    } catch (error) {
      this.say(error.message);
    }
  }

  async save() {
    try {
      const {file} = await askJson('save', {});
      this.say(`saved to ${file}`);
      this.takeState(await askJson('state'));
    } catch (error) {
      this.say(error.message);
    }
  }

  async download(blob, name) {
    const link = make('a', {href: URL.createObjectURL(blob), download: name});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    this.say(`${name} is in your downloads`);
  }

  async exported(what) {
    const endings = {labels: '-labels.csv', predictions: '-predictions.csv', model: '.hf', film: '-film.html'};
    try {
      await this.download(await askBlob(`export?what=${what}`), this.stem() + endings[what]);
    } catch (error) {
      this.say(error.message);
    }
  }

  stem() { return (this.state.dataset || 'heatfront').replace(/[^\w-]/g, '') || 'heatfront'; }

  theme(name) {
    document.documentElement.dataset.theme = name;
    $('theme').textContent = name === 'dark' ? 'Light' : 'Dark';
    this.view.draw();
  }

  say(text) { $('log').textContent = text; clearTimeout(this.saying); this.saying = setTimeout(() => { $('log').textContent = ''; }, 8000); }

  find(text) {
    const list = [];
    const wanted = text.toLowerCase();
    for (let u = 0; wanted && u < this.view.n && list.length < 20; ++u) if (this.nameOf(u).toLowerCase().includes(wanted)) list.push(u);
    return list;
  }

  hover(u, view) {
    $('tip').hidden = u < 0;
    if (u < 0) return;
    const [x, y] = view.toScreen(u), {classes, sure, status} = this.answer, {offsetLeft, clientWidth} = view.canvas;
    const what = status[u] === 3 ? 'no label reaches it yet'
      : `${this.state.classes[classes[u]]}, ${STATUS[status[u]]}${status[u] === 0 ? '' : `, ${percent(sure[u] / 255)} sure`}`;
    $('tip').textContent = `${this.nameOf(u)}: ${what}${this.beside.words(u)}`;
    $('tip').style.left = `${offsetLeft + Math.min(x + 12, clientWidth - 180)}px`;
    $('tip').style.top = `${y + 12}px`;
  }

  listen() {
    const view = this.view;
    view.addEventListener('pick', ({detail}) => (detail < 0 ? this.clear() : this.choose(detail)));
    view.addEventListener('lasso', ({detail}) => this.chooseMany(detail));
    view.addEventListener('hover', ({detail}) => this.hover(detail, view));
    view.addEventListener('drawn', () => {
      $('shown').textContent = view.edgeShare < 0.995 ? `${percent(view.edgeShare)} of the edges are drawn; zoom in for more` : '';
    });
    $('search').addEventListener('submit', (event) => {
      event.preventDefault();
      const text = $('find').value.trim(), exact = this.numberOf(text);
      const u = exact >= 0 ? exact : this.find(text)[0] ?? -1;
      if (u < 0) return this.say(`there is no node ${text}`);
      this.choose(u, true);
      $('canvas').focus();
    });
    $('find').addEventListener('input', () => $('found').replaceChildren(...this.find($('find').value.trim()).map((u) => make('option', {value: this.nameOf(u)}))));
    for (const [id, act] of Object.entries({
      undo: () => this.undo(), redo: () => this.redo(), suggest: () => this.suggest(), train: () => this.train(), save: () => this.save(),
      fit: () => view.fit(), tableButton: () => this.table.open(), helpButton: () => $('help').showModal(), play: () => this.play(),
      back: () => this.takeAnswer(this.answer),
      png: async () => this.download(await view.toBlob(), `${this.stem()}.png`),
      svg: () => this.download(new Blob([view.toSvg()], {type: 'image/svg+xml'}), `${this.stem()}.svg`),
      theme: () => {
        const name = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
        kept.set('theme', name);
        this.theme(name);
      },
      lasso: () => {
        view.lassoMode = !view.lassoMode;
        $('lasso').setAttribute('aria-pressed', view.lassoMode);
      },
    })) $(id).addEventListener('click', act);
    for (const button of document.querySelectorAll('[data-export]')) button.addEventListener('click', () => this.exported(button.dataset.export));
    $('slider').addEventListener('input', () => this.scrub());
    $('classDialog').addEventListener('close', () => this.nameClass());
    $('welcome').addEventListener('close', () => kept.set('seen', 'yes'));
    document.addEventListener('keydown', (event) => this.key(event));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    const typing = event.target.matches('input[type=search], input[type=number]');
    if (event.key === 'Escape') { this.clear(); $('canvas').focus(); return; }
    if (typing) return;
    const arrows = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    const keys = {
      z: () => this.undo(), Z: () => this.redo(), n: () => this.next(), '?': () => $('help').showModal(), t: () => this.table.open(), b: () => this.beside.toggle(),
      f: () => this.view.fit(), r: () => this.reach(), d: () => this.disagree(), '+': () => this.view.zoom(1.4), '-': () => this.view.zoom(1 / 1.4),
      '/': () => $('find').focus(), Delete: () => this.label(null), Backspace: () => this.label(null),
    };
    if (event.target.matches('input[type=range]') && event.key.startsWith('Arrow')) return;
    let act = keys[event.key];
    if (/^[1-9]$/.test(event.key)) act = () => this.label(+event.key - 1);
    if (event.key === ' ' && !event.target.matches('button, input')) act = () => this.play();
    if (arrows[event.key] && this.chosen.length === 1) act = () => {
      const v = this.view.neighbourTowards(this.chosen[0], ...arrows[event.key]);
      if (v < 0) this.say('no edge leads there'); else this.choose(v, true);
    };
    if (!act) return;
    event.preventDefault();
    act();
  }
}

const app = globalThis.heatfront = new App();  // for scripts and tests
app.start().catch((error) => {
  app.say(error.message);
  $('why').replaceChildren(make('p', {}, error.message));
  document.body.dataset.failed = error.message;
});
