import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RouteList } from '@firn/http'
import { Console, type LandingPage, Operators } from '@firn/operate'
import { REFUSALS } from '../GatewayError.ts'
import type { GatewayContext } from '../request/Context.ts'
import { asGatewayError } from '../request/Refused.ts'
import { CHAIN_PATHS, probeKeys } from '../request/Route.ts'
import { VERSION } from '../Version.ts'
import type { Metrics } from './Metrics.ts'

/** Sends the response of an operator endpoint. */
type Send = (
  response: ServerResponse,
  context: GatewayContext,
  metrics: Metrics,
  request: IncomingMessage,
) => Promise<void>

/** Operator endpoints by path. */
const OPERATIONS: Readonly<Record<string, Send>> = {
  '/': sendConsole,
  '/console/{asset}': sendConsole,
  '/health': sendHealth,
  '/metrics': sendMetrics,
  '/operate/{data}': sendOperate,
}

/** All routes of the gateway. WebSocket connections are GET requests. */
export const ROUTES: readonly RouteList.Route[] = [
  ...Object.keys(OPERATIONS).map((path) => ({ method: 'GET', path })),
  ...CHAIN_PATHS.flatMap((path) => [
    { method: 'POST', path },
    { method: 'GET', path },
  ]),
]

/**
 * Responds to GET requests for the console, `/health` and `/metrics`, and to all requests below `/operate/`. Returns
 * false for all other requests.
 */
export function answerOperator(
  request: IncomingMessage,
  response: ServerResponse,
  context: GatewayContext,
  metrics: Metrics,
): boolean {
  const { url = '' } = request
  const isOperate = Operators.isPath(url.split('?')[0] ?? '')
  const work = OPERATIONS[url] ?? (isOperate ? sendOperate : Console.isPath(url) ? sendConsole : undefined)
  // Requests of any method for operators are answered here, because the others are answered to every origin.
  if (work === undefined || (request.method !== 'GET' && !isOperate)) return false
  let end = () => {}
  try {
    end = context.admission.begin({ keys: probeKeys(request, context), bypass: undefined })
  } catch (error) {
    response.writeHead(REFUSALS[asGatewayError(error).code].http).end()
    return true
  }
  void work(response, context, metrics, request)
    .catch((error: unknown) => fail(error, response, context))
    .finally(end)
  return true
}

/** Ends the response to a request that failed, for example because a file cannot be read now. */
function fail(err: unknown, response: ServerResponse, { log }: GatewayContext): void {
  log.warn({ err }, 'request of an operator failed')
  if (response.headersSent) response.destroy()
  else response.writeHead(500).end()
}

async function sendMetrics(response: ServerResponse, _: GatewayContext, metrics: Metrics): Promise<void> {
  const text = await metrics.text()
  response.writeHead(200, { 'content-type': metrics.contentType }).end(text)
}

/** Sends 200 if every chain has a node that responds, otherwise 503. */
async function sendHealth(response: ServerResponse, context: GatewayContext): Promise<void> {
  const health = healthOf(context)
  response
    .writeHead(health.status === 'up' ? 200 : 503, { 'content-type': 'application/json' })
    .end(JSON.stringify(health))
}

async function sendOperate(
  response: ServerResponse,
  { operators }: GatewayContext,
  _: Metrics,
  { method = '', url = '', headers, socket }: IncomingMessage,
): Promise<void> {
  const {
    status,
    headers: sent,
    body,
  } = await Operators.answer({ method, url, headers, socket, body: '' }, operators)
  response.writeHead(status, sent).end(body)
}

async function sendConsole(
  response: ServerResponse,
  context: GatewayContext,
  _: Metrics,
  { url: path = '', headers }: IncomingMessage,
): Promise<void> {
  const answer = await Console.answer({ path, headers }, () => landingOf(context))
  response.writeHead(answer.status, answer.headers).end(answer.body)
}

function landingOf(context: GatewayContext): LandingPage.Content {
  const { status, chains } = healthOf(context)
  return {
    name: 'RPC gateway',
    description: 'JSON-RPC of EVM chains. Send POST requests to the path of a chain.',
    version: VERSION,
    status,
    problems: chains
      .filter(({ up }) => up === 0)
      .map(({ chainId }) => `no node of chain ${chainId} responds`),
    links: [
      { href: '/health', title: 'Health' },
      { href: '/metrics', title: 'Prometheus metrics' },
      ...chains.map(({ chainId }) => ({
        href: `/rpc/${chainId}`,
        title: `Chain ${chainId} (POST, or WebSocket)`,
      })),
    ],
    apis: [{ kind: 'gateway', url: './' }, Operators.apiOf(context.operators)],
  }
}

function healthOf({ chains }: GatewayContext) {
  const states = [...new Set(chains.values())].map(({ id, nodes }) => ({
    chainId: id,
    nodes: nodes.all.length,
    up: nodes.all.filter(nodes.isUp).length,
  }))
  const isUp = states.every(({ up }) => up > 0)
  return { status: isUp ? 'up' : 'down', chains: states }
}
