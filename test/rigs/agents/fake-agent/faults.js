// Faults armed from outside, each for so many requests:
//   { do, on?, times?, skip?, match?, ... }
// on: 'send' (default), 'any', 'card', or a method name of A2A 1.0; match: a text that the request must contain.
//
// Instead of the agent (nothing reaches it):  status {status, retryAfter?, body?} · html · rpc-error {code, message?} ·
//   hang · destroy · body {body, contentType?}
// On the agent's answer (the message did reach it):  cut · end · half · mute {after} · drop-response · delay-headers {ms?}

const refusing = {
  status(fault, _req, res) {
    if (fault.retryAfter !== undefined) res.setHeader('retry-after', String(fault.retryAfter));
    res
      .status(fault.status)
      .type('text/plain')
      .send(fault.body ?? `status ${fault.status}`);
  },
  html(_fault, _req, res) {
    res.type('text/html').send('<!doctype html><title>Sign in</title><p>Please sign in.</p>');
  },
  'rpc-error'(fault, req, res) {
    const error = { code: fault.code, message: fault.message ?? 'armed error' };
    res.json({ jsonrpc: '2.0', id: req.body?.id ?? null, error });
  },
  hang: () => undefined,
  destroy(_fault, req) {
    req.socket.destroy();
  },
  body(fault, _req, res) {
    res.type(fault.contentType ?? 'application/json').send(fault.body);
  },
};
const breaking = ['cut', 'end', 'half', 'mute', 'drop-response', 'delay-headers'];

function fits(fault, request) {
  const isSend = request.method === 'SendMessage' || request.method === 'SendStreamingMessage';
  const isMeant =
    fault.on === 'send' ? isSend : fault.on === 'any' ? request.method !== 'card' : fault.on === request.method;
  return isMeant && (fault.match === undefined || JSON.stringify(request).includes(fault.match));
}

export function createFaults() {
  /** @type {any[]} */
  let armed = [];
  return {
    arm(list) {
      for (const fault of list) {
        if (!(fault.do in refusing) && !breaking.includes(fault.do)) throw new Error(`no such fault: ${fault.do}`);
        armed.push({ on: 'send', times: 1, skip: 0, ...fault });
      }
    },
    clear() {
      armed = [];
    },
    list: () => armed,
    /** The first armed fault that fits, counted down; null when there is none. */
    take(request) {
      for (const fault of armed) {
        if (!fits(fault, request)) continue;
        if (fault.skip > 0) {
          fault.skip -= 1;
          continue;
        }
        fault.times -= 1;
        if (fault.times <= 0) armed = armed.filter((other) => other !== fault);
        return fault;
      }
      return null;
    },
    refuses: (fault) => fault.do in refusing,
    refuse: (fault, req, res) => refusing[fault.do](fault, req, res),
  };
}
