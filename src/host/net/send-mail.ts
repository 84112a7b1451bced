// One mail to one person. The server is the operator's word; outside this machine it has to speak TLS.
import { isIP } from 'node:net';
import { parseAddress } from './address-ranges.ts';
import { type Egress, PolicyError } from './egress.ts';
import { NoticeError, sendingFault } from './notice-error.ts';

export interface Mail {
  from: string;
  to: string;
  subject: string;
  text: string;
  /** Local part of the Message-ID: the same mail again is recognised by it. */
  id: string;
}

const sendForMs = 20_000;
/** Settings of the address that would make the connection a plain one, or another server's. */
const notForTheAddress = ['requireTLS', 'ignoreTLS', 'opportunisticTLS', 'host', 'port', 'secure', 'servername'];

export async function sendMail(server: string, mail: Mail, egress: Egress): Promise<void> {
  // Read with the first mail: it is large, and most installations send none.
  const { createTransport } = await import('nodemailer');
  let close = (): void => undefined;
  try {
    const transport = createTransport({
      ...(await connectionTo(server, egress)),
      connectionTimeout: sendForMs,
      greetingTimeout: sendForMs,
      socketTimeout: sendForMs,
      // Nothing of a message may name a file or an address to fetch.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    close = (): void => transport.close();
    const { id, ...rest } = mail;
    await transport.sendMail({
      ...rest,
      messageId: `<${id}@holdpoint>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } catch (error) {
    if (error instanceof PolicyError) throw new NoticeError(error.message, true);
    const { responseCode } = error as { responseCode?: number };
    const isFinal = responseCode !== undefined && responseCode >= 500;
    throw new NoticeError(responseCode === undefined ? sendingFault(error) : `SMTP ${responseCode}`, isFinal);
  } finally {
    close();
  }
}

/** The server by the address that egress has judged, since the mailer would resolve the name once more. */
async function connectionTo(
  server: string,
  egress: Egress,
): Promise<{ url: string; servername?: string; requireTLS: boolean }> {
  const url = new URL(server);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  egress.check(host);
  const address = isIP(host) === 0 ? await resolved(host, egress) : host;
  for (const name of notForTheAddress) url.searchParams.delete(name);
  url.hostname = isIP(address) === 6 ? `[${address}]` : address;
  return {
    url: url.href,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    requireTLS: url.protocol === 'smtp:' && parseAddress(address)?.range() !== 'loopback',
  };
}

function resolved(host: string, { lookup }: Egress): Promise<string> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, found) => {
      const addresses = typeof found === 'string' ? [] : found;
      // Not every machine has a way out over IPv6.
      const [first] = addresses.toSorted((a, b) => a.family - b.family);
      if (error !== null) reject(error);
      else if (first === undefined) reject(new Error('the name has no address'));
      else resolve(first.address);
    });
  });
}
