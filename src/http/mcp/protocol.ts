// Answers messages of the Model Context Protocol with the official SDK. No other file loads the SDK.

import type { IncomingHttpHeaders } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  InitializeRequestSchema,
  isJSONRPCRequest,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
  McpError,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import type { ApiError, HelpTopic } from '../../errors.ts';
import { type HeaderList, JSON_TYPE } from '../server/headers.ts';
import { publicError } from '../server/send.ts';
import { type Arguments, type CallApi, TOOLS } from './tools.ts';

export interface McpAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: string;
}

/**
 * Answers one message. It makes an SDK server for each message and keeps no state, so that any process can answer the
 * next one.
 *
 * @param noteFault receives an unexpected error. The client learns only that there was one.
 */
export async function answerMessage(
  message: object,
  headers: IncomingHttpHeaders,
  callApi: CallApi,
  noteFault: (error: unknown) => void,
): Promise<McpAnswer> {
  if (!JSONRPCMessageSchema.safeParse(message).success) return invalidMessageAnswer(message);
  if (isJSONRPCRequest(message)) {
    const known = Object.hasOwn(REQUESTS, message.method) ? REQUESTS[message.method] : undefined;
    if (known !== undefined && !known.schema.safeParse(message).success)
      return invalidParamsAnswer(message.id, known.params);
  }
  const server = new Server(
    { name: 'gambling-data', title: 'Gambling data', version: '1.0.0' },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.entries(TOOLS).map(([name, { title, description, inputSchema }]) => ({
      name,
      title,
      description,
      inputSchema: { ...inputSchema },
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  }));
  // The arguments are taken from the message itself, because the SDK's copy of them lacks a property named __proto__.
  const args = (message as { readonly params?: { readonly arguments?: Arguments } }).params?.arguments ?? {};
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name } }) =>
    callTool(name, args, callApi, noteFault),
  );
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport as Parameters<Server['connect']>[0]);
    const request = new Request('http://mcp.invalid/mcp', {
      method: 'POST',
      headers: protocolHeaders(headers),
    });
    const response = await transport.handleRequest(request, { parsedBody: message });
    const type = response.headers.get('content-type');
    return {
      status: response.status,
      headers: type === null ? [] : ['Content-Type', type],
      body: await response.text(),
    };
  } finally {
    await server.close();
  }
}

/** The answer to JSON that is no message of JSON-RPC. The SDK would report a parse error instead. */
const invalidMessageAnswer = (json: { readonly id?: unknown }): McpAnswer => ({
  status: 400,
  headers: JSON_TYPE,
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: isExact(json.id) ? json.id : null,
    error: { code: ErrorCode.InvalidRequest, message: `Invalid Request: ${MESSAGE_FORM}` },
  }),
});

/** Whether an id is as the client wrote it: JSON.parse may round a number of more than 15 digits to another number. */
const isExact = (id: unknown): boolean =>
  typeof id === 'string' || (typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER);

const MESSAGE_FORM =
  'a message has jsonrpc "2.0" and a method as text; a request also has an id, which is a text or a whole number, and params, ' +
  'where there are any, are an object';

/** For each method with parameters: the schema of a request, and the required parameters in words. */
const REQUESTS: Readonly<
  Record<
    string,
    {
      readonly schema: { safeParse(message: unknown): { readonly success: boolean } };
      readonly params: string;
    }
  >
> = {
  initialize: {
    schema: InitializeRequestSchema,
    params:
      'initialize needs protocolVersion as text, capabilities as an object, and clientInfo with name and version',
  },
  'tools/list': { schema: ListToolsRequestSchema, params: 'the list of tools takes an object, or nothing' },
  'tools/call': {
    schema: CallToolRequestSchema,
    params: 'a tool call needs a name, and its arguments must be an object',
  },
};

/** The answer to a request with wrong parameters. The SDK would report an internal error instead. */
const invalidParamsAnswer = (id: RequestId, params: string): McpAnswer => ({
  status: 200,
  headers: JSON_TYPE,
  body: JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code: ErrorCode.InvalidParams, message: `Invalid params: ${params}` },
  }),
});

const INSTRUCTIONS =
  'Figures of the gambling industry: gross gaming revenue, turnover, exchange rates and country indicators, by year. ' +
  'Call list_datasets first and list_values for spellings. Give every number with its unit, its year, whether it is ' +
  'reported or a forecast, and the snapshot. Never add numbers up yourself: query_totals does, exactly, and refuses ' +
  'sums that would be wrong; tell the user what it says must not be added up, and what its notes say a sum leaves out. ' +
  'turnover lacks markets that ggr has: divide ggr by turnover only where query_rows has a row of both.';

async function callTool(
  name: string,
  args: Arguments,
  callApi: CallApi,
  noteFault: (error: unknown) => void,
): Promise<CallToolResult> {
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (tool === undefined) {
    const known = Object.keys(TOOLS).join(', ');
    throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name}. Use one of: ${known}`);
  }
  try {
    return { content: [{ type: 'text', text: JSON.stringify(await tool.answer(args, callApi)) }] };
  } catch (error) {
    const shown = publicError(error);
    if (shown !== error) noteFault(error);
    return { isError: true, content: [{ type: 'text', text: refusalText(shown) }] };
  }
}

/** All messages of an error, one per line, and the tool that helps, so that an assistant can correct its arguments. */
function refusalText({ message, details, help }: ApiError): string {
  const { formErrors = [], fieldErrors = {} } = details ?? {};
  const ofFields = Object.entries(fieldErrors).flatMap(([name, problems]) =>
    problems.map((problem) => `${name}: ${problem}`),
  );
  const hints = help.flatMap((topic) => HINTS[topic] ?? []);
  return [message, ...formErrors, ...ofFields, ...hints].join('\n');
}

const SNAPSHOTS_HINT = 'Call list_datasets without as_of: its snapshots are the retained ones.';
const DATASETS_HINT = 'Call list_datasets without dataset: it describes all of them.';

/**
 * Hints for errors whose message names an endpoint. An assistant cannot call endpoints, so the hint names the tool that
 * gives the same data.
 */
const HINTS: Readonly<Partial<Record<HelpTopic, string>>> = {
  'unknown-snapshot': SNAPSHOTS_HINT,
  'snapshot-day': SNAPSHOTS_HINT,
  'unknown-dataset': DATASETS_HINT,
  'financial-as-reference': DATASETS_HINT,
};

const PROTOCOL_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id'];

function protocolHeaders(headers: IncomingHttpHeaders): Headers {
  const passed = new Headers();
  for (const name of PROTOCOL_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') passed.set(name, value);
  }
  return passed;
}
