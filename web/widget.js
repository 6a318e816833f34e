// SPDX-License-Identifier: MIT
// The page as a notebook's widget (anywidget): a frame of its own, so that neither its keys nor its colours meet those of the notebook.
// Questions of the page go on to Python as messages, and answers come back with the same number.

function render({model, el}) {
  const frame = document.createElement('iframe');
  frame.title = 'heatfront explorer';
  frame.style.cssText = `width: 100%; height: ${model.get('height')}px; border: 1px solid #8886; border-radius: 6px;`;
  frame.srcdoc = model.get('page');
  const ask = ({source, data}) => {
    if (source === frame.contentWindow && data?.heatfront) model.send(data.heatfront);
  };
  const tell = (reply, [bytes]) => {
    const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    frame.contentWindow?.postMessage({heatfront: {...reply, bytes: copy}}, '*');
  };
  addEventListener('message', ask);
  model.on('msg:custom', tell);
  el.append(frame);
  return () => {
    removeEventListener('message', ask);
    model.off('msg:custom', tell);
  };
}

export default {render};
