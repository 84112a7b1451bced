// The configuration to begin with: `standfast init` writes it, and `standfast up` runs with it where there is no file.
export const schemaFile = 'standfast.schema.json';

/** The `# yaml-language-server` line is read by the YAML servers of editors. */
export const startingConfig = `# yaml-language-server: $schema=${schemaFile}
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
