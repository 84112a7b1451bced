// Where notices end up in tests: a real SMTP server and a real HTTP server, which can be made to misbehave.
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface HttpSink {
  url: string;
  got: { headers: IncomingHttpHeaders; body: string }[];
  /** Answers of the next requests; 200 afterwards. */
  answers: { status: number; headers?: Record<string, string> }[];
  close(): Promise<void>;
}

export async function startHttpSink(): Promise<HttpSink> {
  const got: HttpSink['got'] = [];
  const answers: HttpSink['answers'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { status, headers } = answers.shift() ?? { status: 200 };
      if (status < 300) got.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
      response.writeHead(status, headers).end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    got,
    answers,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

export interface MailSink {
  server: string;
  got: { to: string[]; raw: string }[];
  /** Recipients that are refused for good. */
  refused: Set<string>;
  /** Recipients that are refused for now, and how often. */
  deferred: Map<string, number>;
  close(): Promise<void>;
}

export async function startMailSink(port = 0): Promise<MailSink> {
  const got: MailSink['got'] = [];
  const refused = new Set<string>();
  const deferred = new Map<string, number>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      if (refused.has(address)) return done(Object.assign(new Error('no such user'), { responseCode: 550 }));
      const times = deferred.get(address) ?? 0;
      if (times === 0) return done();
      deferred.set(address, times - 1);
      return done(Object.assign(new Error('try again later'), { responseCode: 451 }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        got.push({ to, raw: Buffer.concat(chunks).toString('utf8') });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.server.address() as AddressInfo;
  return {
    server: `smtp://127.0.0.1:${address.port}`,
    got,
    refused,
    deferred,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
