// A page as a screen reader has it: Chromium's accessibility tree, its roles, names and order.
import { eventually } from '../wait-for.ts';
import type { Reader } from './browser.ts';

interface Node {
  nodeId: string;
  childIds?: string[];
  ignored: boolean;
  role?: { value?: unknown };
  name?: { value?: unknown };
  properties?: { name: string; value: { value?: unknown } }[];
}

export interface AccessibilityTree {
  /** What is read out, in its order: a role and a name a line; of the focused one too that it is. */
  lines(): Promise<string[]>;
  /** These lines come to stand in it, in this order. */
  reads(...wanted: RegExp[]): Promise<void>;
}

const silent = new Set(['none', 'generic', 'InlineTextBox', 'LineBreak', 'RootWebArea', 'ListMarker']);

export async function accessibilityTree({ context, page }: Reader): Promise<AccessibilityTree> {
  const devtools = await context.newCDPSession(page);
  const lines = async (): Promise<string[]> => {
    // Its types know every role; what is read here is a handful of them.
    const { nodes } = (await devtools.send('Accessibility.getFullAXTree')) as { nodes: Node[] };
    const byId = new Map(nodes.map((node) => [node.nodeId, node]));
    const found: string[] = [];
    const walk = (node: Node | undefined): void => {
      if (node === undefined) return;
      const role = String(node.role?.value ?? '');
      const name = String(node.name?.value ?? '').trim();
      const isFocused = node.properties?.some((one) => one.name === 'focused' && one.value.value === true) === true;
      if (!node.ignored && !silent.has(role) && name !== '')
        found.push(`${role} ${name}${isFocused ? ' (focus)' : ''}`);
      for (const id of node.childIds ?? []) walk(byId.get(id));
    };
    walk(nodes[0]);
    return found;
  };
  return {
    lines,
    reads: (...wanted) =>
      eventually(async () => {
        const all = await lines();
        let from = 0;
        for (const want of wanted) {
          const at = all.findIndex((line, index) => index >= from && want.test(line));
          if (at < 0) throw new Error(`${String(want)} does not come after line ${from} of\n${all.join('\n')}`);
          from = at + 1;
        }
      }),
  };
}
