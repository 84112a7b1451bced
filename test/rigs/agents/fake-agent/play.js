// Performs the steps of a turn. All it knows is the task's stored history, so a turn cut by kill -9 is played again.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Part, Role } from '@a2a-js/sdk';
import { TurnStopped } from '../../../../examples/agents/turn.js';
import { formOf } from './forms.js';
import { currentTap } from './ledger.js';
import { stepsOf } from './script.js';

const settled = /_(COMPLETED|FAILED|REJECTED|CANCELED|INPUT_REQUIRED|AUTH_REQUIRED)$/;

/** @returns {import('../../../../examples/agents/serve-agent.js').Play} */
export function createPlay({ gates, tasksDir }) {
  return async (turn, ctx) => {
    const asked = ctx.task?.history.filter((message) => message.role === Role.ROLE_USER) ?? [];
    const steps = stepsOf(asked[0] ?? ctx.userMessage, Math.max(0, asked.length - 1));
    const reply = steps.find((step) => step.do === 'message');
    if (reply && !ctx.task) return turn.reply(reply.text ?? 'Hello.');

    let isSettled = false;
    const world = {
      turn,
      ctx,
      gates,
      tasksDir,
      tap: currentTap.getStore(),
      turnNumber: Math.max(1, asked.length),
      status(state, parts, extra) {
        isSettled = settled.test(state);
        turn.status(state, parts, extra);
      },
    };
    turn.open();
    turn.status('TASK_STATE_WORKING');
    for (const step of steps) {
      if (step.do === 'leave') return;
      await doStep[step.do](step, world);
    }
    if (!isSettled) turn.status('TASK_STATE_COMPLETED');
  };
}

const textPart = (text) => (text ? [{ text }] : undefined);
const ends = (state) => (step, world) => world.status(state, textPart(step.text));
const breaks = (step, { tap, turn }) => tap?.arm({ do: step.do, after: turn.published() });
const askForms = (world, step, count) => {
  const ids = Array.from({ length: count }, (_, index) => `form-${world.turnNumber}-${index + 1}`);
  const forms = ids.map((id) => ({ data: formOf(step, id) }));
  world.status('TASK_STATE_INPUT_REQUIRED', [{ text: step.message ?? 'I need an answer.' }, ...forms]);
};

/** @type {Record<string, (step: any, world: any) => unknown>} */
const doStep = {
  /** Tokens `t1 t2 …`: a lost or doubled one shows. */
  stream(step, { turn }) {
    const pieces = Array.from({ length: step.tokens ?? 20 }, (_, index) => `t${index + 1} `);
    return turn.streamText(step.artifactId ?? 'reply', pieces, { delayMs: step.delayMs ?? 5 });
  },
  say: (step, { turn }) => turn.artifact({ artifactId: step.artifactId ?? 'said', parts: [{ text: step.text }] }),
  status: (step, world) => world.status('TASK_STATE_WORKING', textPart(step.text)),
  data: (step, { turn }) =>
    turn.artifact({
      artifactId: step.artifactId ?? 'result',
      name: 'result',
      parts: [{ data: step.data ?? { ok: true, items: [1, 2, 3] } }],
    }),
  big(step, { turn }) {
    const text = 'x'.repeat(Math.round((step.mib ?? 3) * 1024 * 1024));
    turn.artifact({ artifactId: 'big', name: 'big', parts: [step.as === 'data' ? { data: { text } } : { text }] });
  },
  artifact: (step, { turn }) => turn.artifact(step.artifact, step),
  form: (step, world) => askForms(world, step, 1),
  'odd-form': (step, world) => askForms(world, step, 1),
  'twin-form': (step, world) => askForms(world, step, 1),
  forms: (step, world) => askForms(world, step, step.count ?? 2),
  ask: (step, world) => world.status('TASK_STATE_INPUT_REQUIRED', [{ text: step.text ?? 'What is the purpose?' }]),
  auth: (step, world) => world.status('TASK_STATE_AUTH_REQUIRED', [{ text: step.text ?? 'Please sign in elsewhere.' }]),
  /** Any pause, in the parts and fields given; without parts a pause that says nothing. */
  pause: (step, world) => world.status(step.state ?? 'TASK_STATE_INPUT_REQUIRED', step.parts, step.message),
  state: (step, world) => world.status(step.state ?? 'TASK_STATE_DREAMING', textPart(step.text)),
  wait: (step, { turn }) => turn.pause(step.ms ?? 100),
  async gate(step, { turn, ctx, gates, tasksDir }) {
    // A turn at its gate can be killed and is played again, so its task is on disk first.
    while (!existsSync(join(tasksDir, `${ctx.taskId}.json`))) await turn.pause(5);
    const stop = new Promise((resolve) => turn.signal.addEventListener('abort', resolve, { once: true }));
    await Promise.race([gates.pass(step.name ?? 'gate'), stop]);
    if (turn.signal.aborted) throw new TurnStopped();
  },
  cut: breaks,
  end: breaks,
  half: breaks,
  mute: breaks,
  echo: (_step, { turn, ctx }) =>
    turn.artifact({
      artifactId: 'echo',
      parts: [{ text: JSON.stringify(ctx.userMessage.parts.map((part) => Part.toJSON(part))) }],
    }),
  complete: ends('TASK_STATE_COMPLETED'),
  fail: ends('TASK_STATE_FAILED'),
  reject: ends('TASK_STATE_REJECTED'),
  cancel: ends('TASK_STATE_CANCELED'),
};
