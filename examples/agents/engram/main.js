// node examples/agents/engram/main.js [port]
import { startEngramAgent } from './engram-agent.js';

const agent = await startEngramAgent({ port: Number(process.argv[2] ?? 8705) });
agent.records.set({ key: { key: 'config/limits' }, value: { max: 5, currency: 'EUR' } });
agent.records.set({ key: { key: 'config/tone' }, value: 'plain' });
console.log(`ready ${agent.url}`);
