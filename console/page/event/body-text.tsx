import { useMemo, useState } from 'preact/hooks';
import { Code } from '../parts/code.tsx';
import { Icon } from '../parts/icon.tsx';
import { counted, visibleText } from '../parts/texts.ts';
import { prettyLines } from './pretty-json.ts';
import { readBody } from './read-body.ts';

const textBytesMax = 4_096;

/** A body: pretty JSON whose customer data is masked until the reader unmasks it, or its bytes as text. */
export function BodyText({ base64, label }: { readonly base64: string; readonly label: string }) {
  const [isShown, setShown] = useState(false);
  const body = useMemo(() => readBody(base64), [base64]);
  const isJson = body.kind === 'json';
  const size = counted(body.bytes.length, 'byte');
  const cut =
    body.bytes.length > textBytesMax ? `; the first ${counted(textBytesMax, 'byte')} are shown` : '';
  const text = isJson
    ? prettyLines(body.value)
        .map((line) => visibleText(isShown ? line.text : line.masked))
        .join('\n')
    : visibleText(new TextDecoder().decode(body.bytes.subarray(0, textBytesMax)));
  return (
    <div class="stack">
      <p class="row">
        <span class="muted">{isJson ? `${size} of JSON, decoded` : `${body.why} It has ${size}${cut}.`}</span>
        <CustomerDataButton isShown={isShown} toggle={() => setShown(!isShown)} />
      </p>
      {(isJson || isShown) && <Code text={text} label={label} />}
    </div>
  );
}

export function CustomerDataButton(props: { readonly isShown: boolean; readonly toggle: () => void }) {
  const { isShown, toggle } = props;
  return (
    <button type="button" class="button small" aria-pressed={isShown} onClick={toggle}>
      <Icon name={isShown ? 'hidden' : 'eye'} size={14} />
      {isShown ? 'Mask customer data' : 'Show customer data'}
    </button>
  );
}
