import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { eventBody } from '../../doubles/event-body.ts';
import type { Deployment } from './deployment.ts';
import type { AlarmFault } from './fault.ts';

/** The maximum of DynamoDB. */
const itemBytesMax = 400 * 1024;

/** Bodies that arrive one after another, and are counted every minute. */
const sending =
  (...bodies: readonly Uint8Array[]): AlarmFault['cause'] =>
  async ({ state, post, pass }) => {
    state.minutesPerCount = 1;
    for (const body of bodies) {
      await post(body);
      await pass(1);
    }
    await pass(1);
  };

const quarantined = JSON.parse(Buffer.from(eventBody({ id: 'mislabelled', order: 'order-1' })).toString());

/** Fills the row of an order up to the last few bytes. */
async function fillOrder({ client }: Deployment, orderId: string): Promise<void> {
  const Key = { order_key: { S: `live:order:${orderId}` } };
  const { Item = {} } = await client.send(new GetItemCommand({ TableName: 'orders', Key }));
  const texts = Object.entries(Item).flatMap(([name, { S = '', SS = [] }]) => [name, S, ...SS]);
  const bytes = Buffer.byteLength(['filler', ...texts].join(''));
  await client.send(
    new UpdateItemCommand({
      TableName: 'orders',
      Key,
      UpdateExpression: 'SET filler = :filler',
      ExpressionAttributeValues: { ':filler': { S: 'f'.repeat(itemBytesMax - bytes - 20) } },
    }),
  );
}

/** What waits for a person, and a count that does not run. */
export const waitingFaults: Readonly<Record<string, AlarmFault>> = {
  EventsUnassigned: {
    what: 'a refund names no order, and its payment is unknown',
    cause: sending(eventBody({ id: 'refund', action: 'refunded' })),
  },
  EventsQuarantined: {
    what: 'a live key signs a sandbox event',
    cause: sending(Buffer.from(JSON.stringify({ ...quarantined, sandbox: true }))),
  },
  OrdersFull: {
    what: 'a payment no longer fits into the row of its order',
    async cause(deployment) {
      await sending(eventBody({ id: 'first', order: 'order-1' }))(deployment);
      await fillOrder(deployment, 'order-1');
      await sending(eventBody({ id: 'second', order: 'order-1' }))(deployment);
    },
  },
  EventConflicts: {
    what: 'a second body has the id of another event',
    cause: sending(
      eventBody({ id: 'contested', order: 'order-1' }),
      eventBody({ id: 'contested', order: 'order-1', amount: '1.00' }),
    ),
  },
  EventsUnrecognised: { what: 'a signed body is no event', cause: sending(Buffer.from('hello')) },
  EventNamesUnknown: {
    what: 'an event has a name without a meaning',
    cause: sending(eventBody({ id: 'unknown', action: 'reversed', order: 'order-1' })),
  },
  WaitingCountSilent: {
    what: 'what waits is not counted for 15 minutes',
    async cause({ faults, pass }) {
      faults.waiting = new Error('DynamoDB is unavailable');
      await pass(17);
    },
  },
};
