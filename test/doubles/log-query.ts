/** A line of a log group; JSON is split into fields. */
export interface LogLine {
  readonly timestamp: string;
  readonly message: string;
}

type Row = Readonly<Record<string, string>>;

/**
 * What CloudWatch Logs Insights finds: `fields`, `filter NAME in [...]`, `sort NAME desc` and `limit`. Throws for
 * anything else, and for a field that no line has.
 */
export function runLogQuery(query: string, lines: readonly LogLine[]): readonly Row[] {
  let rows: readonly Row[] = lines.map(({ timestamp, message }) => ({
    ...(JSON.parse(message) as Row),
    '@timestamp': timestamp,
  }));
  const known = new Set(rows.flatMap((row) => Object.keys(row)));
  let shown: readonly string[] = [];
  const checked = (name: string): string => {
    if (!known.has(name)) throw new Error(`No line has the field ${name}.`);
    return name;
  };
  for (const step of query.split(/^\| /m).map((text) => text.trim())) {
    const [, fields] = /^fields (.+)$/.exec(step) ?? [];
    const [, name = '', list = ''] = /^filter (\w+) in (\[.+?\])$/s.exec(step) ?? [];
    const [, sorted] = /^sort (@?\w+) desc$/.exec(step) ?? [];
    const [, limit] = /^limit (\d+)$/.exec(step) ?? [];
    if (fields !== undefined) shown = fields.split(', ').map(checked);
    else if (list !== '') {
      const wanted = JSON.parse(list) as readonly string[];
      rows = rows.filter((row) => wanted.includes(row[checked(name)] ?? ''));
    } else if (sorted !== undefined) {
      rows = rows.toSorted((a, b) => ((a[checked(sorted)] ?? '') < (b[sorted] ?? '') ? 1 : -1));
    } else if (limit !== undefined) rows = rows.slice(0, Number(limit));
    else throw new Error(`This step is not evaluated: ${step}`);
  }
  return rows.map((row) => Object.fromEntries(shown.map((name) => [name, row[name] ?? ''])));
}
