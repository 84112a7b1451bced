import type { HoldId } from '../../contract/base/id-types.ts';
import type { Json } from '../../contract/base/json.ts';

/** Names one message about one hold. */
export interface DeliveryKey {
  holdId: HoldId;
  /** Channel of the configuration, or `agent:<name>` for a supervisor agent. */
  channel: string;
  /** User, or a hash of an address that no user has; '' for the channel itself. */
  recipient: string;
  /** What is sent, such as `opened.0`; `digest.opened.0` is listed in a digest instead. */
  message: string;
}

export interface Delivery extends DeliveryKey {
  /** `sending`: begun, and perhaps sent. `sent`: the receiver has it. `ended`: it says how the hold ended. */
  state: 'sending' | 'sent' | 'ended';
  /** What the receiver calls it; null: it has no name there, or it is not known yet. */
  handle: Json;
  /** ISO time at which it was begun. */
  begunAt: string;
}

/** Messages sent about holds; they are deleted with their hold, or with age once it has ended. */
export interface Deliveries {
  /** Inserts the message as `sending` with this handle unless it was begun before; returns the stored row. */
  begin(key: DeliveryKey, handle?: Json): Promise<Delivery & { isNew: boolean }>;
  get(key: DeliveryKey): Promise<Delivery | null>;
  /** Marks it `sent`, and stores the handle if it has none; returns the stored handle. */
  sent(key: DeliveryKey, handle?: Json): Promise<Json>;
  /** Marks it `ended`. */
  ended(key: DeliveryKey): Promise<void>;
  /** Returns what waits to be listed for this recipient (`digest.…`, state `sending`), oldest first. */
  onDigest(recipient: string): Promise<Delivery[]>;
  /** Returns a hold's messages by this channel, oldest first. */
  ofChannel(holdId: HoldId, channel: string): Promise<Delivery[]>;
}
