// Watches one HTTP response of the SDK's server and breaks it on command: after n stream events, or before the headers.

/** @param {import('node:http').ServerResponse} res */
export function createTap(res) {
  const real = { write: res.write.bind(res), end: res.end.bind(res), flush: res.flushHeaders.bind(res) };
  /** @type {{ do: string, after: number } | null} */
  let plan = null;
  let events = 0;
  /** @type {(() => void)[] | null} calls kept while the headers are held back */
  let held = null;
  let isBroken = false;
  let unflushed = 0;

  const breaks = {
    /** The socket is destroyed: the client sees `terminated`. */
    cut: () => res.socket?.destroy(),
    /** A clean end, as if all were sent. */
    end: () => real.end(),
    /** A clean end in the middle of a line. */
    half: () => real.end('data: {"jsonrpc":"2.0","id":1,"resu'),
    /** Nothing more comes, and nothing ends. */
    mute: () => undefined,
  };
  /** From here on nothing more is let through; what was written before is sent first. */
  const breakIfDue = () => {
    if (!plan || isBroken || events < plan.after) return;
    isBroken = true;
    if (unflushed === 0) breaks[plan.do]();
  };
  const release = () => {
    const calls = held ?? [];
    held = null;
    for (const call of calls) call();
  };

  res.flushHeaders = () => {
    if (held) {
      held.push(() => res.flushHeaders());
      return;
    }
    if (plan?.after === 0) breakIfDue();
    if (!isBroken) real.flush();
  };
  res.write = (chunk) => {
    if (held) return held.push(() => res.write(chunk)) > 0;
    if (isBroken) return true;
    unflushed += 1;
    const goesOn = real.write(chunk, () => {
      unflushed -= 1;
      if (isBroken && unflushed === 0) breaks[plan.do]();
    });
    if (String(chunk).startsWith('data:')) events += 1;
    breakIfDue();
    return goesOn;
  };
  res.end = (...args) => {
    if (held) {
      held.push(() => res.end(...args));
      return res;
    }
    if (plan?.after === 0) breakIfDue();
    return isBroken ? res : real.end(...args);
  };

  return {
    /**
     * `cut`, `end`, `half`, `mute` act once `after` events were written; `drop-response` before the headers;
     * `delay-headers` keeps everything back for `ms` (for ever without it).
     */
    arm(fault) {
      if (fault.do === 'delay-headers') {
        held = [];
        if (typeof fault.ms === 'number') setTimeout(release, fault.ms);
        return;
      }
      plan = fault.do === 'drop-response' ? { do: 'cut', after: 0 } : { do: fault.do, after: fault.after ?? 1 };
      if (plan.after > 0) breakIfDue();
    },
  };
}
