import { emulatedTypes, typesLeftOut } from './covered-types.ts';

export interface CheckedResource {
  readonly logicalId: string;
  readonly type: string;
  readonly propertyNames: readonly string[];
}

/**
 * A sentence about the first thing in these resources that is neither emulated nor left out, if there is one.
 */
export function findUncovered(resources: readonly CheckedResource[]): string | undefined {
  for (const { logicalId, type, propertyNames } of resources) {
    if (typesLeftOut.has(type)) continue;
    const known = emulatedTypes[type];
    const listed = 'emulate it, or list it in packages/cdk-local/src/template/coverage.ts as left out';
    if (known === undefined)
      return `${logicalId} is of the type ${type}, which local mode does not know: ${listed}.`;
    const unknown = propertyNames.find(
      (name) => !known.emulated.includes(name) && !known.leftOut.includes(name),
    );
    if (unknown !== undefined) {
      return `${logicalId}.${unknown} (${type}) is a property that local mode does not know: ${listed}.`;
    }
  }
  return undefined;
}
