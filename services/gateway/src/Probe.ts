import type { GatewayContext } from './Context.ts'
import { type Asking, forward } from './Forward.ts'
import type { Node, Nodes } from './Nodes.ts'

const BODY = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}')
const INTERVAL_MS = 15_000
const PATIENCE_MS = 5_000
const LONGEST_ANSWER = 65_536

/** What {@link startProbes} needs. */
export type ProbeOptions = Pick<GatewayContext, 'agents' | 'log'> & {
  readonly nodes: Nodes
  /** The EVM chain id that the nodes must have; undefined where it isn't known. */
  readonly chainId: bigint | undefined
}

/** Asks every node for its chain now and then; resolves when all were asked once, to what ends it. */
export async function startProbes(options: ProbeOptions): Promise<() => void> {
  const stop = new AbortController()
  const round = () => Promise.all(options.nodes.all.map((node) => probe(node, options, stop.signal)))
  await round()
  const timer = setInterval(() => void round(), INTERVAL_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    stop.abort()
  }
}

async function probe(node: Node, options: ProbeOptions, stop: AbortSignal): Promise<void> {
  const { nodes, agents, chainId, log } = options
  if (!node.hasHttp) return
  // Alone, so that no other node answers in its place.
  const alone: Nodes = { ...nodes, order: () => [node], begin: () => () => undefined, retryAfterMs: 0 }
  const limits = { answerMs: PATIENCE_MS, answerBytes: LONGEST_ANSWER }
  const asking: Asking = { nodes: alone, agents, limits }
  const signal = AbortSignal.any([stop, AbortSignal.timeout(PATIENCE_MS)])
  try {
    const answer = await forward(asking, {
      body: BODY,
      isRepeatable: true,
      isAnswered: true,
      home: undefined,
      signal,
    })
    const parts: Uint8Array[] = []
    for await (const part of answer.parts) parts.push(part)
    const { result } = JSON.parse(Buffer.concat(parts).toString()) as { result?: unknown }
    const isRight = chainId === undefined || result === `0x${chainId.toString(16)}`
    nodes.identified(node, isRight)
    if (!isRight)
      log.warn({ url: node.url.host, expected: chainId, actual: result }, 'a node serves another chain')
  } catch (error) {
    if (!stop.aborted) log.warn({ url: node.url.host, err: error }, 'a node does not answer')
  }
}
