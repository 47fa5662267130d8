/** One entry of PutEvents; the adapter adds the bus. */
export interface BusEntry {
  readonly source: string;
  readonly detailType: string;
  /** JSON. */
  readonly detail: string;
  readonly time: Date;
}

export interface EventBus<Entry extends BusEntry = BusEntry> {
  /**
   * Puts entries on the bus. Returns for each entry, in the same order, why it was refused, or `undefined`
   * when it was accepted. After a throw it is unknown which entries were accepted.
   */
  put(entries: readonly Entry[]): Promise<readonly (string | undefined)[]>;
}
