// Shows push notifications, and decides yes/no questions in them after asking once more. It keeps nothing: there is no
// handler of `fetch`, so no page and no answer is ever cached.
const words = {
  en: {
    yes: 'Approve',
    no: 'Reject',
    send: { yes: 'Yes, approve', no: 'Yes, reject' },
    back: 'Back',
    sure: { yes: 'Approve this?', no: 'Reject this?' },
    sent: { yes: 'Approved', no: 'Rejected' },
    voted: 'Your vote counts.',
    failed: 'Nothing was decided. Open the question to see it.',
  },
  de: {
    yes: 'Genehmigen',
    no: 'Ablehnen',
    send: { yes: 'Ja, genehmigen', no: 'Ja, ablehnen' },
    back: 'Zurück',
    sure: { yes: 'Wirklich genehmigen?', no: 'Wirklich ablehnen?' },
    sent: { yes: 'Genehmigt', no: 'Abgelehnt' },
    voted: 'Ihre Stimme zählt.',
    failed: 'Nichts wurde entschieden. Öffnen Sie die Frage.',
  },
};
const text = (self.navigator.languages ?? ['en'])[0]?.startsWith('de') ? words.de : words.en;

/** The message of a push; null for one that is not Standfast’s. */
function read(data) {
  try {
    const message = data.json();
    return typeof message?.holdId === 'string' && typeof message.title === 'string' ? message : null;
  } catch {
    return null;
  }
}

/** A notification of the same tag takes the place of the one before. */
function show(message, { title = message.title, body = message.body, actions = [], isQuiet = false }) {
  return self.registration.showNotification(title, {
    body,
    actions,
    data: message,
    tag: message.holdId,
    renotify: !isQuiet,
    silent: isQuiet,
    icon: '/icon-192.png',
  });
}

const choices = [
  { action: 'yes', title: text.yes },
  { action: 'no', title: text.no },
];
const asAsked = (message, isQuiet) => show(message, { isQuiet, actions: message.decides ? choices : [] });

const askAgain = (message, choice) =>
  show(message, {
    title: text.sure[choice],
    body: `${message.title}\n${message.body}`,
    isQuiet: true,
    actions: [
      { action: `send-${choice}`, title: text.send[choice] },
      { action: 'back', title: text.back },
    ],
  });

async function decide(message, choice) {
  const address = `/api/web-push/holds/${encodeURIComponent(message.holdId)}/decision`;
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ choice, digest: message.digest }),
      cache: 'no-store',
    });
    const answer = await response.json();
    if (!response.ok) return show(message, { body: answer.detail ?? text.failed, isQuiet: true });
    return show(message, { body: answer.hold?.status === 'open' ? text.voted : text.sent[choice], isQuiet: true });
  } catch {
    return show(message, { body: text.failed, isQuiet: true });
  }
}

/** In a window that is open, else in a new one. */
async function open(address) {
  const url = new URL(address, self.location.origin);
  // Only ever one of Standfast’s pages, whatever a message says.
  const path = `${self.location.origin}${url.pathname}`;
  const [shown] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (shown === undefined) return self.clients.openWindow(path);
  const moved = await shown.navigate(path).catch(() => null);
  return moved === null ? self.clients.openWindow(path) : moved.focus();
}

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('push', (event) => {
  const message = event.data === null ? null : read(event.data);
  if (message !== null) event.waitUntil(asAsked(message, message.isQuiet === true));
});
self.addEventListener('notificationclick', (event) => {
  const { action, notification } = event;
  const message = notification.data;
  const choice = action.endsWith('yes') ? 'yes' : 'no';
  notification.close();
  if (action === 'back') event.waitUntil(asAsked(message, true));
  else if (action === 'yes' || action === 'no') event.waitUntil(askAgain(message, choice));
  else if (action.startsWith('send-')) event.waitUntil(decide(message, choice));
  else event.waitUntil(open(message.url));
});
