import { Hex } from '@firn/codec'
import { type ConnectionOptions, connect, createPool } from '@firn/rpc'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import type { Observation } from './Context.ts'
import * as Names from './Names.ts'

/** Minimum interval between two refreshes. */
const REFRESH_MS = 30_000
const STALE_MS = 600_000
/** Timeout of each request to a node. */
const PATIENCE_MS = 5_000

type Observations = ReadonlyMap<string, Observation>

/** Options of {@link createObserver}. */
export interface ObserverOptions {
  /** Base URLs of the nodes, at least one, in order of preference. The first node that responds is used. */
  readonly urls: readonly string[]
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number
  readonly fetch?: typeof fetch
  /** Observes each request. */
  readonly observe?: ConnectionOptions['observe']
}

/**
 * Creates a function that returns a node's observations of validators, by node id in hex. Uptimes and
 * connections come from `platform.getCurrentValidators`. Versions and benched chains come from `info.peers`.
 * The version of the queried node comes from `info.getNodeVersion`, because a node is not among its own
 * peers. If no node responds, the function returns cached observations for up to 10 minutes, and then an
 * empty map.
 */
export function createObserver({ urls, now, ...transport }: ObserverOptions): () => Promise<Observations> {
  const pool = createPool({ values: urls, now })
  let seen: { readonly at: number; readonly observations: Observations } | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let flight: Promise<void> | undefined
  const refresh = async (): Promise<void> => {
    triedAt = now()
    const observations = await pool
      .attempt((url) => observe({ url, ...transport }), { isFinal: () => false })
      .catch(() => undefined)
    if (observations !== undefined) seen = { at: now(), observations }
  }
  return async () => {
    if (now() - triedAt >= REFRESH_MS && flight === undefined) {
      flight = refresh().finally(() => {
        flight = undefined
      })
    }
    // Callers wait only for the first observations. Later refreshes run in the background.
    if (seen === undefined) await flight
    return seen === undefined || now() - seen.at > STALE_MS ? new Map() : seen.observations
  }
}

type Node = Pick<ConnectionOptions, 'url' | 'fetch' | 'observe'>

async function observe(node: Node): Promise<Observations> {
  const [{ validators }, { peers }, own] = await Promise.all([
    call(node, '/ext/bc/P', 'platform.getCurrentValidators'),
    call(node, '/ext/info', 'info.peers'),
    observeItself(node),
  ])
  if (!Array.isArray(validators) || !Array.isArray(peers))
    throw new DataApiError('DATA_UPSTREAM', "the node's answer has no list of validators or no list of peers")
  const seen = [...(peers as readonly Row[]), ...own]
  const peerOf = new Map(seen.map((peer) => [String(peer['nodeID']), peer]))
  return new Map(
    (validators as readonly Row[]).flatMap(({ nodeID: nodeId, uptime, connected }) => {
      const bytes = Names.parseNodeId(String(nodeId))
      if (bytes === undefined) return []
      const peer = peerOf.get(String(nodeId))
      const percent = typeof uptime === 'string' ? Number(uptime) : Number.NaN
      const benched = Array.isArray(peer?.['benched']) ? peer['benched'].map(String) : []
      const observation = {
        uptime: percent >= 0 && percent <= 100 ? percent : undefined,
        version: typeof peer?.['version'] === 'string' ? peer['version'] : undefined,
        isConnected: peer !== undefined || (typeof connected === 'boolean' ? connected : undefined),
        benched,
      }
      return [[Hex.encodeBare(bytes), observation] as const]
    }),
  )
}

/**
 * Returns a list with the queried node, in the format of a peer in `info.peers`. The list is empty if the node does
 * not report its id and version.
 */
async function observeItself(node: Node): Promise<readonly Row[]> {
  try {
    const [{ nodeID: nodeId }, { version }] = await Promise.all([
      call(node, '/ext/info', 'info.getNodeID'),
      call(node, '/ext/info', 'info.getNodeVersion'),
    ])
    return [{ nodeID: nodeId, version }]
  } catch {
    return []
  }
}

type Row = Readonly<Record<string, unknown>>

async function call(node: Node, path: string, method: string): Promise<Row> {
  return (await connect({ ...node, path, timeoutMs: PATIENCE_MS }).call(method, {})) as Row
}
