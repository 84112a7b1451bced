// `passkeys` and `revoke-passkey`: operators see everybody's passkeys and revoke one, two of them together.
import type { Command } from 'commander';
import { CommandError } from './command-error.ts';
import { common, examples, groups, print } from './command-parts.ts';
import { createOperatorClient, type OperatorClient, type OperatorOptions } from './operator-client.ts';
import { table } from './tables.ts';
import type { Terminal } from './terminal.ts';

interface Passkey {
  user: string;
  id: string;
  name: string;
  since: string;
  lastUsedAt: string | null;
  publicKey: string;
  revocationAskedBy: string | null;
}

const dayOf = (at: string): string => at.slice(0, 10);

const readAll = async (client: OperatorClient): Promise<Passkey[]> =>
  (await client.get<{ items: Passkey[] }>('/api/passkeys')).items;

const listText = (all: readonly Passkey[], terminal: Terminal): string =>
  table(
    all,
    [
      { name: 'person', of: ({ user }) => user },
      { name: 'passkey', of: ({ name }) => name, flexible: { least: 10 } },
      { name: 'id', of: ({ id }) => id },
      { name: 'since', of: ({ since }) => dayOf(since), spare: 2 },
      { name: 'used', of: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : dayOf(lastUsedAt)), spare: 1 },
      { name: 'revocation', of: ({ revocationAskedBy: by }) => (by === null ? '' : `asked by ${by}`) },
    ],
    terminal,
  );

/** The person's passkey whose id begins so; a beginning that two of them share names none. */
async function find(client: OperatorClient, user: string, id: string): Promise<Passkey> {
  const own = (await readAll(client)).filter((one) => one.user === user);
  const found = own.filter((one) => one.id === id || one.id.startsWith(id));
  const [passkey] = found.length === 1 ? found : found.filter((one) => one.id === id);
  if (passkey !== undefined) return passkey;
  const which = found.length === 0 ? 'no passkey' : `${found.length} passkeys`;
  throw new CommandError('notFound', `${user} has ${which} whose id begins with ${id}; see: standfast passkeys`);
}

export function addPasskeyCommands(program: Command, terminal: Terminal): void {
  examples(
    common(program.command('passkeys').helpGroup(groups.operate).description('the passkeys of everybody')),
    'passkeys',
    'passkeys --json > trusted.json',
  ).action(async (options: OperatorOptions) => {
    const all = await readAll(createOperatorClient(options));
    print(terminal, options, all, () => listText(all, terminal));
  });
  examples(
    common(
      program
        .command('revoke-passkey')
        .helpGroup(groups.operate)
        .argument('<user>', 'whose passkey')
        .argument('<id>', 'id of the passkey, or how it begins')
        .description('revokes a passkey that was lost, once another operator does the same'),
    ),
    'revoke-passkey anna pQ3x9kTz',
    'revoke-passkey -- anna -Q3x9kTz',
  ).action(async (user: string, id: string, options: OperatorOptions) => {
    const client = createOperatorClient(options);
    const passkey = await find(client, user, id);
    const body = { user, id: passkey.id };
    const done = await client.post<{ isRevoked: boolean; askedBy: string }>('/api/passkeys/revocations', body);
    const what = `“${passkey.name}” of ${user}`;
    print(terminal, options, { ...body, ...done }, () =>
      done.isRevoked
        ? `Revoked: ${what}, which ${done.askedBy} had asked for`
        : `Asked for: ${what} is revoked once another operator does the same`,
    );
  });
}
