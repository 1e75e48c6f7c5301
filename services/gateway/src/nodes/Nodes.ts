import {
  createPool,
  MAX_RETRY_AFTER_MS,
  type Member,
  type Observation,
  type Observe,
  type Pool,
} from '@firn/rpc'
import { backoff } from '@firn/runtime'

/** URLs of a node for HTTP and for WebSockets. */
export interface NodeAddress {
  readonly url: URL
  /** URL for WebSocket connections. */
  readonly socketUrl: URL
  /** Whether `url` accepts HTTP requests. False if it is a WebSocket URL. */
  readonly hasHttp: boolean
}

/** A node of a chain and its current state. */
export type Node = Member<NodeAddress>

/** The nodes of a chain. */
export interface Nodes extends Pick<Pool<NodeAddress>, 'begin' | 'succeeded' | 'failed' | 'attempt'> {
  readonly all: readonly Node[]
  /** Observes a request to a node, for metrics and traces. */
  readonly observe: Observe
  /**
   * Returns the nodes in the order in which they should be tried: available nodes sorted by load, then nodes that
   * failed recently, sorted by the end of their cool-down. Nodes that currently refuse requests, and nodes of another
   * chain, are omitted. Calls with the same `home` usually get the same first node.
   */
  order(home?: string): readonly Node[]
  /** Records whether a node serves the configured chain. */
  identified(node: Node, isRight: boolean): void
  /** Returns whether the node's last answer was a success and the node serves the configured chain. */
  isUp(node: Node): boolean
  /** Milliseconds until a node accepts requests again, from one second to `MAX_RETRY_AFTER_MS`. */
  readonly retryAfterMs: number
}

const MIN_COOLDOWN_MS = 1_000
const MAX_COOLDOWN_MS = 30_000

/**
 * Creates the nodes of a chain from their URLs. For an `http` or `https` URL that ends with `/rpc`, the
 * WebSocket URL ends with `/ws`.
 */
export function createNodes(
  urls: readonly URL[],
  now: () => number,
  random: () => number,
  observe: Observe,
): Nodes {
  const cooldownMs = (failures: number) =>
    backoff(failures, { random, first: MIN_COOLDOWN_MS, longest: MAX_COOLDOWN_MS })
  const pool = createPool({ values: urls.map(toAddress), now, cooldownMs })
  const { members, begin, succeeded, failed, attempt } = pool
  const wrong = new Set<Node>()
  let turn = 0
  return {
    all: members,
    observe,
    begin,
    succeeded,
    failed,
    attempt,
    order(home) {
      const time = now()
      const first = (home === undefined ? turn++ : hash(home)) % members.length
      const load = ({ inFlight }: Node) => (home === undefined ? inFlight : 0)
      const usable = [...members.slice(first), ...members.slice(0, first)]
        .filter((node) => !wrong.has(node) && node.throttledUntil <= time)
        .sort((one, other) => load(one) - load(other))
      return pool.order(usable)
    },
    identified(node, isRight) {
      if (isRight) wrong.delete(node)
      else wrong.add(node)
    },
    isUp: (node) => node.isUp && !wrong.has(node),
    get retryAfterMs() {
      const waits = members
        .filter((node) => !wrong.has(node))
        .map(({ throttledUntil }) => throttledUntil - now())
      return Math.max(MIN_COOLDOWN_MS, Math.min(...waits, MAX_RETRY_AFTER_MS))
    },
  }
}

/** Starts to observe a request that the gateway sends without `@firn/rpc`, because its answer is streamed. */
export function observeForwarded(
  { observe }: Nodes,
  { value }: Node,
  methods: readonly string[],
): Observation {
  return observe({ upstream: value.url.host, methods })
}

function toAddress(url: URL): NodeAddress {
  const hasHttp = url.protocol.startsWith('http')
  const socketUrl = new URL(url)
  if (hasHttp) {
    socketUrl.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    // Avalanche nodes serve HTTP at `/rpc` and WebSockets at `/ws`.
    socketUrl.pathname = url.pathname.replace(/\/rpc$/, '/ws')
  }
  return { url, socketUrl, hasHttp }
}

function hash(text: string): number {
  let sum = 0
  for (let i = 0; i < text.length; i++) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) >>> 0
  return sum
}
