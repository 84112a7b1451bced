export const engramExtension: string;

interface EngramRecord {
  key: { key: string };
  value: unknown;
  version: number;
}

interface Subscription {
  id: string;
  state: string;
}

export interface EngramExampleAgent {
  url: string;
  records: {
    get(key: string): EngramRecord | null;
    set(params: { key: { key: string }; value: unknown; expectedVersion?: number }): EngramRecord;
    patch(params: { key: { key: string }; patch: object[]; expectedVersion?: number }): EngramRecord;
    delete(params: { key: { key: string }; expectedVersion?: number }): { deleted: boolean };
  };
  /** Calls as they came. */
  seen: { method: string; params: Record<string, unknown>; extensions: string }[];
  /** Subscriptions that are open. */
  subscriptions(): Subscription[];
  end(task: Subscription, state: string, reason: string): void;
  forget(task: Subscription): void;
  cut(): void;
  close(): Promise<void>;
}

export function startEngramAgent(options?: {
  port?: number;
  offersEngram?: boolean;
  pageSize?: number;
}): Promise<EngramExampleAgent>;
