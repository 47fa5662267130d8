import { bug, bugPlugin, edit } from '../bugs/bug.ts';
import { type BundleOptions, bundleStages, type StageCode } from './bundles.ts';

/** The former version expects elsewhere what today's code reads in `payload.transaction`. */
const formerPlaces = bug(
  'former places of a payload',
  'reads a transaction in `payload.former`, where there is one',
  edit(
    'domain/payment-event.ts',
    'const value = path.reduce(',
    "const isFormer = isObject(payload) && 'former' in payload;\n" +
      "  const value = (isFormer ? ['former', ...path.slice(1)] : path).reduce(",
  ),
);

/** Of all stages only these read bodies. */
const readers = ['consumer', 'operations'] as const;

/** The code of a version whose assumptions about payloads were corrected since: `code`, but for that. */
export async function formerCode(code: StageCode, { plugins = [] }: BundleOptions = {}): Promise<StageCode> {
  const changed = await bundleStages({ plugins: [bugPlugin(formerPlaces), ...plugins], only: readers });
  return { ...code, ...changed };
}
