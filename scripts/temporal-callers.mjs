// What the workflows of examples/temporal need in their languages, made once for each version outside the tree. Prints where it is:
// a Python with temporalio, or the built Go worker, or the classes of the Java one. `node scripts/temporal-callers.mjs python`.
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { madeOnce, runToEnd } from './made-once.mjs';
import { installPython } from './python-agents.mjs';

const pathOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const say = console.error;

const keyOf = (...dirs) =>
  dirs.flatMap((dir) =>
    readdirSync(pathOf(dir), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => readFileSync(join(one.parentPath ?? one.path, one.name))),
  );

const languages = {
  python: () =>
    installPython({
      requirements: pathOf('examples/temporal/python/requirements.txt'),
      name: 'temporal-python',
      what: 'Temporal for Python',
      say,
    }),
  async go() {
    const source = 'examples/temporal/go';
    const contract = 'packages/client/nexus/go';
    const dir = await madeOnce(
      { name: 'temporal-go', key: keyOf(source, contract), what: 'a Go worker', say },
      async (draft) => {
        mkdirSync(draft);
        await runToEnd('go', ['build', '-mod=readonly', '-o', join(draft, 'worker'), '.'], { cwd: pathOf(source) });
      },
    );
    return join(dir, 'worker');
  },
  async java() {
    const source = 'examples/temporal/java';
    const contract = 'packages/client/nexus/java';
    const dir = await madeOnce(
      { name: 'temporal-java', key: keyOf(source, contract), what: 'a Java worker', say },
      async (draft) => {
        cpSync(pathOf(source), draft, { recursive: true });
        const to = join(draft, 'src/main/java');
        for (const file of readdirSync(pathOf(contract))) copyFileSync(join(pathOf(contract), file), join(to, file));
        const maven = ['-q', '-B', 'package', 'dependency:copy-dependencies', '-DoutputDirectory=target/lib'];
        await runToEnd('mvn', maven, { cwd: draft });
      },
    );
    return join(dir, 'target');
  },
};

try {
  console.log(await languages[process.argv[2] ?? '']());
} catch (error) {
  console.error(String(error.message ?? error));
  process.exit(1);
}
