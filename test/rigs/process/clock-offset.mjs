// Loaded before a process's own code (`node --import`): its clock is off by STANDFAST_TEST_CLOCK_OFFSET_MS.
const offsetMs = Number(process.env['STANDFAST_TEST_CLOCK_OFFSET_MS'] ?? 0);
const trueNow = Date.now;
const now = () => trueNow() + offsetMs;

globalThis.Date = new Proxy(Date, {
  construct: (target, args, own) => Reflect.construct(target, args.length === 0 ? [now()] : args, own),
  apply: (target) => new target(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
