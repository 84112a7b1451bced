// Opens the first page in a browser, for interactive use on a desktop only.
import { spawn } from 'node:child_process';

interface Desk {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  isTTY: boolean;
}

/** Why no page is opened; null when a person uses a screen of this machine. */
export function whyNotOpened({ env, platform, isTTY }: Desk): string | null {
  const has = (name: string): boolean => (env[name] ?? '') !== '';
  if (has('STANDFAST_NO_OPEN')) return 'STANDFAST_NO_OPEN is set';
  if (!isTTY) return 'no terminal';
  if (has('CI')) return 'CI is set';
  if (has('SSH_CONNECTION') || has('SSH_TTY') || has('SSH_CLIENT')) return 'over SSH';
  if (platform === 'linux' && !has('DISPLAY') && !has('WAYLAND_DISPLAY')) return 'no display';
  return null;
}

const commands: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // `start` is a shell built-in whose first argument is a title.
  win32: ['cmd', '/c', 'start', ''],
};

/** Best effort: the URL is printed as well. */
export function openPage(url: string, { platform, env }: Pick<Desk, 'platform' | 'env'>): void {
  const [command, ...args] = commands[platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { env, stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
