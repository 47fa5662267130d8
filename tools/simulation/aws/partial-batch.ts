type Json = Readonly<Record<string, unknown>>;
type Entries = readonly Json[];
type TableKeys = { readonly Keys: Entries };

/** A batch of which a service carries out only a part. */
interface PartialBatch {
  /** What is carried out; `undefined` when nothing of it is. */
  readonly request: Json | undefined;
  /** The response to the whole batch, from that to the part, which is `{}` when nothing was carried out. */
  complete(response: Json): Json;
}

/** Of a list, every second entry is left out, beginning with the first. */
const taken = (entries: Entries): Entries => entries.filter((_, index) => index % 2 === 1);
const left = (entries: Entries): Entries => entries.filter((_, index) => index % 2 === 0);

const batches: Readonly<Record<string, (request: Json) => PartialBatch>> = {
  BatchGetItem: ofTables,
  PutEvents: ofEvents,
  ChangeMessageVisibilityBatch: ofMessages,
};

/** `undefined` for an operation that is no batch. */
export function partialBatch(operation: string, request: Json): PartialBatch | undefined {
  return Object.hasOwn(batches, operation) ? batches[operation]?.(request) : undefined;
}

/** DynamoDB reads each table's own keys. */
function ofTables(request: Json): PartialBatch {
  const tables = Object.entries(request['RequestItems'] as Readonly<Record<string, TableKeys>>);
  const part = (choose: (keys: Entries) => Entries) => {
    const chosen = tables.map(([name, table]) => [name, { ...table, Keys: choose(table.Keys) }] as const);
    return Object.fromEntries(chosen.filter(([, { Keys }]) => Keys.length > 0));
  };
  const now = part(taken);
  return {
    request: Object.keys(now).length === 0 ? undefined : { ...request, RequestItems: now },
    complete: (response) => ({ Responses: {}, ...response, UnprocessedKeys: part(left) }),
  };
}

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
