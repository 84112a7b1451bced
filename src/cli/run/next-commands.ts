export interface Addresses {
  url: string;
  temporal: string;
  temporalUi: string | null;
  nexusEndpoint: string | null;
  agent: string | null;
  /** Path of the gate to try. */
  gate: string | null;
  configFile: string | null;
  dataDir: string;
  /** Without one of them nothing is answered. */
  hasKeys: boolean;
}

/** Text for the first minute: the URLs, and three commands to copy. */
export function thingsToTry({
  url,
  temporal,
  temporalUi,
  nexusEndpoint,
  agent,
  gate,
  configFile,
  dataDir,
  hasKeys,
}: Addresses): string {
  const head = [
    '',
    `  inbox        ${url}`,
    `  api          ${url}/docs`,
    `  Temporal     ${temporal}${temporalUi === null ? '' : `   UI ${temporalUi}`}`,
    ...(nexusEndpoint === null ? [] : [`  Nexus        endpoint ${nexusEndpoint}, for workflows that ask people`]),
    ...(agent === null ? [] : [`  demo agent   ${agent}`]),
    ...(gate === null ? [] : [`  demo gate    ${url}${gate}, for any MCP client`]),
    `  config       ${configFile ?? (agent === null ? 'none (defaults)' : 'none; standfast init writes the one of this demo')}`,
    `  data         ${dataDir}`,
    '',
  ];
  if (agent === null) return head.join('\n');
  const key = hasKeys ? ' -H "authorization: Bearer $STANDFAST_API_KEY"' : '';
  const run = {
    threadId: 'try-1',
    runId: 'run-1',
    messages: [{ id: 'm1', role: 'user', content: 'Lunch with the customer, 84.50 EUR' }],
  };
  return [
    ...head,
    hasKeys ? '  Three things to try, with one of your keys as STANDFAST_API_KEY:' : '  Three things to try:',
    '  1. Open the inbox and let the agent ask; the page offers it with one press:',
    `     ${url}`,
    '     Or ask by AG-UI:',
    `     curl -N ${url}/agents/expenses/run${key} -H 'content-type: application/json' -d '${JSON.stringify(run)}'`,
    `  2. Answer its question there (or chat with the agent: ${url}/chat/expenses), or by REST:`,
    `     curl -s '${url}/api/holds?status=open'${key}`,
    `     curl -s ${url}/api/holds/HOLD_ID/decision${key} -H 'content-type: application/json' \\`,
    `       -d '{"status":"resolved","values":{"amount":84.5,"costCentre":"sales","purpose":"Lunch with a customer","approve":true}}'`,
    '  3. See the workflow that waited:',
    `     ${temporalUi ?? temporal}${temporalUi === null ? '' : '/namespaces/default/workflows'}`,
    ...(gate === null ? [] : gateToTry(`${url}${gate}`, key)),
    '',
  ].join('\n');
}

const gateToTry = (address: string, key: string): string[] => {
  const params = { name: 'write_note', arguments: { text: 'Lunch is at noon.' } };
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return [
    '  And a tool that no agent can call without people; the call waits for the inbox:',
    `     curl -N ${address}${key} -H 'content-type: application/json' \\`,
    `       -H 'accept: application/json, text/event-stream' -d '${call}'`,
  ];
};
