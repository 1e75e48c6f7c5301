/** A node of a chain, and how it has been doing. */
export interface Node {
  readonly url: URL
  /** Where its websocket is. */
  readonly socketUrl: URL
  /** Whether requests go to `url`: not where that is a websocket's. */
  readonly hasHttp: boolean
  readonly isUp: boolean
}

/** The nodes of a chain. */
export interface Nodes {
  readonly all: readonly Node[]
  /**
   * The nodes to ask, the best first: those that are well and have the least to do, then those that failed lately. None that said
   * when to come again, or that serve another chain. Of the same `home` the first is mostly the same.
   */
  order(home?: string): readonly Node[]
  /** A request that is under way; the result ends it. */
  begin(node: Node): () => void
  succeeded(node: Node): void
  /** What went wrong lately makes the node come last for a while, longer each time; `refusesMs`: it is not asked for so long. */
  failed(node: Node, refusesMs?: number): void
  /** Whether it serves this chain. */
  identified(node: Node, isRight: boolean): void
  /** Milliseconds until the first of them takes requests again. */
  readonly retryAfterMs: number
}

interface State extends Node {
  isUp: boolean
  inFlight: number
  failures: number
  restsUntil: number
  refusesUntil: number
  isWrong: boolean
}

const FIRST_REST = 1_000
const LONGEST_REST = 30_000
const LONGEST_REFUSAL = 60_000

/** The nodes of URLs: of `http` and `https`, whose websocket is at `/ws` in place of `/rpc`, and of `ws` and `wss`. */
export function createNodes(urls: readonly URL[], now: () => number, random: () => number): Nodes {
  const states = urls.map(stateOf)
  let turn = 0
  const order = (home?: string): readonly State[] => {
    const time = now()
    const able = states.filter((state) => !state.isWrong && state.refusesUntil <= time)
    const first = home === undefined ? turn++ : hash(home)
    const rank = (state: State) =>
      (states.indexOf(state) - (first % states.length) + states.length) % states.length
    const load = (state: State) => (home === undefined ? state.inFlight : 0)
    return able.sort(
      (one, other) =>
        Number(one.restsUntil > time) - Number(other.restsUntil > time) ||
        load(one) - load(other) ||
        rank(one) - rank(other),
    )
  }
  const find = (node: Node): State => node as State
  return {
    all: states,
    order,
    begin(node) {
      const state = find(node)
      state.inFlight++
      return () => {
        state.inFlight--
      }
    },
    succeeded(node) {
      Object.assign(find(node), { failures: 0, restsUntil: 0, isUp: !find(node).isWrong })
    },
    failed(node, refusesMs) {
      const state = find(node)
      const rest = Math.min(FIRST_REST * 2 ** state.failures, LONGEST_REST)
      state.failures++
      state.isUp = false
      // Not all of them at once.
      state.restsUntil = now() + rest / 2 + (rest / 2) * random()
      if (refusesMs !== undefined) state.refusesUntil = now() + Math.min(refusesMs, LONGEST_REFUSAL)
    },
    identified(node, isRight) {
      find(node).isWrong = !isRight
      if (!isRight) find(node).isUp = false
    },
    get retryAfterMs() {
      const until = states.filter(({ isWrong }) => !isWrong).map(({ refusesUntil }) => refusesUntil)
      return until.length === 0 ? LONGEST_REFUSAL : Math.max(FIRST_REST, Math.min(...until) - now())
    },
  }
}

function stateOf(url: URL): State {
  const hasHttp = url.protocol.startsWith('http')
  const socketUrl = new URL(url)
  if (hasHttp) {
    socketUrl.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    // Nodes of Avalanche have both side by side.
    socketUrl.pathname = url.pathname.replace(/\/rpc$/, '/ws')
  }
  return {
    url,
    socketUrl,
    hasHttp,
    isUp: true,
    inFlight: 0,
    failures: 0,
    restsUntil: 0,
    refusesUntil: 0,
    isWrong: false,
  }
}

function hash(text: string): number {
  let sum = 0
  for (let i = 0; i < text.length; i++) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) >>> 0
  return sum
}
