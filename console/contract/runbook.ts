import type { Token } from 'marked';

/** `GET /console/api/runbook/{alarm}`: the alarm's section of `docs/runbook.md`. */
export interface Runbook {
  /** What to type next, complete; `null` when the section says what to look at. */
  readonly command: string | null;
  /** Whether the waiting room lists what keeps the alarm on. */
  readonly is_about_waiting: boolean;
  /**
   * The parsed Markdown. Blocks of `sh` have complete commands, one a line; a code span may have a `command`
   * that it stands for. A link leads to a page (`/console/…`), or names a place such as `docs/cli.md#keys`.
   */
  readonly tokens: readonly (Token & { readonly command?: string })[];
}
