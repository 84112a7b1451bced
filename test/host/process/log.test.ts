import { describe, expect, test } from '@jest/globals';
import { createLogger, type LoggerOptions } from '../../../src/host/process/log.ts';

function aLogger(options: Partial<LoggerOptions> = {}): { logger: ReturnType<typeof createLogger>; lines: string[] } {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  return { logger: createLogger({ level: 'debug', name: 'api', stream, ...options }), lines };
}

describe('a log line', () => {
  test('a log line is one JSON object with name, time and message', () => {
    const { logger, lines } = aLogger();
    logger.info({ taskId: 't-1' }, 'task opened');
    expect(JSON.parse(lines[0]!)).toMatchObject({
      name: 'api',
      taskId: 't-1',
      msg: 'task opened',
      time: expect.stringMatching(/Z$/),
    });
  });

  test.each([
    { authorization: 'hush' },
    { headers: { any: 'hush' } },
    { request: { body: { resume: [{ values: { iban: 'hush' } }] } } },
    { agent: { apiKey: 'hush' }, x_api_key: 'hush' },
    { payload: ['hush'], token: 'hush', key: 'hush' },
    { note: 'sent Authorization: Bearer hush-hush', url: 'postgres://me:hush@db/x' },
  ])('a log line never shows the value in %j', (fields) => {
    const { logger, lines } = aLogger();
    logger.warn(fields, 'something');
    expect(lines.join('')).toContain('something');
    expect(lines.join('')).not.toContain('hush');
  });

  test('a log line shows an error that is a text as that text', () => {
    const { logger, lines } = aLogger();
    logger.warn({ error: 'connection lost' }, 'trying on');
    expect(JSON.parse(lines[0]!)).toMatchObject({ error: 'connection lost', msg: 'trying on' });
  });

  test('a log line has no stack of what is only away, and that of every other error', () => {
    const { logger, lines } = aLogger();
    const away = new Error('the database cannot be reached', { cause: new Error('connect ECONNREFUSED') });
    away.name = 'StoreUnavailableError';
    logger.warn({ err: away }, 'trying on');
    logger.warn({ err: new TypeError('a mistake') }, 'trying on');
    const [outage, mistake] = lines.map((line) => (JSON.parse(line) as { err: object }).err);
    expect(outage).toMatchObject({ message: 'the database cannot be reached: connect ECONNREFUSED' });
    expect(outage).not.toHaveProperty('stack');
    expect(mistake).toHaveProperty('stack', expect.stringContaining('log.test'));
  });

  test('a log line never shows secrets of child loggers, messages and errors', () => {
    const { logger, lines } = aLogger();
    logger.child({ token: 'hush' }).info('to postgres://me:hush@db/x');
    const error = Object.assign(new Error('refused: Bearer hush-hush'), { headers: { a: 'hush' } });
    logger.error({ err: error }, 'call failed');
    logger.error(error);
    expect(lines).toHaveLength(3);
    expect(lines.join('')).toContain('refused');
    expect(lines.join('')).not.toContain('hush');
  });

  test('a log line below the level is not written', () => {
    const { logger, lines } = aLogger({ level: 'warn' });
    logger.info('no');
    expect(lines).toEqual([]);
  });

  // Promise Q58
  test('a log line for people holds nothing that a terminal takes for an order, whatever an agent sent', () => {
    const { logger, lines } = aLogger({ isPretty: true });
    logger.warn({ why: 'no\u001b[2Jway\u009b1m' }, 'agent said\r\n\u001b]0;title\u0007');
    expect(lines.join('').trimEnd()).not.toMatch(/\p{Cc}/u);
    expect(lines).toHaveLength(1);
  });

  test('a log line is one line of words when people read it', () => {
    const { logger, lines } = aLogger({ isPretty: true });
    logger.warn({ agent: 'expenses', err: new Error('two\nlines') }, 'agent does not answer');
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d warn api agent does not answer agent=expenses err=two lines\n$/);
  });
});
