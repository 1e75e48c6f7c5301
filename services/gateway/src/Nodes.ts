import { createPool, type Member, type Pool } from '@firn/rpc'

/** The address of a node. */
export interface NodeAddress {
  readonly url: URL
  /** URL of its WebSocket. */
  readonly socketUrl: URL
  /** Whether `url` accepts HTTP requests; false if it is a WebSocket's. */
  readonly hasHttp: boolean
}

/** A node of a chain and its state. */
export type Node = Member<NodeAddress>

/** The nodes of a chain. */
export interface Nodes extends Pick<Pool<NodeAddress>, 'begin' | 'succeeded' | 'failed' | 'attempt'> {
  readonly all: readonly Node[]
  /**
   * Returns the nodes to ask, the best first: available ones by their load, then those that failed recently.
   * Nodes that asked to be left alone and those of another chain are omitted. The first is mostly the same
   * for the same `home`.
   */
  order(home?: string): readonly Node[]
  /** Records whether a node serves this chain. */
  identified(node: Node, isRight: boolean): void
  /** Returns whether a node's last answer succeeded and it serves this chain. */
  isUp(node: Node): boolean
  /** Milliseconds until the first of them accepts requests again. */
  readonly retryAfterMs: number
}

const MIN_REST_MS = 1_000
const MAX_REST_MS = 30_000
const MAX_REFUSAL_MS = 60_000

/**
 * Returns the nodes at `http` and `https` URLs, whose WebSocket is at `/ws` instead of `/rpc`, and at `ws`
 * and `wss` URLs.
 */
export function createNodes(urls: readonly URL[], now: () => number, random: () => number): Nodes {
  const restMs = (failures: number) => {
    const rest = Math.min(MIN_REST_MS * 2 ** (failures - 1), MAX_REST_MS)
    return rest / 2 + (rest / 2) * random()
  }
  const { members, begin, succeeded, failed, attempt } = createPool({
    values: urls.map(toAddress),
    now,
    restMs,
  })
  const wrong = new Set<Node>()
  let turn = 0
  return {
    all: members,
    begin,
    succeeded,
    failed,
    attempt,
    order(home) {
      const time = now()
      const first = (home === undefined ? turn++ : hash(home)) % members.length
      const resting = ({ restsUntil }: Node) => Number(restsUntil > time)
      const load = ({ inFlight }: Node) => (home === undefined ? inFlight : 0)
      return [...members.slice(first), ...members.slice(0, first)]
        .filter((node) => !wrong.has(node) && node.refusesUntil <= time)
        .sort((one, other) => resting(one) - resting(other) || load(one) - load(other))
    },
    identified(node, isRight) {
      if (isRight) wrong.delete(node)
      else wrong.add(node)
    },
    isUp: (node) => node.isUp && !wrong.has(node),
    get retryAfterMs() {
      const until = members.filter((node) => !wrong.has(node)).map(({ refusesUntil }) => refusesUntil)
      return until.length === 0 ? MAX_REFUSAL_MS : Math.max(MIN_REST_MS, Math.min(...until) - now())
    },
  }
}

function toAddress(url: URL): NodeAddress {
  const hasHttp = url.protocol.startsWith('http')
  const socketUrl = new URL(url)
  if (hasHttp) {
    socketUrl.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    // Avalanche nodes serve both side by side.
    socketUrl.pathname = url.pathname.replace(/\/rpc$/, '/ws')
  }
  return { url, socketUrl, hasHttp }
}

function hash(text: string): number {
  let sum = 0
  for (let i = 0; i < text.length; i++) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) >>> 0
  return sum
}
