import { classify, connect, isRpcError, type Observe } from '@firn/rpc'
import type { GatewayLog } from '../GatewayLog.ts'
import type { Node, NodeAddress, Nodes } from './Nodes.ts'

const INTERVAL_MS = 15_000
const LIMITS = { timeoutMs: 5_000, maxResponseBytes: 65_536 } as const

/** Options of {@link startProbes}. */
export type ProbeOptions = {
  readonly log: GatewayLog
  readonly nodes: Nodes
  /** EVM chain id that the nodes must report; undefined if the id is unknown. */
  readonly chainId: bigint | undefined
}

/**
 * Requests the chain id of every node with an HTTP URL every 15 seconds. Resolves after the first round. The result
 * is a function that stops the requests.
 */
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

async function probe(node: Node, options: ProbeOptions, signal: AbortSignal): Promise<void> {
  const { nodes, chainId, log } = options
  const { url, hasHttp } = node.value
  if (!hasHttp) return
  try {
    const asked = await nodes.attempt((address) => readChainId(address, nodes.observe, signal), {
      signal,
      order: [node],
    })
    const isRight = chainId === undefined || asked?.result === `0x${chainId.toString(16)}`
    nodes.identified(node, isRight)
    if (!isRight)
      log.warn({ url: url.host, expected: chainId, actual: asked?.result }, 'node serves a different chain')
  } catch (error) {
    if (!signal.aborted) log.warn({ url: url.host, err: error }, 'node does not respond')
  }
}

/**
 * Returns the chain id that the node reports as `result`. `result` is undefined if the node answers with an error.
 */
async function readChainId(
  { url }: NodeAddress,
  observe: Observe,
  signal: AbortSignal,
): Promise<{ readonly result: unknown }> {
  try {
    return {
      result: await connect({ url: url.href, ...LIMITS, observe }).call('eth_chainId', [], { signal }),
    }
  } catch (error) {
    if (isRpcError(error) && classify(error) === 'answered') return { result: undefined }
    throw error
  }
}
