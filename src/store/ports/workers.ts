/** Which worker processes live, by the database's clock. */
export interface Workers {
  /** A worker process says it lives; rows older than a minute are dropped. */
  heartbeat(workerId: string): Promise<void>;
  /** Milliseconds since the latest beat of any worker by the database's clock; null = none. */
  sinceHeartbeatMs(): Promise<number | null>;
  leave(workerId: string): Promise<void>;
}
