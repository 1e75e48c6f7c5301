import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RouteList } from '@firn/http'
import type { GatewayContext } from './Context.ts'
import { REFUSALS } from './GatewayError.ts'
import type { Metrics } from './Metrics.ts'
import { asGatewayError } from './Refused.ts'
import { addressOf, CHAIN_PATHS } from './Route.ts'

/** What operators ask for, by path. */
const OPERATIONS: Readonly<Record<string, typeof sendMetrics>> = {
  '/health': sendHealth,
  '/metrics': sendMetrics,
}

/** Every route of the gateway; the websocket of a chain is reached with GET. */
export const ROUTES: readonly RouteList.Route[] = [
  ...Object.keys(OPERATIONS).map((path) => ({ method: 'GET', path })),
  ...CHAIN_PATHS.flatMap((path) => [
    { method: 'POST', path },
    { method: 'GET', path },
  ]),
]

/** What operators ask for with GET: `/health` and `/metrics`. False for other paths. */
export function answerOperator(
  request: IncomingMessage,
  response: ServerResponse,
  context: GatewayContext,
  metrics: Metrics,
): boolean {
  const work = OPERATIONS[request.url ?? '']
  if (work === undefined || request.method !== 'GET') return false
  let end = () => {}
  try {
    end = context.admission.begin({ address: addressOf(request, context), bypass: undefined })
  } catch (error) {
    response.writeHead(REFUSALS[asGatewayError(error).code].http).end()
    return true
  }
  void work(response, context, metrics).finally(end)
  return true
}

async function sendMetrics(response: ServerResponse, _: GatewayContext, metrics: Metrics): Promise<void> {
  const text = await metrics.text()
  response.writeHead(200, { 'content-type': metrics.contentType }).end(text)
}

/** Up while every chain has a node that answers. */
async function sendHealth(response: ServerResponse, { chains }: GatewayContext): Promise<void> {
  const states = [...new Set(chains.values())].map(({ id, nodes }) => ({
    chainId: id,
    nodes: nodes.all.length,
    up: nodes.all.filter(({ isUp }) => isUp).length,
  }))
  const isUp = states.every(({ up }) => up > 0)
  const body = JSON.stringify({ status: isUp ? 'up' : 'down', chains: states })
  response.writeHead(isUp ? 200 : 503, { 'content-type': 'application/json' }).end(body)
}
