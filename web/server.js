// SPDX-License-Identifier: MIT
// Questions to the program, and what its bytes mean (src/heatfront_explore/wire.h).

// In a notebook the page is a frame without an address of its own, and whatever holds the frame passes questions on.
export const framed = location.protocol === 'about:';

// What a browser keeps for this page, where it keeps anything.
export const kept = {
  get(key) { try { return localStorage.getItem(`heatfront-${key}`); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(`heatfront-${key}`, value); } catch { /* it does not */ } },
};

function tokenOfAddress() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? sessionStorage.getItem('heatfront-token') ?? '';
  sessionStorage.setItem('heatfront-token', token);
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);  // not into bookmarks and screenshots
  return token;
}

function byFetch() {
  const headers = {'X-Heatfront-Token': tokenOfAddress()};
  return async (path, body) => {
    const reply = await fetch(`/api/${path}`, {method: body === undefined ? 'GET' : 'POST', headers, body});
    return {status: reply.status, bytes: await reply.arrayBuffer()};
  };
}

function byMessages() {
  const waiting = new Map();
  addEventListener('message', ({source, data}) => {
    const done = source === parent && waiting.get(data?.heatfront?.id);
    if (!done) return;
    waiting.delete(data.heatfront.id);
    done(data.heatfront);
  });
  return (path, body) => new Promise((done) => {
    const id = `${Math.random()}`;
    waiting.set(id, done);
    parent.postMessage({heatfront: {id, path, body}}, '*');
  });
}

const send = framed ? byMessages() : byFetch();
const textOf = (bytes) => new TextDecoder().decode(bytes);

async function ask(path, body) {
  const {status, bytes} = await send(path, body === undefined ? undefined : JSON.stringify(body));
  if (status < 400) return {status, bytes};
  let message = textOf(bytes).trim();
  try { message = JSON.parse(message).error; } catch { /* it is plain text */ }
  throw new Error(message);
}

export const askJson = async (path, body) => JSON.parse(textOf((await ask(path, body)).bytes));
export const askBlob = async (path) => new Blob([(await ask(path)).bytes]);

export async function askBytes(path, body) {
  const {status, bytes} = await ask(path, body);
  return status === 204 ? null : decode(bytes);
}

function decisions(buffer, at, n) {
  return {
    next: at + 4 * n,
    classes: new Uint16Array(buffer, at, n),
    sure: new Uint8Array(buffer, at + 2 * n, n),
    status: new Uint8Array(buffer, at + 3 * n, n),
  };
}

export function decode(buffer, start = 0) {
  const mark = String.fromCharCode(...new Uint8Array(buffer, start, 4));
  const words = new Uint32Array(buffer.slice(start + 4, Math.min(buffer.byteLength, start + 20)));
  const n = words[0];
  if (mark === 'HFJ1') {
    const text = new TextDecoder().decode(new Uint8Array(buffer, start + 8, n));
    return {...JSON.parse(text), ...decode(buffer, (start + 8 + n + 3) & ~3)};
  }
  if (mark === 'HFG1') {
    const places = new Float32Array(buffer, start + 12, 2 * n);
    return {places, edges: new Uint32Array(buffer, start + 12 + 8 * n, 2 * words[1])};
  }
  if (mark === 'HFP1') return {version: words[1], places: new Float32Array(buffer, start + 12, 2 * n)};
  if (mark === 'HFA1') return {version: words[1], ...decisions(buffer, start + 12, n)};
  if (mark === 'HFR1') return {version: words[1], strength: new Uint8Array(buffer, start + 12, n)};
  if (mark === 'HFF1') {
    const count = words[1], states = [];
    let at = start + 20 + 8 * count;
    for (let i = 0; i < count; ++i) {
      states.push(decisions(buffer, at, n));
      at = states[i].next;
    }
    return {
      version: words[2],
      ofLabelsAlone: (words[3] & 1) !== 0,
      judged: (words[3] & 2) !== 0,
      times: new Float32Array(buffer, start + 20, count),
      scores: new Float32Array(buffer, start + 20 + 4 * count, count),
      states,
    };
  }
  throw new Error(`the program sent something that this page does not know (${mark})`);
}
