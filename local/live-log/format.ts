import type { styleText } from 'node:util';
import { printable, shortId } from '../../operator/printable.ts';
import type { LiveLogEntry } from './entry.ts';

type Colour = Parameters<typeof styleText>[0];
export type Paint = (colour: Colour, text: string) => string;

/** One line: time, stage, what happened, the event, the order and the reason. */
export function formatEntry(entry: LiveLogEntry, paint: Paint): string {
  const { fields, sinceAcceptedMilliseconds: sinceAccepted } = entry;
  const [what, colour] = describe(entry);
  const details = [
    fields.event_name && printable(fields.event_name),
    fields.event_id && paint('dim', shortId(fields.event_id)),
    fields.order_id && paint('bold', printable(fields.order_id, 40)),
    fields.mode === 'sandbox' && paint('magenta', 'sandbox'),
    statusChange(entry),
    fields.sequence !== undefined && paint('dim', `sequence ${fields.sequence}`),
    fields.reason && paint(colour, reasonOf(fields.reason, fields.status)),
    fields.error_name && printable(fields.error_name),
    fields.error_code && printable(fields.error_code),
    ...operations(entry, paint),
    fields.bytes !== undefined && paint('dim', `${fields.bytes} bytes`),
    sinceAccepted !== null && paint('dim', `${sinceAccepted} ms`),
  ];
  const time = paint('dim', localTime(entry.at));
  const stage = printable(entry.stage, 13).padEnd(11);
  return [`${time}  ${stage} ${paint(colour, what.padEnd(12))}`, ...details.filter(Boolean)]
    .join('  ')
    .trimEnd();
}

const outcomeColours: Readonly<Record<string, Colour>> = {
  applied: 'green',
  recorded: 'cyan',
  unassigned: 'yellow',
  duplicate: 'dim',
  conflict: 'yellow',
  quarantined: 'yellow',
  unrecognised: 'yellow',
  unsealed: 'red',
};

function describe({ message, level, fields }: LiveLogEntry): readonly [string, Colour] {
  const outcome = fields.outcome ?? '';
  if (message === 'event handled') return [printable(outcome, 14), outcomeColours[outcome] ?? 'cyan'];
  if (message === 'webhook accepted') return ['accepted', 'green'];
  if (message === 'webhook refused') return [`refused ${fields.status ?? ''}`, 'red'];
  if (message === 'webhook failed') return [`failed ${fields.status ?? ''}`, 'red'];
  if (message === 'record will be retried') return ['will retry', 'yellow'];
  if (message === 'order change published') return ['published', 'green'];
  if (message === 'order change not published') return ['not published', 'red'];
  if (message === 'alarm changed') return [printable(fields.alarm ?? ''), alarmColour(fields)];
  if (message === 'waiting counted')
    return ['waiting', fields.detail === 'nothing waits' ? 'green' : 'yellow'];
  if (message === 'webhook audited') return ['audited', fields.findings === 0 ? 'green' : 'yellow'];
  if (message === 'webhook audit found') return [printable(fields.kind ?? '').replaceAll('_', ' '), 'red'];
  if (message === 'rotation step done') return [printable(fields.step ?? ''), 'cyan'];
  if (message === 'rotation step failed') return [printable(fields.step ?? ''), 'red'];
  return [printable(message), level === 'error' ? 'red' : level === 'warn' ? 'yellow' : 'cyan'];
}

const alarmColour = ({ alarm_state: state }: LiveLogEntry['fields']): Colour =>
  state === 'ALARM' ? 'red' : 'green';

/** Long enough for sentences and commands, which are useless when they are cut. */
const sentenceCharactersMax = 1_000;

/** The details of an audit, a rotation or an alarm. */
function operations({ fields }: LiveLogEntry, paint: Paint): readonly (string | undefined | false)[] {
  const { alarm_state: state, findings, detail, command } = fields;
  return [
    fields.step && (fields.outcome ? printable(fields.outcome) : 'failed'),
    state && paint(alarmColour(fields), printable(state)),
    findings !== undefined && (findings === 0 ? 'nothing is wrong' : `wrong: ${findings}`),
    detail && printable(detail, sentenceCharactersMax),
    command && `→ ${paint('bold', printable(command, sentenceCharactersMax))}`,
  ];
}

/** A 403 is always about the signature. */
function reasonOf(reason: string, status: number | undefined): string {
  return status === 403 ? `signature ${printable(reason)}` : printable(reason);
}

/** Only the feed knows what an order was before. */
function statusChange({ fields }: LiveLogEntry): string | undefined {
  if (fields.order_status === undefined) return undefined;
  const before = fields.previous_status === undefined ? '' : `${printable(fields.previous_status)} `;
  return `${before}→ ${printable(fields.order_status)}`;
}

function localTime(at: string): string {
  const moment = new Date(at);
  const milliseconds = String(moment.getMilliseconds()).padStart(3, '0');
  return `${moment.toLocaleTimeString('en-GB')}.${milliseconds}`;
}
