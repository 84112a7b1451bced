// A mail as its reader's program reads it: its subject, its text, and its HTML part where it has one.
export interface MailParts {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string | null;
}

const headerOf = (head: string, name: string): string =>
  new RegExp(String.raw`^${name}: (.*(?:\r?\n\s.*)*)`, 'im').exec(head)?.[1] ?? '';

function split(raw: string): { head: string; body: string } {
  const [head = '', ...rest] = raw.split(/\r?\n\r?\n/);
  return { head, body: rest.join('\n\n') };
}

function decoded({ head, body }: { head: string; body: string }): string {
  const encoding = headerOf(head, 'content-transfer-encoding').toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

export function mailPartsOf(raw: string): MailParts {
  const whole = split(raw);
  const boundary = /boundary="?([^";\r\n]+)/i.exec(headerOf(whole.head, 'content-type'))?.[1];
  const parts = boundary === undefined ? [whole] : whole.body.split(`--${boundary}`).map((part) => split(part.trim()));
  const ofType = (type: string): string | null => {
    const part = parts.find(({ head }) => headerOf(head, 'content-type').toLowerCase().startsWith(type));
    return part === undefined ? null : decoded(part);
  };
  return {
    from: headerOf(whole.head, 'from'),
    to: headerOf(whole.head, 'to'),
    subject: headerOf(whole.head, 'subject'),
    text: ofType('text/plain') ?? decoded(whole),
    html: ofType('text/html'),
  };
}
