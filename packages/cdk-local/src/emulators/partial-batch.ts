type Json = Readonly<Record<string, unknown>>;
type Entries = readonly Json[];

/** A batch of which a service carries out only a part. */
export interface PartialBatch {
  /** What is carried out; `undefined` when nothing of it is. */
  readonly request: Json | undefined;
  /** The response to the whole batch, from that to the part, which is `{}` when nothing was carried out. */
  complete(response: Json): Json;
}

/** Of a list, every second entry is left out, beginning with the first. */
const taken = <Entry>(entries: readonly Entry[]): Entry[] => entries.filter((_, index) => index % 2 === 1);
const left = <Entry>(entries: readonly Entry[]): Entry[] => entries.filter((_, index) => index % 2 === 0);

const batches: Readonly<Record<string, (request: Json) => PartialBatch>> = {
  BatchGetItem: (request) =>
    ofTables(request, 'UnprocessedKeys', (table, choose) => {
      const { Keys, ...rest } = table as { readonly Keys: Entries };
      return { ...rest, Keys: choose(Keys) };
    }),
  BatchWriteItem: (request) =>
    ofTables(request, 'UnprocessedItems', (table, choose) => choose(table as Entries)),
  PutEvents: ofEvents,
  SendMessageBatch: ofMessages,
  DeleteMessageBatch: ofMessages,
  ChangeMessageVisibilityBatch: ofMessages,
};

/** `undefined` for an operation that is no batch. */
export function partialBatch(operation: string, request: Json): PartialBatch | undefined {
  return Object.hasOwn(batches, operation) ? batches[operation]?.(request) : undefined;
}

type Choose = <Entry>(entries: readonly Entry[]) => Entry[];

/** A batch of DynamoDB: each table has its own entries. */
function ofTables(
  request: Json,
  unprocessed: string,
  choose: (table: unknown, some: Choose) => unknown,
): PartialBatch {
  const tables = Object.entries(request['RequestItems'] as Json);
  const part = (some: Choose) =>
    Object.fromEntries(
      tables
        .map(([name, table]) => [name, choose(table, some)] as const)
        .filter(([, table]) => entriesOf(table).length > 0),
    );
  const now = part(taken);
  return {
    request: Object.keys(now).length === 0 ? undefined : { ...request, RequestItems: now },
    complete: (response) => ({ Responses: {}, ...response, [unprocessed]: part(left) }),
  };
}

const entriesOf = (table: unknown): Entries =>
  Array.isArray(table) ? table : (table as { readonly Keys: Entries }).Keys;

function partOf(request: Json): { readonly entries: Entries; readonly request: Json | undefined } {
  const entries = request['Entries'] as Entries;
  const now = taken(entries);
  return { entries, request: now.length === 0 ? undefined : { ...request, Entries: now } };
}

/** EventBridge responds with one result per entry, in their order. */
function ofEvents(whole: Json): PartialBatch {
  const { entries, request } = partOf(whole);
  return {
    request,
    complete({ FailedEntryCount = 0, Entries = [] }) {
      const results = [...(Entries as Entries)];
      const failure = { ErrorCode: 'InternalFailure', ErrorMessage: 'This fault is simulated.' };
      return {
        FailedEntryCount: Number(FailedEntryCount) + left(entries).length,
        Entries: entries.map((_, index) => (index % 2 === 0 ? failure : results.shift())),
      };
    },
  };
}

/** SQS names the entries that failed by their ids. */
function ofMessages(whole: Json): PartialBatch {
  const { entries, request } = partOf(whole);
  return {
    request,
    complete({ Successful = [], Failed = [] }) {
      const failed = left(entries).map(({ Id }) => ({
        Id,
        ...{ SenderFault: false, Code: 'InternalError', Message: 'This fault is simulated.' },
      }));
      return { Successful, Failed: [...(Failed as Entries), ...failed] };
    },
  };
}
