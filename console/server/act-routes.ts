import { setTimeout as pause } from 'node:timers/promises';
import type { Attention } from '@payhooks/order-client';
import * as v from 'valibot';
import { confirmAct, planAct, type Wait } from '../../operator/acts/act.ts';
import { openAct } from '../../operator/acts/open-act.ts';
import {
  allPages,
  type Page,
  type PagesRequest,
  type Place,
  type RequestPages,
} from '../../operator/acts/pages.ts';
import { busySentence } from '../../operator/when-free.ts';
import type { ActConfirmation, ActPlan, ConsoleAct } from '../contract.ts';
import type { ConsoleContext, ConsoleRoute } from './context.ts';
import { ConsoleProblem, problemOf } from './problem.ts';

const attention = v.custom<Attention>((name) => typeof name === 'string');
const text = v.exactOptional(v.string());
const mode = v.exactOptional(v.picklist(['live', 'sandbox']));
/** Erasing is not in the console. The operations API checks what the fields contain. */
const act = v.variant('act', [
  v.strictObject({
    ...{ act: v.picklist(['admit', 'dismiss']), mode },
    ...{ event_id: text, order_id: text, body_sha256: text, event_name: text },
  }),
  v.strictObject({ act: v.literal('resolve'), mode, order_id: v.string(), attention: v.array(attention) }),
  v.strictObject({ act: v.literal('replay'), mode, event_id: text, order_id: text }),
  v.strictObject({
    act: v.picklist(['approve', 'reject']),
    id: v.string(),
    mode: v.picklist(['live', 'sandbox']),
  }),
]);
const planRequest = v.strictObject({ act });
const confirmRequest = v.strictObject({
  act,
  shown: v.strictObject({ effect: v.string(), by: v.string() }),
  reason: v.string(),
  is_repetition: v.boolean(),
});

/** Plans and performs acts as the command line does. What only the page can know, it sends. */
export function actRoutes({ stack, env }: ConsoleContext): readonly ConsoleRoute[] {
  const open = async (request: ConsoleAct, signal: AbortSignal) => {
    const waitHere: Wait = (seconds) => pause(seconds * 1_000, undefined, { signal });
    // A run that has begun is not begun again: the page would see the rest as a change.
    const requestPages: RequestPages = (work) =>
      work.isPreview ? allPages(refuseToWait)(work) : begunPages(work, { wait: waitHere, env });
    const performer = { wait: refuseToWait, signal, requestPages };
    const opened = await openAct(await stack(), request, performer);
    if (!opened.isLong) return opened;
    const detail =
      'id' in request
        ? `It replays a time, which takes long: payhooks approvals approve ${request.id}`
        : 'Name one event or order: no more is replayed here.';
    throw new ConsoleProblem(400, detail);
  };
  return [
    {
      method: 'POST',
      path: '/console/api/acts/plan',
      async handle({ body, signal }): Promise<ActPlan> {
        const request = read(planRequest, body);
        return (await planAct(await open(request.act, signal))).plan;
      },
    },
    {
      method: 'POST',
      path: '/console/api/acts/confirm',
      async handle({ body, signal }): Promise<ActConfirmation> {
        const { act: named, is_repetition: isRepetition, ...confirmed } = read(confirmRequest, body);
        const opened = await open(named, signal);
        const { result: _, ...confirmation } = await confirmAct(opened, { ...confirmed, isRepetition });
        return confirmation;
      },
    },
  ];
}

/** The page waits, shows why, and repeats its request. */
const refuseToWait: Wait = async (seconds, subject) => {
  throw new ConsoleProblem(409, busySentence(seconds, subject), { retryAfterSeconds: seconds });
};

/** What fails after its first page was done in part, whatever the reason: that is no refusal. */
async function begunPages<Result extends Page>(
  { request, ...work }: PagesRequest<Result>,
  { wait, env }: { readonly wait: Wait } & Pick<ConsoleContext, 'env'>,
): Promise<readonly Result[]> {
  let hasBegun = false;
  async function requestPage(place: Place): Promise<Result> {
    const page = await request(place);
    hasBegun = true;
    return page;
  }
  return allPages(wait)({ ...work, request: requestPage }).catch((cause: unknown) => {
    if (!hasBegun) throw cause;
    throw new ConsoleProblem(500, `A part of it was done. ${problemOf(cause, env).detail}`, { cause });
  });
}

function read<Schema extends v.GenericSchema>(schema: Schema, body: unknown): v.InferOutput<Schema> {
  const request = v.safeParse(schema, body);
  if (request.success) return request.output;
  const [issue] = request.issues;
  throw new ConsoleProblem(400, `${v.getDotPath(issue) ?? 'The body'}: ${issue.message}.`);
}
