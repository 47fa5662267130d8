import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '@payhooks/cdk-local';
import { onTestFinished } from 'vitest';

export type QueryAnswer =
  | { readonly xml: string }
  | { readonly json: unknown }
  | { readonly error: string; readonly message: string };
/** Answers an operation of AWS; lists among the parameters are `Names.member.1` and so on. */
export type Operation = (parameters: Readonly<Record<string, string>>) => QueryAnswer;

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** One `<member>` with these fields, for an answer in XML. */
export const member = (fields: Readonly<Record<string, string | number | boolean>>): string =>
  `<member>${Object.entries(fields)
    .map(([name, value]) => `<${name}>${escaped(String(value))}</${name}>`)
    .join('')}</member>`;

export const element = (name: string, value: string): string => `<${name}>${escaped(value)}</${name}>`;

/** The values of a list parameter. */
export const valuesOf = (parameters: Readonly<Record<string, string>>, list: string): string[] =>
  Object.entries(parameters)
    .filter(([name]) => name.startsWith(`${list}.member.`))
    .map(([, value]) => value);

/** AWS on loopback, in the protocols that CloudFormation, IAM, SNS and CloudWatch speak, until the test ends. */
export async function startAwsQuery(operations: Readonly<Record<string, Operation>>) {
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const target = request.headers['x-amz-target'];
    const isJson = typeof target === 'string';
    const parameters = isJson ? flat(JSON.parse(body)) : Object.fromEntries(new URLSearchParams(body));
    const action = isJson ? (target.split('.').at(-1) ?? '') : (parameters['Action'] ?? '');
    calls.push(action);
    const answer = operations[action]?.(parameters) ?? { error: 'InvalidAction', message: `No ${action}` };
    if ('json' in answer) {
      response.setHeader('content-type', 'application/x-amz-json-1.0');
      response.end(JSON.stringify(answer.json));
    } else if ('xml' in answer) {
      response.end(`<${action}Response><${action}Result>${answer.xml}</${action}Result></${action}Response>`);
    } else {
      response.statusCode = 403;
      const { error, message } = answer;
      response.end(
        isJson
          ? JSON.stringify({ __type: error, message })
          : `<ErrorResponse><Error>${element('Code', error)}${element('Message', message)}</Error></ErrorResponse>`,
      );
    }
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => closeServer(server));
  return { url, calls };
}

function flat(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      Array.isArray(value)
        ? value.map((one, index) => [`${name}.member.${index + 1}`, String(one)])
        : [[name, String(value)]],
    ),
  );
}
