import { type Bug, edit } from './bug.ts';

/** Mistakes between the webhook and the row of its event. */
export const receivingBugs: readonly Bug[] = [
  {
    name: 'acknowledge-before-send',
    does: 'responds 202 before SQS has confirmed the message',
    edits: [
      edit(
        'verifier/verifier.ts',
        'await parts.enqueue({ body, mode, keyId, signature, receivedAt, requestId });',
        'parts.enqueue({ body, mode, keyId, signature, receivedAt, requestId }).catch(() => {});',
      ),
    ],
  },
  {
    name: 'keys-never-reread',
    does: 'reads the private keys once per instance',
    edits: [
      edit(
        'verifier/key-ring.ts',
        'if (secondsSince(goodAt) > source.maxAgeSeconds && secondsSince(triedAt) >= pause) await read();',
        'if (keys.length === 0 && secondsSince(triedAt) >= pause) await read();',
      ),
      edit(
        'verifier/key-ring.ts',
        'async reread() {\n      if (secondsSince(triedAt) >= secretRereadCooldownSeconds) await read();',
        'async reread() {',
      ),
    ],
  },
  {
    name: 'heartbeats-are-sandbox',
    does: 'takes a heartbeat for an event of the sandbox, whose flag it has',
    edits: [
      edit(
        'contract/heartbeat.ts',
        'return createHeartbeatKey(text);',
        "return { ...createHeartbeatKey(text), mode: 'sandbox' } as never;",
      ),
    ],
  },
  {
    name: 'flag-decides-the-mode',
    does: 'takes the mode from the sandbox flag of the body, not from the key',
    edits: [
      edit(
        'consumer/receive.ts',
        'const message: QueueMessage = { body, mode, keyId,',
        `const flag = /"sandbox": ?(true|false)/.exec(Buffer.from(body).toString())?.[1];
  const flagged: AnyMode = flag === undefined ? mode : flag === 'true' ? 'sandbox' : 'live';
  const message: QueueMessage = { body, mode: flagged, keyId,`,
      ),
    ],
  },
  {
    name: 'no-batch-item-failures',
    does: 'returns no `batchItemFailures`, so that Lambda deletes every message of a batch',
    edits: [edit('consumer/batch-response.ts', "({ kind }) => kind === 'retry'", '() => false')],
  },
  {
    name: 'unknown-errors-acknowledged',
    does: 'treats an error that it does not know as permanent, and drops the message',
    edits: [
      edit(
        'consumer/consumer.ts',
        'return retry(parts, record.messageId, { reason, error });',
        `reportRetry(parts.telemetry, record.messageId, { reason, error });
    return { kind: 'dropped' } as never;`,
      ),
    ],
  },
  {
    name: 'delete-before-merge',
    does: 'returns, so that the messages are deleted, while their facts are still on the way to the orders',
    edits: [
      edit(
        'consumer/consumer.ts',
        'const merges = await mergeOrders(parts, recorded);',
        'const rest = (async () => { const merges = await mergeOrders(parts, recorded);',
      ),
      edit(
        'consumer/consumer.ts',
        "const response = batchResponse([...steps.filter((step) => step.kind === 'retry'), ...settled]);",
        `return settled; })();
      rest.catch(() => {});
      const response = batchResponse(steps.filter((step) => step.kind === 'retry'));`,
      ),
    ],
  },
  {
    name: 'read-before-write',
    does: 'looks for the row of an event, and then stores it without a condition',
    edits: [
      edit(
        'aws/event-table.ts',
        'const present = await putIfAbsent(toEventItem(row, format));',
        `const found = await read(keyOf(row.key, row.record));
      const Item = toEventItem(row, format);
      if (!found) await client.send(new PutItemCommand({ TableName: tableName, Item }));
      const present = found && { item: found };`,
      ),
    ],
  },
  {
    name: 'lost-response-is-a-conflict',
    does: 'takes a failed condition for another event, also after its own write whose response was lost',
    edits: [
      edit(
        'consumer/record-event.ts',
        'if (first === undefined || !(sameBytes',
        'if (first !== null || !(sameBytes',
      ),
    ],
  },
  {
    name: 'lock-expires',
    does: 'gives the row that locks an event id a time to live',
    edits: [
      edit(
        'consumer/event-rows.ts',
        '...(bodyExpires ? {} : { body }),',
        '...(bodyExpires ? { expiresAt: bodyExpiry(settings) } : { body }),',
      ),
    ],
  },
];
