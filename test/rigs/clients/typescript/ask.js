// Asks by a client that @hey-api/openapi-ts made of docs/openapi.json, waits for the answer, and prints it; then meets a refusal.
//   ask.js http://127.0.0.1:8600 KEY ID
import { client } from './generated/client.gen.js';
import { getAsk, postAsk } from './generated/sdk.gen.js';

/** @import { Problem } from './generated/types.gen.js' */

const [baseUrl = '', key = '', id = ''] = process.argv.slice(2);
client.setConfig({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

const asked = await postAsk({ body: { id, tool: { name: 'deploy', args: { version: '1.4' } } } });
let reply = asked.data;
while (reply?.status === 'waiting') reply = (await getAsk({ query: { id, wait: 20 } })).data;
console.log(JSON.stringify({ status: reply?.status, verdict: reply?.verdict, by: reply?.by }));

const { error } = await postAsk({ body: { id: `${id}-none`, message: 'Who?', policy: 'none' } });
// A 409 may be an answer that is no yes, which has another body.
const problem = /** @type {Problem} */ (error);
console.log(JSON.stringify({ code: problem.code, detail: problem.detail }));
