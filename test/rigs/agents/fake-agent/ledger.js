// What truly arrived: one JSON line a request, on disk with fsync before the request goes any further.

import { AsyncLocalStorage } from 'node:async_hooks';
import { fsyncSync, openSync, writeSync } from 'node:fs';
import express from 'express';
import { createTap } from './response-tap.js';

/** The tap of the response in whose request we are, for steps that break their own stream. */
export const currentTap = new AsyncLocalStorage();

export function createLedger(path) {
  const file = openSync(path, 'a');
  return {
    record(entry) {
      writeSync(file, `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`);
      fsyncSync(file);
    },
  };
}

/** Middleware ahead of the SDK: reads the body, records the request, then lets a fault act or passes it on. */
export function arrivals({ ledger, faults }) {
  const parse = express.json({ type: () => true, limit: '64mb', strict: false });
  const record = (req, res, next) => {
    const request = describe(req);
    const fault = faults.take(request);
    const isRefused = fault !== null && faults.refuses(fault);
    if (request.method !== 'card') ledger.record({ ...request, reached: !isRefused, fault: fault?.do ?? null });
    if (isRefused) {
      faults.refuse(fault, req, res);
      return;
    }
    const tap = createTap(res);
    if (fault) tap.arm(fault);
    currentTap.run(tap, next);
  };
  return [parse, record];
}

const legacyNames = {
  'message/send': 'SendMessage',
  'message/stream': 'SendStreamingMessage',
  'tasks/get': 'GetTask',
  'tasks/cancel': 'CancelTask',
  'tasks/resubscribe': 'SubscribeToTask',
};
/** @type {[string | null, RegExp, string][]} */
const restNames = [
  ['POST', /\/message:send$/, 'SendMessage'],
  ['POST', /\/message:stream$/, 'SendStreamingMessage'],
  ['POST', /\/tasks\/([^/:]+):cancel$/, 'CancelTask'],
  [null, /\/tasks\/([^/:]+):subscribe$/, 'SubscribeToTask'],
  ['GET', /\/tasks\/([^/:]+)$/, 'GetTask'],
  ['GET', /\/tasks$/, 'ListTasks'],
];

function describe(req) {
  const { method, params } = name(req);
  const message = params?.message;
  return {
    method,
    messageId: message?.messageId ?? null,
    taskId: message?.taskId || params?.id || null,
    contextId: message?.contextId || params?.contextId || null,
    parts: message?.parts ?? null,
    metadata: message?.metadata ?? null,
    extensions: req.header('a2a-extensions') ?? req.header('x-a2a-extensions') ?? null,
    version: req.header('a2a-version') ?? null,
    traceparent: req.header('traceparent') ?? null,
  };
}

function name(req) {
  if (req.path.endsWith('agent-card.json')) return { method: 'card', params: null };
  if (!req.path.startsWith('/rest')) {
    const method = String(req.body?.method ?? 'unknown');
    return { method: legacyNames[method] ?? method, params: req.body?.params };
  }
  for (const [verb, path, method] of restNames) {
    const found = path.exec(req.path);
    if (found && (verb === null || verb === req.method)) {
      return { method, params: found[1] ? { id: found[1] } : (req.body ?? req.query) };
    }
  }
  return { method: 'unknown', params: null };
}
