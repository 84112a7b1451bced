// Push notifications of this browser: switched on by a click, kept by the server, and shown by the service worker.
import { ApiError, get, send } from '../base/live/api.ts';

interface Push {
  publicKey: string | null;
  devices: { id: string; label: string; since: string }[];
}
export type PushState =
  /** `install`: iOS allows them to pages on the home screen alone. */
  { kind: 'none' | 'install' | 'off' | 'blocked' } | { kind: 'on'; id: string };

const workerUrl = '/service-worker.js';
const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;
const isAppleTouch = (): boolean =>
  /iPhone|iPad/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(url: string): string };
}

/** The pages' policy takes no bare text as the address of a script. */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  return trustedTypes?.createPolicy('standfast-worker', { createScriptURL: () => url }).createScriptURL(url) ?? url;
}

let registered: Promise<ServiceWorkerRegistration> | null = null;
const register = (): Promise<ServiceWorkerRegistration> =>
  (registered ??= navigator.serviceWorker
    .register(trusted(workerUrl), { updateViaCache: 'none' })
    .then(() => navigator.serviceWorker.ready));

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.codePointAt(0) ?? 0);

async function subscription(): Promise<PushSubscription | null> {
  const found = await navigator.serviceWorker.getRegistration();
  return (await found?.pushManager.getSubscription()) ?? null;
}

/** Tells the server of this browser again: its person may be another one, or have signed in again. */
const tell = async (one: PushSubscription): Promise<string> => {
  const { endpoint, keys } = one.toJSON();
  const body = { subscription: { endpoint, keys }, label: navigator.platform };
  return (await send<{ id: string }>('POST', '/api/web-push/devices', body)).id;
};

export async function pushState(): Promise<PushState> {
  const { publicKey } = await get<Push>('/api/web-push');
  if (publicKey === null) return { kind: 'none' };
  if (!canPush()) return { kind: isAppleTouch() ? 'install' : 'none' };
  if (Notification.permission === 'denied') return { kind: 'blocked' };
  const one = await subscription();
  return one === null ? { kind: 'off' } : { kind: 'on', id: await tell(one) };
}

/** Only ever from a click. */
export async function startPush(): Promise<PushState> {
  const { publicKey } = await get<Push>('/api/web-push');
  if (publicKey === null) return { kind: 'none' };
  if ((await Notification.requestPermission()) !== 'granted') return pushState();
  const { pushManager } = await register();
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(publicKey) };
  return { kind: 'on', id: await tell(await pushManager.subscribe(options)) };
}

export async function stopPush(id: string): Promise<PushState> {
  await (await subscription())?.unsubscribe();
  await send('DELETE', `/api/web-push/devices/${id}`).catch((error: unknown) => {
    // The push service reported to the server first that this browser is gone.
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  });
  return { kind: 'off' };
}
