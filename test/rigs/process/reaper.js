// Ends what a rig started when the rig itself is gone, however it went: its pipe to us closes, and every process that
// carries the rig's mark in its environment is killed. Started by supervisor.ts: node reaper.js MARK

import { markedPids } from './marked-pids.js';

const mark = process.argv[2] ?? '';
process.on('SIGINT', () => undefined);
process.stdin.resume().once('close', () => {
  for (const pid of markedPids(mark)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  }
  process.exit(0);
});
