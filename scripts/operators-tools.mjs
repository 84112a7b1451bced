// `node scripts/operators-tools.mjs helm promtool kubeconform`: builds tools that operators have, for the tests of deploy/, from the Go
// registry into ~/.cache/holdpoint/bin. Minutes each, once. Without them those tests are skipped.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

const tools = {
  helm: 'helm.sh/helm/v3/cmd/helm@v3.19.0',
  promtool: 'github.com/prometheus/prometheus/cmd/promtool@v0.307.3',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0',
};
const bin = join(homedir(), '.cache', 'holdpoint', 'bin');
mkdirSync(bin, { recursive: true });
for (const name of process.argv.slice(2)) {
  const source = tools[name];
  if (source === undefined) throw new Error(`${name}: expected ${Object.keys(tools).join(', ')}`);
  if (existsSync(join(bin, name))) continue;
  // By way of a module of its own: Prometheus' go.mod excludes versions, which `go install` refuses.
  const dir = mkdtempSync(join(tmpdir(), 'holdpoint-tools-'));
  const go = (...args) => execFileSync('go', args, { cwd: dir, stdio: 'inherit' });
  try {
    go('mod', 'init', 'tools');
    go('get', source);
    go('build', '-o', join(bin, name), source.split('@')[0]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  process.stdout.write(`${join(bin, name)}\n`);
}
