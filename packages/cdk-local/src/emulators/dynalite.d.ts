/** dynalite 4 ships no types; this is what local mode uses of it. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  export interface DynaliteOptions {
    /** Folder of the LevelDB store; in memory without it. */
    readonly path?: string;
    /** How long a table stays in CREATING; 500 ms unless told. */
    readonly createTableMs?: number;
    readonly deleteTableMs?: number;
    readonly updateTableMs?: number;
  }

  /** A server whose `close` closes the store as well. */
  export default function dynalite(options?: DynaliteOptions): Server;
}
