import type { FastifyInstance } from 'fastify';

interface InFlight {
  /** Resolves when all requests that came so far have their answers, at the latest after this time. */
  over(withinMs: number): Promise<void>;
}

/** Counts requests until their sockets are done with them, answered or not. */
export function countInFlight(app: FastifyInstance): InFlight {
  let count = 0;
  let onNone: () => void = () => undefined;
  app.addHook('onRequest', async (_request, reply) => {
    count += 1;
    reply.raw.once('close', () => {
      count -= 1;
      if (count === 0) onNone();
    });
  });
  return {
    async over(withinMs) {
      if (count === 0) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        onNone = resolve;
        timer = setTimeout(resolve, withinMs);
      });
      clearTimeout(timer);
    },
  };
}
