import { join } from 'node:path';
import { type Emulators, startEmulators } from '@payhooks/cdk-local';
import { type DataDirectory, generateKeys, openDataDirectory, type PrivateKeys } from './data-directory.ts';
import type { PipelineOptions } from './pipeline.ts';
import { allSettled } from './settled.ts';
import { type Synthesis, synthesise } from './synthesise.ts';

/** How to close what is open, in the order of its opening. */
export type Closing = (() => Promise<void> | void)[];

/** For as long as the pipeline runs; `undefined` without a path. */
export async function openData(
  path: string | undefined,
  closing: Closing,
): Promise<DataDirectory | undefined> {
  if (path === undefined) return undefined;
  const data = await openDataDirectory(path);
  closing.push(() => data.release());
  return data;
}

/** What was given, else what the data directory keeps, else new ones. */
export async function chooseKeys(
  given: Pick<PipelineOptions, 'privateKey' | 'sandboxKey'>,
  data: DataDirectory | undefined,
): Promise<PrivateKeys> {
  const own = data === undefined ? generateKeys() : await data.keys();
  return { live: given.privateKey ?? own.live, sandbox: given.sandboxKey ?? own.sandbox };
}

export interface Prepared {
  readonly synthesis: Synthesis;
  readonly emulators: Emulators;
}

/** The slow part: the CDK app runs in a process of its own, and the emulators start meanwhile. */
export async function prepare(
  { onProgress, signal }: Pick<PipelineOptions, 'onProgress' | 'signal'>,
  given: { readonly data: DataDirectory | undefined; readonly context: Readonly<Record<string, string>> },
  closing: Closing,
): Promise<Prepared> {
  const since = performance.now();
  onProgress('Synthesising the stack and bundling its functions …');
  const project = join(import.meta.dirname, '..', '..');
  const { context } = given;
  const [synthesis, emulators] = await allSettled([
    synthesise({ project, app: 'bin/app.ts', context, ...(signal && { signal }) }).then((made) => {
      closing.push(() => made.remove());
      return made;
    }),
    startEmulators(given.data).then((made) => {
      closing.push(() => made.close());
      return made;
    }),
  ]);
  onProgress(
    `Synthesised in ${((performance.now() - since) / 1000).toFixed(1)} s; starting what it describes …`,
  );
  return { synthesis, emulators };
}
