import type { Page, PagesRequest } from '../../operator/acts/pages.ts';

/** How far a run has come. */
export interface Progress {
  readonly done: number;
  readonly milliseconds: number;
  /** `undefined` where nobody knows, or only a guess that proved too low. */
  readonly total: { readonly count: number; readonly isEstimate: boolean } | undefined;
}

type Work = Pick<PagesRequest<Page>, 'doing' | 'what'>;

const barCharacters = 20;

/** Such as `Replaying ██░░░░  33%: 10 of 30 events, 10/s …`; the bar is for a screen. */
export function progressLine(work: Work, progress: Progress, { hasBar }: { readonly hasBar: boolean }) {
  const { done, milliseconds, total } = progress;
  const rate = Math.round(done / Math.max(milliseconds / 1000, 1));
  const share = total === undefined || total.count === 0 ? undefined : Math.min(done / total.count, 1);
  const bar = hasBar && share !== undefined ? ` ${barOf(share)}` : '';
  return `${work.doing}${bar}: ${countText(work, progress)}, ${rate.toLocaleString('en')}/s …`;
}

function barOf(share: number): string {
  const full = Math.floor(share * barCharacters);
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  return `${'█'.repeat(full)}${'░'.repeat(barCharacters - full)} ${percent}`;
}

/** Such as `1,200 of about 4,900 events`. */
export function countText({ what = 'events' }: Pick<Work, 'what'>, { done, total }: Progress): string {
  const about = total?.isEstimate ? 'about ' : '';
  const count = total?.isEstimate ? Number(total.count.toPrecision(2)) : total?.count;
  const of = count === undefined ? '' : ` of ${about}${count.toLocaleString('en')}`;
  return `${done.toLocaleString('en')}${of} ${what}`;
}

const firstParts = 64;
const partsStep = 8;
const partsMax = 262_144;
/** A smaller sample is too far from the truth; so few events need no bar. */
const sampleMin = 20;

/** About how many events there are, by those in a part of the tables that one page holds. */
export async function estimateTotal<Result extends Page>(
  { handled, hasAllEvents = ({ next_cursor }) => next_cursor === null }: PagesRequest<Result>,
  request: (place: { readonly segment: string }) => Promise<Result>,
): Promise<number | undefined> {
  for (let parts = firstParts; parts <= partsMax; parts *= partsStep) {
    const page = await request({ segment: `1/${parts}` });
    const found = handled(page);
    if (hasAllEvents(page)) return found < sampleMin ? undefined : found * parts;
  }
  return undefined;
}
