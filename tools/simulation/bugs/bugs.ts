import { orderBugs } from './order-bugs.ts';
import { receivingBugs } from './receiving-bugs.ts';

/** Every deliberate bug; the simulation must find each of them within `seedsMax` seeds. */
export const bugs = [...receivingBugs, ...orderBugs];

export const bugNames: readonly string[] = bugs.map(({ name }) => name);
