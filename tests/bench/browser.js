// What a player waits for and sees jump, taken in the page itself.
(() => {
  const taps = [];
  const departures = [];
  let down = null;
  let isIdle = true;
  addEventListener("pointerdown", (event) => {
    down = event.timeStamp;
    isIdle = true;
  }, { capture: true });

  /** After the next frame has been drawn. */
  const drawn = (then) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = then;
    port2.postMessage(null);
  });

  /** From the finger that goes down to the frame that shows its card set out, and to the one that shows the table as the server has answered. */
  const watchTaps = () => {
    const table = document.getElementById("table");
    new MutationObserver(() => {
      const since = down;
      if (isIdle && since !== null) drawn(() => departures.push(performance.now() - since));
      isIdle = false;
    }).observe(document.getElementById("air"), { childList: true });
    new MutationObserver(() => {
      const since = down;
      if (since !== null) drawn(() => taps.push(performance.now() - since));
      down = null;
    }).observe(table, { attributes: true, attributeFilter: ["data-version"] });
  };

  const jumps = { all: 0, beside: 0 };
  /** Layout shifts without input, as browsers count them; and all of anything but cards, which are meant to move. */
  const watchJumps = () => {
    const note = ({ value, hadRecentInput, sources }) => {
      if (!hadRecentInput) jumps.all += value;
      const elements = sources.map(({ node }) => (node?.nodeType === Node.TEXT_NODE ? node.parentElement : node));
      if (elements.some((each) => each?.isConnected && !each.closest(".pile > li, .stat"))) jumps.beside += value;
    };
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type: "layout-shift", buffered: true });
  };

  let frames = [];
  let isWatching = false;
  const frame = (time) => {
    frames.push(time);
    if (isWatching) requestAnimationFrame(frame);
  };
  const watchFrames = () => {
    frames = [];
    isWatching = true;
    requestAnimationFrame(frame);
  };
  /** How long each frame took since `watchFrames`, in ms. */
  const framesSeen = () => {
    isWatching = false;
    return frames.slice(1).map((time, at) => time - frames[at]);
  };

  window.bench = { taps, departures, jumps, watchTaps, watchJumps, watchFrames, framesSeen };
})();
