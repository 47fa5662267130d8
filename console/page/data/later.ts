import lazy from 'preact-iso/lazy';

type Later = typeof import('../later.ts');

let hasFailed = false;
let load: () => Promise<Later> = () => Promise.reject();
let code: Promise<Later> | undefined;

/** Whether code of the page did not arrive: the page is then loaded again once the server responds. */
export const isIncomplete = (): boolean => hasFailed;

/** Sets where the code is that the first page does not need. */
export function loadWith(loader: () => Promise<Later>): void {
  load = loader;
}

/** Loads it: when a part is needed, or when the first page is there. */
export function loadTheRest(): Promise<Later> {
  code ??= load().catch(() => {
    hasFailed = true;
    return new Promise<never>(() => {});
  });
  return code;
}

/** A part of it, which is shown when it has arrived. */
export const later = <Name extends keyof Later>(name: Name): Later[Name] =>
  lazy(async () => (await loadTheRest())[name]);
