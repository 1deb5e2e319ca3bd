"use strict";

/* The worker: it asks in slices of some milliseconds, says between two of them how far it is, and
 * ends when it is told to. */

const SLICE = 40;

let asking = null;

onmessage = ({ data }) => {
  if (data.stop) asking.stopped = "somebody has stopped it";
  else ask(data).catch((error) => postMessage({ failed: String(error) }));
};

/** Let messages come in; a timer would be four milliseconds late each time. */
function pause() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resume) => {
    port1.onmessage = () => resume(port1.close());
    port2.postMessage(null);
  });
}

async function ask({ tables, modules, sizes, most, reading }) {
  asking = new Asking(tables, modules, sizes, most, reading);
  const run = asking.run((answer) => postMessage({ answer }));
  for (let done = false; !done;) {
    const until = performance.now() + SLICE;
    while (!done && performance.now() < until) done = run.next().done;
    postMessage({ known: asking.known });
    await pause();
  }
  postMessage({ done: true });
}
