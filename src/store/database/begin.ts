// The begin of a transaction, sent with its first statement: where PostgreSQL refuses it, that statement is not run either, and no other
// one is sent.
import { Client, Query, type Connection, type PoolClient } from 'pg';

/** Messages of the extended protocol, as pg's connection takes them; its types want more. */
interface Messages {
  stream: { destroy(): void };
  parse(message: { text: string }): void;
  bind(message: object): void;
  execute(message: object): void;
  emit(event: 'readyForQuery', message: { status: 'T' }): boolean;
}

/**
 * A begin without a Sync of its own: after an error PostgreSQL reads on at the next one, which is that of the first statement.
 * It would say that it is ready for the next query only there, so what ends this here is the answer to begin itself.
 */
class Begin extends Query {
  connection: Messages | null = null;

  override submit = (connection: Connection): void => {
    const messages = connection as unknown as Messages;
    this.connection = messages;
    messages.parse({ text: 'begin' });
    messages.bind({});
    messages.execute({});
  };

  handleCommandComplete(): void {
    this.connection?.emit('readyForQuery', { status: 'T' });
  }
}

interface Beginning {
  begun: Promise<void>;
  isFirstSent: boolean;
}

/** Of connections on which PostgreSQL has not answered a begin yet. */
const beginnings = new WeakMap<object, Beginning>();

const ends = ['commit', 'rollback'];

/** From now on only the first statement after a begin is sent with it; others once PostgreSQL has begun. An end alone harms nothing. */
export function holdBack(client: Client): void {
  const own = client as object as { query: (...args: unknown[]) => unknown };
  const send = (args: unknown[]): unknown => Reflect.apply(Client.prototype.query, client, args);
  own.query = (...args) => {
    const beginning = beginnings.get(client);
    if (beginning === undefined || ends.includes(String(args[0]))) return send(args);
    if (beginning.isFirstSent) return beginning.begun.then(() => send(args));
    beginning.isFirstSent = true;
    return send(args);
  };
}

export interface Begun {
  /** Rejects with PostgreSQL's error; it may not have answered yet. */
  answered: Promise<void>;
  /** Why it did not begin, as far as that is known. */
  refusal(): Error | null;
}

/** Sends it with the first statement that follows; where PostgreSQL refuses it the connection is of no use any more. */
export function begin(client: PoolClient): Begun {
  let refusal: Error | null = null;
  const answered = new Promise<void>((resolve, reject) => {
    const query = new Begin('begin', (error) => {
      beginnings.delete(client);
      if (!error) return resolve();
      refusal = error;
      reject(error);
      // pg would wait for an answer to each query that was sent, and the first statement gets none.
      query.connection?.stream.destroy();
    });
    client.query(query);
  });
  answered.catch(() => undefined);
  beginnings.set(client, { begun: answered, isFirstSent: false });
  return { answered, refusal: () => refusal };
}
