// `standfast init`: a commented configuration to begin with, and its JSON Schema for editors.
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configJsonSchema } from '../../config/config-json-schema.ts';
import { StartError } from '../run/startup-output.ts';
import { errorText } from '../../host/process/errno.ts';

const schemaFile = 'standfast.schema.json';

/** The `# yaml-language-server` line is read by the YAML servers of editors. */
const starting = `# yaml-language-server: $schema=${schemaFile}
# Standfast's configuration. \`standfast check\` names every mistake, \`standfast up\` runs with it.

agents:
  expenses:
    # Base address of an A2A agent (its card is read from there), or the full address of its card.
    url: http://127.0.0.1:8701/
    title: Expenses
    # Who is asked by its questions. Without a policy the person who began the task decides, within 24 hours.
    policy: finance

policies:
  finance:
    # Who may decide: role:NAME, user:NAME, or owner (who began the task).
    audience: ['role:finance']
    # What happens while there is no answer, counted from the question.
    ladder:
      - { after: 30m, remind: true }
      - { after: 4h, escalate: ['role:finance-lead'] }
    # What happens if no answer comes: fail (the usual end), cancel, reject, default (what the agent proposed), or keep-open.
    expire: { after: 24h, then: fail }

# Programs ask people, too (standfast approve, POST /api/ask, MCP): who is asked, and which policies they may name.
ask: { policy: finance, policies: [finance] }

# Without keys everything is answered on this machine alone. \`standfast key new --user anna\` makes one.
# auth:
#   keys:
#     - { user: anna, roles: [finance], key: '\${ANNA_KEY}' }
#     - { user: deploy-bot, kind: agent, key: '\${BOT_KEY}' }
`;

/** Writes both files and returns their names; a configuration that exists stays as it is, its schema is made new. */
export function init({ config = 'standfast.yaml' }: { config?: string }): { written: string[]; kept: string[] } {
  const schema = join(dirname(config), schemaFile);
  const isKept = existsSync(config);
  try {
    writeFileSync(schema, `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
    if (!isKept) writeFileSync(config, starting, { flag: 'wx' });
  } catch (error) {
    throw new StartError(`${dirname(config)}: ${errorText(error)}`);
  }
  return { written: isKept ? [schema] : [config, schema], kept: isKept ? [config] : [] };
}
