import { type Deployed, type DeployedResource, ofType, resolverOf } from '../aws/deployed-resources.ts';
import { absentAt } from '../aws/errors.ts';
import type { Stack } from '../stack/stack.ts';

/** A call that restores what was deployed. */
export interface Repair {
  /** Such as `enable it`. */
  readonly does: string;
  readonly run: () => Promise<unknown>;
}

/** Something that is not as it was deployed. */
export interface Fault {
  /** Such as `the mapping of the order feed is disabled`. */
  readonly message: string;
  /** `undefined` when no call restores it. */
  readonly repair?: Repair;
  /** What to do where no call restores it; by default, a deployment that reverts drift. */
  readonly fix?: string;
  /** It ends by itself within a minute. */
  readonly isPassing?: true;
  /** Since when the order feed has read nothing. */
  readonly feedOffSince?: Date;
}

/** Something that a deployment must have outside its data path: the resources of one type. */
export interface Safeguard {
  readonly type: string;
  readonly inspect: (deployed: Deployed) => Promise<readonly Fault[]>;
}

/** A fault in JSON. */
export const faultDocument = ({ message, repair, fix }: Fault) => ({
  message,
  repair: repair?.does ?? null,
  fix: fix ?? null,
});

/** A resource of the template, and how to look at it. */
export interface Inspected<Client> {
  readonly client: Client;
  readonly deployed: Deployed;
  readonly resource: DeployedResource;
  readonly id: string;
  /** Such as `the queue shop-queue`. */
  readonly what: string;
  readonly resolve: ReturnType<typeof resolverOf>;
}

/** A type of resource: what AWS describes is compared with the template. */
interface Kind<Client, Found> {
  readonly type: string;
  /** Such as `queue`. */
  readonly noun: string;
  readonly open: (stack: Stack) => Client;
  /** By default the noun and the physical id. */
  readonly titleOf?: (resource: DeployedResource) => string;
  readonly describe: (at: Inspected<Client>) => Promise<Found | undefined>;
  /** The error of AWS for one that was deleted. */
  readonly absent?: string;
  /** By default no call restores it. */
  readonly deleted?: (at: Inspected<Client>) => Omit<Fault, 'message'> & { readonly message?: string };
  readonly compare: (found: Found, at: Inspected<Client>) => readonly Fault[] | Promise<readonly Fault[]>;
  /** One after the other, because AWS throttles at a few requests a second. */
  readonly isThrottled?: true;
}

export function safeguard<Client, Found>(kind: Kind<Client, Found>): Safeguard {
  const { type, noun, absent = 'ResourceNotFoundException' } = kind;
  async function faultsOf(at: Inspected<Client>): Promise<readonly Fault[]> {
    const found = await kind.describe(at).catch(absentAt(absent));
    if (found === undefined) return [{ message: `${at.what} was deleted`, ...kind.deleted?.(at) }];
    return kind.compare(found, at);
  }
  return {
    type,
    async inspect(deployed) {
      const client = kind.open(deployed.stack);
      const resolve = resolverOf(deployed);
      const all = ofType(deployed, type).map((resource): Inspected<Client> => {
        const { physicalId: id } = resource;
        const what = `the ${kind.titleOf?.(resource) ?? `${noun} ${id}`}`;
        return { client, deployed, resource, id, what, resolve };
      });
      const faults: (readonly Fault[])[] = [];
      if (kind.isThrottled) for (const at of all) faults.push(await faultsOf(at));
      else faults.push(...(await Promise.all(all.map(faultsOf))));
      return faults.flat();
    },
  };
}
