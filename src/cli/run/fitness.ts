// With which valid settings api and worker still refuse to start: `check` and `doctor` say the same of them. Of short keys, which
// `up` takes, they warn.
import { linksFor, signerFor } from './seal-key.ts';
import { codecOf, refusePublicBind, type Settings } from './settings.ts';
import { StartError } from './startup-output.ts';

const refusals: readonly { refuse: (settings: Settings) => unknown; upMay?: string }[] = [
  {
    refuse: ({ config, environment }) => linksFor(config, environment.sealKey),
    upMay: 'only holdpoint up makes its own',
  },
  {
    refuse: ({ config, environment }) => signerFor(config, environment.sealKey),
    upMay: 'only holdpoint up makes its own',
  },
  { refuse: ({ environment }) => codecOf(environment) },
  { refuse: ({ config }) => refusePublicBind(config.server.host, config) },
];

/** Every fault, in words; none: they start. */
export function unfitFor(settings: Settings): string[] {
  return refusals.flatMap(({ refuse, upMay }) => {
    try {
      refuse(settings);
      return [];
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      return [upMay === undefined ? error.message : `${error.message}; ${upMay}`];
    }
  });
}
