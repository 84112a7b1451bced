// What runs inside of the page under measure, as text: this side knows no document.

/** From the first moment of a page on: layout shifts, long tasks, frames, what a key took, and how often the list was drawn. */
export const probe = `(() => {
  const probe = (globalThis.probe = { shift: 0, tasks: [], frames: [], keys: [], draws: 0, keyAt: 0, readyAt: null });
  const afterPaint = (done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(performance.now());
    port2.postMessage(0);
  });
  new PerformanceObserver((list) => { for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) probe.shift += value; }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) probe.tasks.push(duration); }).observe({ type: 'longtask', buffered: true });
  let last = performance.now();
  const frame = (now) => { probe.frames.push(now - last); last = now; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  addEventListener('keydown', ({ timeStamp }) => {
    probe.keyAt = timeStamp;
    afterPaint((now) => probe.keys.push(now - timeStamp));
  }, true);
  /** Resolves with the milliseconds from the last key, or from the start of the page, to the paint of what is looked for. */
  probe.shown = (selector, words = '') => new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('no ' + selector + ' ' + words + ' within a minute at ' + location.pathname)), 60_000);
    const from = probe.keyAt;
    const look = () => [...document.querySelectorAll(selector)].some((one) => one.textContent.includes(words));
    const found = () => { watch.disconnect(); afterPaint((now) => resolve(now - from)); };
    const watch = new MutationObserver(() => { if (look()) found(); });
    watch.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    if (look()) found();
  });
  /** Resolves with the milliseconds from the last key to the last change of these, once they have been still for a second. */
  probe.settled = (selector) => new Promise((resolve) => {
    const from = probe.keyAt;
    let last = from;
    let timer = 0;
    const watch = new MutationObserver(() => {
      if (document.querySelector(selector) !== null) last = performance.now();
      again();
    });
    const again = () => {
      clearTimeout(timer);
      timer = setTimeout(() => { watch.disconnect(); resolve(last - from); }, 1000);
    };
    watch.observe(document.querySelector('.inbox-list'), { subtree: true, childList: true });
    again();
  });
  probe.countDraws = () => new MutationObserver(() => { probe.draws += 1; })
    .observe(document.querySelector('.rows'), { subtree: true, childList: true, characterData: true, attributes: true });
  probe.clear = () => { Object.assign(probe, { tasks: [], frames: [], keys: [], draws: 0, shift: 0 }); };
})();`;

/** The floor: the least a browser does for a list of links and the key that moves in it. */
export const plainPage = `<!doctype html><html lang="en"><title>floor</title><ul>${Array.from(
  { length: 50 },
  (_, n) => `<li><a class="row-link" href="#${n}">Pay invoice ${n}?</a></li>`,
).join('')}</ul><script>
  const links = [...document.querySelectorAll('a')];
  let at = 0;
  addEventListener('keydown', ({ key }) => {
    if (key !== 'j' && key !== 'k') return;
    at = Math.max(0, Math.min(links.length - 1, at + (key === 'j' ? 1 : -1)));
    links[at].focus();
  });
</script></html>`;
