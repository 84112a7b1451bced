// A gateway before a real agent that spoils answers to messages: before the agent has them, or after it has.
import { text } from 'node:stream/consumers';
import { listen } from './a2a-agents.ts';

export interface GatewayFault {
  /** Whether the agent gets the message all the same. */
  passes: boolean;
  /** A JSON-RPC error of this code, an HTTP status without a body of A2A, an error inside a stream, or no answer. */
  code?: number;
  words?: string;
  status?: number;
  inStream?: boolean;
  /** HTTP 307 to this address. */
  redirect?: string;
  cut?: boolean;
  empty?: boolean;
}

export interface Gateway {
  url: string;
  /** Methods of the messages that came, in order. */
  sends(): string[];
  /** For the next message alone. */
  arm(fault: GatewayFault): void;
  /** Answers these methods as if there were none. */
  hide(...methods: string[]): void;
  changeCard(change: (card: GatewayCard) => void): void;
  /** Does not have the card the next time that it is asked for it. */
  loseCard(): void;
}

interface GatewayCard {
  capabilities: { streaming: boolean };
  supportedInterfaces: { url: string }[];
}

export async function startGateway(agentUrl: string): Promise<Gateway> {
  const sends: string[] = [];
  let armed: GatewayFault | null = null;
  let hidden: string[] = [];
  let change: (card: GatewayCard) => void = () => undefined;
  let isCardLost = false;
  const url = await listen((own) => (request, response) => {
    void (async () => {
      const target = new URL(request.url ?? '/', agentUrl);
      if (request.method === 'GET' && isCardLost) {
        isCardLost = false;
        response.writeHead(500).end('no card');
        return;
      }
      if (request.method === 'GET') {
        const card = JSON.parse((await (await fetch(target)).text()).replaceAll(agentUrl.slice(0, -1), own));
        change(card);
        response.setHeader('content-type', 'application/json').end(JSON.stringify(card));
        return;
      }
      const body = await text(request);
      const { id, method } = JSON.parse(body);
      const isSend = /^(SendMessage|SendStreamingMessage)$/.test(method);
      const fault = isSend ? armed : null;
      if (isSend) {
        armed = null;
        sends.push(method);
      }
      const refuse = (code: number, message: string): string =>
        JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
      if (hidden.includes(method)) {
        response.setHeader('content-type', 'application/json').end(refuse(-32601, 'Method not found'));
        return;
      }
      const headers = { 'content-type': 'application/json', 'a2a-version': String(request.headers['a2a-version']) };
      const real = fault?.passes === false ? null : await fetch(target, { method: 'POST', headers, body });
      if (fault === null) {
        response.writeHead(real?.status ?? 500, { 'content-type': real?.headers.get('content-type') ?? '' });
        for await (const chunk of real?.body ?? []) response.write(chunk);
        response.end();
        return;
      }
      // The agent's whole reply to it has arrived.
      await real?.text();
      if (fault.cut === true) response.socket?.destroy();
      else if (fault.redirect !== undefined) response.writeHead(307, { location: fault.redirect }).end();
      else if (fault.empty === true) response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
      else if (fault.status !== undefined) response.writeHead(fault.status).end('no');
      else {
        const error = refuse(fault.code ?? -32603, fault.words ?? 'no');
        const type = fault.inStream === true ? 'text/event-stream' : 'application/json';
        response.writeHead(200, { 'content-type': type }).end(fault.inStream === true ? `data: ${error}\n\n` : error);
      }
    })().catch(() => response.destroy());
  });
  return {
    url,
    sends: () => sends,
    arm: (fault) => (armed = fault),
    hide: (...methods) => (hidden = methods),
    changeCard: (next) => (change = next),
    loseCard: () => (isCardLost = true),
  };
}
