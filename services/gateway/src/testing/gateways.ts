import { randomBytes } from 'node:crypto'
import { UsageMetrics, type UsageStore } from '@firn/service-store'
import { database } from '@firn/sql/testing'
import { createGateway, type Gateway, type GatewayOptions } from '../Gateway.ts'
import { type Behaviour, type FakeNode, fakeNode } from './fakeNode.ts'

/** A gateway in front of fake nodes. For tests only. */
export interface TestGateway extends Gateway {
  readonly usage: UsageStore
  readonly nodes: readonly FakeNode[]
  /** Messages of the logged warnings. */
  readonly warnings: string[]
  /** Sends a POST request to the gateway's chain. */
  readonly post: (body: string | Uint8Array, options?: PostOptions) => Promise<Posted>
  /** Returns the number of counted requests for each pair of method and response code. */
  readonly counted: () => Promise<Record<string, number>>
}

/** Options of {@link TestGateway.post}. */
export interface PostOptions {
  readonly path?: string
  readonly headers?: Record<string, string>
}

/** Response to a POST request. */
export interface Posted {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

/**
 * Starts a gateway. Its nodes are the given nodes, or one new fake node for each given behaviour. For tests
 * only.
 */
export async function openGateway(
  behaviours: readonly (Behaviour | FakeNode)[],
  usage: UsageStore,
  more: Partial<GatewayOptions> = {},
): Promise<TestGateway> {
  const nodes = await Promise.all(behaviours.map((one) => (typeof one === 'function' ? fakeNode(one) : one)))
  const warnings: string[] = []
  const urls = nodes.map(({ url }) => url) as [URL, ...URL[]]
  const gateway = await createGateway({
    chains: [{ names: ['43114', 'C'], urls }],
    usage,
    host: '127.0.0.1',
    port: 0,
    now: () => performance.timeOrigin + performance.now(),
    random: { bytes: randomBytes, number: Math.random },
    log: { info: () => undefined, warn: (_facts, message) => void warnings.push(message) },
    ...more,
  })
  return {
    ...gateway,
    usage,
    nodes,
    warnings,
    async post(body, { path = '/rpc/43114', headers = {} } = {}) {
      const answer = await fetch(gateway.url + path, {
        method: 'POST',
        body: body as string,
        headers: { 'content-type': 'application/json', ...headers },
      })
      return { status: answer.status, text: await answer.text(), headers: answer.headers }
    },
    async counted() {
      await gateway.flush()
      const rows = await database(usage)
        .selectFrom('usage')
        .selectAll()
        .orderBy('method')
        .orderBy('status')
        .execute()
      const sums: Record<string, number> = {}
      for (const { method, status, requests } of rows) {
        const key = `${method} ${status}`
        sums[key] = (sums[key] ?? 0) + Number(requests)
      }
      return sums
    },
    async close() {
      await gateway.close()
      await Promise.all(nodes.map((node) => node.close()))
    },
  }
}

/** Returns the sum of all counted credits. For tests only. */
export async function creditsOf(usage: UsageStore): Promise<number> {
  const query = { interval: 'monthly', from: 0n, to: 10_000_000_000n, limit: 10 } as const
  return (await UsageMetrics.read(usage, query)).reduce((sum, { credits }) => sum + Number(credits), 0)
}

/** Returns the JSON body of a call. For tests only. */
export function call(method: string, id: unknown = 1, params: unknown = []): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}
