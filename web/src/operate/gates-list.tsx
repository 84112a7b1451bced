// Below the agents: the gates before MCP servers, and each tool that is held back, with what differs from what was approved.
import type { ReactNode } from 'react';
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
import type { GateToolView, GateView } from '../../../src/contract/views/gates.ts';
import { toolChanges, type ToolChange } from '../../../src/core/policy/tool-changes.ts';
import { send } from '../base/live/api.ts';
import { useRead } from '../base/live/use-read.ts';
import { useSending } from '../base/live/use-sending.ts';
import { announce } from '../base/page/announce.tsx';
import { oneLine, visible } from '../base/text/visible.ts';
import { strings } from '../i18n/strings.ts';
import { ErrorText } from '../ui/controls.tsx';
import { whyOf } from './why-words.ts';
import '../ui/changes.css';

const words = strings.gates;
const rereadMs = 30_000;

export function GatesList(): ReactNode {
  const { data, reread } = useRead<{ items: GateView[] }>('/api/gates', { everyMs: rereadMs });
  if (data === null || data.items.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="gates">
      <h2 id="gates">{words.title}</h2>
      <ul className="cards">
        {data.items.map((gate) => (
          <Gate key={gate.name} gate={gate} onChanged={reread} />
        ))}
      </ul>
    </section>
  );
}

function Gate({ gate, onChanged }: { gate: GateView; onChanged: () => void }): ReactNode {
  const { name, title, address, server, fault, tools } = gate;
  const held = tools.filter(({ state }) => state !== 'approved');
  return (
    <li className="card box stack" id={`gate-${name}`}>
      <h3>
        <bdi>{visible(title)}</bdi> <span className="meta">{words.before(server)}</span>
      </h3>
      <p>
        <code>{address}</code>
      </p>
      <p>{words.approved(tools.length - held.length, tools.length)}</p>
      {fault !== null && <p className="danger">{fault}</p>}
      {held.map((tool) => (
        <HeldTool key={tool.name} gate={name} tool={tool} onChanged={onChanged} />
      ))}
    </li>
  );
}

interface Held {
  gate: string;
  tool: GateToolView;
  onChanged: () => void;
}

function HeldTool({ gate, tool, onChanged }: Held): ReactNode {
  const { isSending, why, run } = useSending(whyOf);
  const { name, digest, state, approved, listed } = tool;
  // Safe: both came as JSON.
  const changes = toolChanges((approved ?? {}) as JsonObject, listed as JsonObject);
  const approve = async (): Promise<void> => {
    const isDone = await run(() => send('POST', `/api/gates/${gate}/approve`, { tool: name, digest }));
    if (isDone) announce(words.isApproved(name));
    onChanged();
  };
  return (
    <div className="stack">
      <h4>
        <bdi>{visible(name)}</bdi>{' '}
        <span className="pill danger">{state === 'new' ? words.isNew : words.hasChanged}</span>
      </h4>
      <dl className="tool-changes">
        {changes.map((change) => (
          <Change key={change.path} change={change} />
        ))}
      </dl>
      <p className="cluster">
        <button type="button" className="button" disabled={isSending} onClick={() => void approve()}>
          {words.approve(name)}
        </button>
        <ErrorText why={why} />
      </p>
    </div>
  );
}

const maxShown = 2_000;

function Change({ change: { path, before, after } }: { change: ToolChange }): ReactNode {
  const shown = (value: Json): string => oneLine(JSON.stringify(value), maxShown);
  return (
    <div>
      <dt>
        <code>{visible(path)}</code>
      </dt>
      {before !== undefined && (
        <dd>
          <del>{shown(before)}</del>
        </dd>
      )}
      {after !== undefined && (
        <dd>
          <ins>{shown(after)}</ins>
        </dd>
      )}
    </div>
  );
}
