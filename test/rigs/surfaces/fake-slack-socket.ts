// The server's side of Slack's Socket Mode: hands out one address, greets, sends envelopes, and collects what is acknowledged.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

interface FakeSocket {
  apiUrl: string;
  acknowledged: { envelope_id: string; payload?: unknown }[];
  isConnected(): boolean;
  send(envelope: object): void;
  close(): Promise<void>;
}

/** RFC 6455: a text frame of a server, which is not masked. */
function frameOf(text: string): Buffer {
  const body = Buffer.from(text);
  const head = body.length < 126 ? [0x81, body.length] : [0x81, 126, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from(head), body]);
}

/** The texts of a client's frames, which are masked and here shorter than 64 KiB. */
function textsOf(bytes: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at + 2 <= bytes.length;) {
    const opcode = (bytes[at] ?? 0) & 0x0f;
    const short = (bytes[at + 1] ?? 0) & 0x7f;
    const [size, maskAt] = short === 126 ? [bytes.readUInt16BE(at + 2), at + 4] : [short, at + 2];
    const mask = bytes.subarray(maskAt, maskAt + 4);
    const body = bytes.subarray(maskAt + 4, maskAt + 4 + size).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
    if (opcode === 1) texts.push(Buffer.from(body).toString());
    at = maskAt + 4 + size;
  }
  return texts;
}

export async function startFakeSocket(appToken: string): Promise<FakeSocket> {
  const acknowledged: FakeSocket['acknowledged'] = [];
  let socket: Socket | null = null;
  let address = '';
  const server = createServer((request, response) => {
    const isAllowed =
      request.headers.authorization === `Bearer ${appToken}` && request.url?.endsWith('apps.connections.open');
    const body = isAllowed ? { ok: true, url: address.replace('http', 'ws') } : { ok: false, error: 'invalid_auth' };
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)));
  });
  server.on('upgrade', (request, raw) => {
    socket = raw as Socket;
    const accept = createHash('sha1').update(
      `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`,
    );
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept.digest('base64')}\r\n\r\n`,
    );
    socket.on('data', (bytes: Buffer) => {
      for (const text of textsOf(bytes)) acknowledged.push(JSON.parse(text) as FakeSocket['acknowledged'][number]);
    });
    socket.on('error', () => undefined);
    socket.write(frameOf(JSON.stringify({ type: 'hello', num_connections: 1 })));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    apiUrl: `${address}api/`,
    acknowledged,
    isConnected: () => socket !== null,
    send: (envelope) => void socket?.write(frameOf(JSON.stringify(envelope))),
    close: () =>
      new Promise((resolve) => {
        socket?.destroy();
        server.close(() => resolve());
      }),
  };
}
