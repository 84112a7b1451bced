// What a question is in Slack, Teams, a notification and a mail: the messages that the real product sent to servers that play
// them, drawn by a page of our own. How a vendor's program draws them differs.
import { readFileSync } from 'node:fs';
import { tsImport } from 'tsx/esm/api';
import { sideBySide } from './webp.mjs';

const waitForMs = 60_000;
const scale = 2;

const rig = (name) => tsImport(`../test/rigs/${name}`, import.meta.url);

/** Servers that play the vendors, a person who is known to all of them, and the configuration that names them. */
export async function playSurfaces() {
  const [slackRig, teamsRig, pushRig, { startMailSink }, { mailPartsOf }] = await Promise.all([
    rig('surfaces/fake-slack.ts'),
    rig('surfaces/fake-teams.ts'),
    rig('surfaces/fake-push.ts'),
    rig('sinks.ts'),
    rig('mail-parts.ts'),
  ]);
  const vapid = pushRig.vapidKeys();
  const slack = await slackRig.startFakeSlack();
  slack.people.set('UANNA', 'anna@example.org');
  const teams = await teamsRig.startFakeTeams();
  teams.people.set('29:anna', { objectId: '00000000-0000-4000-8000-000000000001', email: 'anna@example.org' });
  const push = await pushRig.startFakePush(vapid.publicKey);
  const mail = await startMailSink();
  const channels = {
    team: {
      type: 'slack-app',
      botToken: slackRig.slackToken,
      signingSecret: slackRig.slackSecret,
      apiUrl: slack.url,
      thread: false,
    },
    bot: {
      type: 'teams-bot',
      appId: teamsRig.teamsAppId,
      appPassword: teamsRig.teamsPassword,
      tenant: teamsRig.teamsTenant,
      tokenUrl: `${teams.url}/token`,
      openIdUrl: `${teams.url}/openid`,
      services: [teams.url],
    },
    push: {
      type: 'push',
      ...vapid,
      subject: 'mailto:ops@example.org',
      show: ['message', 'toolArgs'],
      decide: true,
    },
    mail: { type: 'mail', server: mail.server, from: 'standfast@example.org', show: ['toolArgs'], decideLinks: true },
  };

  /** Begins the conversation with the bot, and subscribes a browser. */
  async function introduce(url, authorization) {
    const activity = teamsRig.activityOf(teams, '29:anna', { type: 'message', text: 'hello' });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${await teams.token()}` };
    await fetch(`${url}/surfaces/bot/teams`, { method: 'POST', body: JSON.stringify(activity), headers });
    const { subscription } = push.device('annas');
    const body = JSON.stringify({ subscription, label: 'a phone' });
    await fetch(`${url}/api/web-push/devices`, { method: 'POST', body, headers: { ...headers, authorization } });
  }

  /** The messages about one question, once each surface has its own. */
  async function messagesOf(holdId) {
    for (const startedMs = Date.now(); Date.now() - startedMs < waitForMs;) {
      const found = {
        slack: slack.messages.find((one) => one.metadata.event_payload?.id?.startsWith(holdId)),
        teams: teams.activities.find(({ card }) => JSON.stringify(card)?.includes(holdId)),
        push: push.received.find(({ message }) => message.holdId === holdId),
        mail: mail.got.map(({ raw }) => mailPartsOf(raw)).find(({ text }) => text.includes(holdId)),
      };
      if (Object.values(found).every((one) => one !== undefined)) return found;
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
    }
    throw new Error(`not every surface got the question ${holdId}`);
  }

  const close = () => Promise.all([slack, teams, push, mail].map((one) => one.close()));
  return { channels, introduce, messagesOf, close };
}

const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const button = (label, kind = '') => `<span class="button ${kind}">${escaped(label)}</span>`;

const pairsHtml = (texts) =>
  `<div class="pairs">${texts.map((text) => `<span>${escaped(text)}</span>`).join('')}</div>`;

function slackHtml({ blocks }) {
  const drawn = {
    header: ({ text }) => `<h2>${escaped(text.text)}</h2>`,
    section: ({ text, fields = [] }) =>
      text === undefined ? pairsHtml(fields.map((one) => one.text)) : `<p>${escaped(text.text)}</p>`,
    context: ({ elements }) => `<p class="dim">${elements.map(({ text }) => escaped(text)).join(' ')}</p>`,
    actions: ({ elements }) => `<p>${elements.map(({ text, style }) => button(text.text, style)).join('')}</p>`,
  };
  return blocks.map((block) => drawn[block.type](block)).join('');
}

const cardKinds = { positive: 'primary', destructive: 'danger' };

function cardHtml({ card: { body, actions } }) {
  const runHtml = ({ text, size, isSubtle }) =>
    `<p class="${size === 'large' ? 'large' : ''} ${isSubtle ? 'dim' : ''}">${escaped(text)}</p>`;
  const columnHtml = ({ items }) => `<div>${items.flatMap(({ inlines }) => inlines.map(runHtml)).join('')}</div>`;
  const words = body.flatMap(({ inlines = [], columns }) =>
    columns === undefined ? inlines.map(runHtml) : [`<div class="columns">${columns.map(columnHtml).join('')}</div>`],
  );
  const kindOf = ({ style, card }) => cardKinds[style ?? card?.actions?.[0]?.style] ?? '';
  return `<div class="card">${words.join('')}<p>${actions.map((one) => button(one.title, kindOf(one))).join('')}</p></div>`;
}

const icon = `data:image/png;base64,${readFileSync(new URL('../web/src/app/icon-192.png', import.meta.url)).toString('base64')}`;

function pushHtml({ message: { title, body, decides } }) {
  const buttons = decides ? `<p>${button('Approve')}${button('Reject')}</p>` : '';
  return `<div class="card notification"><img src="${icon}" alt=""><div><h2>${escaped(title)}</h2><p>${escaped(body)}</p>${buttons}</div></div>`;
}

/** The mail's own document, below its head. */
function mailHtml({ from, to, subject, html }) {
  const head = [`From: ${from}`, `To: ${to}`, `Subject: ${subject}`].map(
    (line) => `<p class="dim">${escaped(line)}</p>`,
  );
  const body = (html ?? '').replace(/^<!doctype html>/i, '');
  return `${head.join('')}<div class="frame">${body}</div>`;
}

const style = `
  body { margin: 0; padding: 20px; width: 440px; font: 15px/1.45 system-ui, sans-serif; color: #1d1c1d; background: #fff; }
  h2 { font-size: 17px; margin: 0 0 8px; } p { margin: 0 0 10px; overflow-wrap: anywhere; white-space: pre-wrap; } .large { font-size: 17px; font-weight: 700; }
  .pairs { display: grid; grid-template-columns: 1fr 2fr; gap: 4px 12px; margin: 0 0 10px; } .pairs span:nth-child(odd) { color: #616061; }
  .columns { display: grid; grid-template-columns: 1fr 2fr; gap: 0 12px; } .columns p { margin-bottom: 4px; }
  .dim { color: #616061; font-size: 13px; }
  .button { display: inline-block; margin: 0 8px 8px 0; padding: 5px 12px; border: 1px solid #b5b5b5; border-radius: 5px; font-weight: 600; font-size: 14px; }
  .primary { background: #17663a; border-color: #17663a; color: #fff; } .danger { color: #a4262c; border-color: #a4262c; }
  .card { padding: 16px; border: 1px solid #d9d9d9; border-radius: 8px; box-shadow: 0 1px 4px #0002; }
  .notification { display: flex; gap: 14px; } .notification img { width: 40px; height: 40px; }`;

async function draw(browser, html, colorScheme = 'light') {
  const context = await browser.newContext({
    viewport: { width: 480, height: 200 },
    deviceScaleFactor: scale,
    colorScheme,
  });
  try {
    const page = await context.newPage();
    await page.setContent(`<meta charset="utf-8"><style>${style}</style>${html}`);
    return await page.screenshot({ fullPage: true });
  } finally {
    await context.close();
  }
}

/** One picture of the four messages about a question. */
export async function shootSurfaces(browser, messages) {
  const { slack, teams, push, mail } = messages;
  const drawn = [
    ['Slack', slackHtml(slack)],
    ['Microsoft Teams', cardHtml(teams)],
    ['Push notification', pushHtml(push)],
    ['Mail', mailHtml(mail)],
  ];
  const pictures = [];
  for (const [caption, html] of drawn) pictures.push({ png: await draw(browser, html), word: caption });
  pictures.push({ png: await draw(browser, mailHtml(mail), 'dark'), word: 'Mail, in the dark' });
  return sideBySide(browser, pictures, 1920);
}
