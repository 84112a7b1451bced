import { afterEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { createEgress } from '../../../src/host/net/egress.ts';
import { openEgress } from '../../rigs/open-egress.ts';
import { sendSlack, sendTeams, sendWebhook, NoticeError, sendMail } from '../../../src/host/net/notice-channels.ts';
import { startHttpSink, startMailSink } from '../../rigs/sinks.ts';

const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closes.splice(0).map((close) => close()));
});
const kept = async <T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
  const sink = await starting;
  closes.push(() => sink.close());
  return sink;
};
const never = { egress: openEgress, signal: new AbortController().signal };

async function failureOf(sending: Promise<void>): Promise<NoticeError> {
  const error: unknown = await sending.then(
    () => null,
    (why: unknown) => why,
  );
  if (!(error instanceof NoticeError)) throw new Error('the sink took it');
  return error;
}

describe('a Slack webhook', () => {
  // Promise Q20
  test('a Slack webhook gets text in which an agent’s words are no mention and no link', async () => {
    const sink = await kept(startHttpSink());
    await sendSlack(sink.url, 'Pay <!channel> <https://evil.example|here> & now', never);
    expect(JSON.parse(sink.got[0]?.body ?? '')).toMatchObject({
      text: 'Pay &lt;!channel&gt; &lt;https://evil.example|here&gt; &amp; now',
      unfurl_links: false,
    });
  });

  test('a Slack webhook is tried again after the time it names when it has had too much', async () => {
    const sink = await kept(startHttpSink());
    sink.answers.push({ status: 429, headers: { 'retry-after': '7' } });
    const failure = await failureOf(sendSlack(sink.url, 'hello', never));
    expect(failure).toMatchObject({ isFinal: false, retryAfterMs: 7000 });
  });

  test('a Slack webhook that is gone is not tried again', async () => {
    const sink = await kept(startHttpSink());
    sink.answers.push({ status: 410 });
    expect((await failureOf(sendSlack(sink.url, 'hello', never))).isFinal).toBe(true);
  });

  test('a Slack webhook that cannot be reached is tried again, and its address is not shown', async () => {
    const sink = await startHttpSink();
    await sink.close();
    const failure = await failureOf(sendSlack(`${sink.url}/secret-part`, 'hello', never));
    expect(failure.isFinal).toBe(false);
    expect(failure.message).not.toContain('secret-part');
  });
});

describe('a workflow of Microsoft Teams', () => {
  test('a workflow of Microsoft Teams gets an Adaptive Card whose words are no markup and whose one link is Standfast’s', async () => {
    const sink = await kept(startHttpSink());
    const link = 'https://hold.example/holds/h-1';
    const text = `“**Pay** [now](evil)” needs an answer.\n\nAgent: expenses\n\n${link}`;
    await sendTeams(sink.url, { text, link }, never);
    const { type, attachments } = JSON.parse(sink.got[0]?.body ?? '') as { type: string; attachments: [object] };
    expect([type, attachments.length]).toEqual(['message', 1]);
    const run = (line: string): object => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: line }] });
    expect(attachments[0]).toMatchObject({
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        type: 'AdaptiveCard',
        version: '1.4',
        body: [run('“**Pay** [now](evil)” needs an answer.'), run('Agent: expenses')],
        actions: [{ type: 'Action.OpenUrl', url: link }],
      },
    });
  });

  test('a workflow of Microsoft Teams that is busy is asked again after the time it names, and one that is gone is not', async () => {
    const sink = await kept(startHttpSink());
    sink.answers.push({ status: 429, headers: { 'retry-after': '9' } }, { status: 404 });
    const send = (): Promise<NoticeError> => failureOf(sendTeams(sink.url, { text: 'x', link: 'y' }, never));
    expect(await send()).toMatchObject({ isFinal: false, retryAfterMs: 9000 });
    expect(await send()).toMatchObject({ isFinal: true });
  });
});

describe('a webhook', () => {
  // Promise Q21
  test('a webhook is signed as Standard Webhooks, and the same message has the same id', async () => {
    const sink = await kept(startHttpSink());
    const secret = `whsec_${Buffer.from('a secret of enough bytes').toString('base64')}`;
    const message = { id: 'msg_1', at: new Date(), payload: { type: 'hold.opened' } };
    await sendWebhook({ url: sink.url, secret }, message, never);
    const [got] = sink.got;
    const verified = new Webhook(secret).verify(got?.body ?? '', got?.headers as Record<string, string>);
    expect(verified).toEqual({ type: 'hold.opened' });
    expect(got?.headers['webhook-id']).toBe('msg_1');
  });
});

describe('a mail', () => {
  const mail = {
    from: 'standfast@example.org',
    to: 'ana@example.org',
    subject: 'Größe?',
    text: 'line',
    html: null,
    id: 'h.opened.0',
    thread: [],
  };

  test('a mail goes to one person, as text, with an id that stays the same', async () => {
    const sink = await kept(startMailSink());
    await sendMail(sink.server, mail, openEgress);
    expect(sink.got).toHaveLength(1);
    expect(sink.got[0]?.to).toEqual(['ana@example.org']);
    expect(sink.got[0]?.raw).toContain('Message-ID: <h.opened.0@standfast>');
    expect(sink.got[0]?.raw).toContain('Content-Type: text/plain');
  });

  test('a mail to an address that is refused for good is not tried again', async () => {
    const sink = await kept(startMailSink());
    sink.refused.add('ana@example.org');
    expect(await failureOf(sendMail(sink.server, mail, openEgress))).toMatchObject({
      isFinal: true,
      message: 'SMTP 550',
    });
  });

  // Promise U3
  test('a mail is given to no server outside this machine that does not speak TLS, whatever its address says', async () => {
    const sink = await kept(startMailSink());
    // Reaches this machine, and is not a loopback address.
    const elsewhere = createEgress({ deny: [], allow: [] }, (_name, _options, done) =>
      done(null, [{ address: '0.0.0.0', family: 4 }]),
    );
    const server = sink.server.replace('127.0.0.1', 'mail.example');
    for (const query of ['', '?requireTLS=false', '?ignoreTLS=true', '?secure=false&opportunisticTLS=true']) {
      await failureOf(sendMail(server + query, mail, elsewhere));
    }
    expect(sink.got).toEqual([]);
    await sendMail(`${sink.server}?requireTLS=false`, mail, openEgress);
    expect(sink.got).toHaveLength(1);
  });

  test('a mail waits for a server that is down', async () => {
    const sink = await startMailSink();
    await sink.close();
    expect((await failureOf(sendMail(sink.server, mail, openEgress))).isFinal).toBe(false);
  });
});
