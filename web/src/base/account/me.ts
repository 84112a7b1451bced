// Who is signed in; one answer for the whole page, asked again after a sign-in or when the server knows no session.
import { useSyncExternalStore } from 'react';
import type { Me } from '../../../../src/contract/views/inbox.ts';
import { ApiError, get, onSignedOut, send } from '../live/api.ts';
import { knowAgents, knowNames } from './names.ts';
import { dropFirst, firstAnswer } from '../live/first-answers.ts';
import { createListeners } from '../live/listeners.ts';

export interface SessionState {
  /** `out`: a key is needed · `failed`: the server does not answer yet. */
  status: 'loading' | 'in' | 'out' | 'failed';
  /** Stays while signed out, so that the page can stay under the sign-in. */
  me: Me | null;
}

const address = '/api/me';
const changed = createListeners<[]>();
let state: SessionState = { status: 'loading', me: null };

function known(me: Me): SessionState {
  knowNames(me.names);
  knowAgents(me.agents);
  return { status: 'in', me };
}

const first = firstAnswer<Me>(address);
if (first !== null) state = known(first);
dropFirst(address);

function become(next: SessionState): void {
  state = next;
  changed.emit();
}

export async function loadMe(): Promise<void> {
  try {
    become(known(await get<Me>(address)));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) become({ status: 'out', me: state.me });
    else if (state.me === null) become({ status: 'failed', me: null });
  }
}

/** Opens a session by an API key; throws ApiError `not_authenticated` for one that is not known. */
export async function signIn(key: string): Promise<void> {
  await send('POST', '/api/login', { key });
  await loadMe();
}

/** How one can sign in here. */
export interface LoginMethods {
  keys: boolean;
  oidc: { title: string; url: string } | null;
}
export const loginMethodsPath = '/api/login/methods';

export async function signOut(): Promise<void> {
  // At the identity provider too: else its next visitor on this machine is signed in as this one.
  if ((await get<LoginMethods>(loginMethodsPath)).oidc !== null) return location.assign('/api/logout/oidc');
  await send('POST', '/api/logout', {});
  become({ status: 'out', me: null });
}

onSignedOut(() => {
  if (state.status === 'in') become({ status: 'out', me: state.me });
});

const currentState = (): SessionState => state;
const currentMe = (): Me | null => state.me;

export const useSession = (): SessionState => useSyncExternalStore(changed.add, currentState);
export const useMe = (): Me | null => useSyncExternalStore(changed.add, currentMe);
export type AgentName = Me['agents'][number];
/** The agents there are; null until they are known. */
export const useAgents = (): AgentName[] | null => useMe()?.agents ?? null;
export const onSession = changed.add;
export const sessionNow = currentState;
