/** Named gates: a turn waits at a closed one, so that a test can act at a known point. Closed again after a restart. */
export function createGates() {
  /** @type {Map<string, { isOpen: boolean, waiting: (() => void)[] }>} */
  const gates = new Map();
  const named = (name) => {
    const gate = gates.get(name) ?? { isOpen: false, waiting: [] };
    gates.set(name, gate);
    return gate;
  };
  return {
    async pass(name) {
      const gate = named(name);
      if (!gate.isOpen) await new Promise((resolve) => gate.waiting.push(() => resolve(undefined)));
    },
    open(name) {
      const gate = named(name);
      gate.isOpen = true;
      for (const go of gate.waiting.splice(0)) go();
    },
    waiting: () => [...gates].filter(([, gate]) => gate.waiting.length > 0).map(([name]) => name),
  };
}
