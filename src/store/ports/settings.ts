/** Small facts of the whole installation (keys, one-time links used): written once. */
export interface Settings {
  /** Returns what is stored: the value given, or that of who came before. */
  putOnce(name: string, value: string): Promise<string>;
  get(name: string): Promise<string | null>;
}
