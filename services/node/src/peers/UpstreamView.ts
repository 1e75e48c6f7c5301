import { NodeId } from '@firn/codec'
import { Peers, type Upstream, type ValidatorView } from '@firn/node-api'
import type { Logger } from '@firn/runtime'

/** Minimum time between two requests to the upstream while an answer is known, in milliseconds. */
const REFRESH_MS = 30_000
const RETRY_MS = 5_000
const MAX_AGE_MS = 600_000
const PATIENCE_MS = 3_000

/** Options of {@link createUpstreamView}. */
export interface UpstreamViewOptions {
  readonly upstream: Pick<Upstream, 'method'>
  /** Returns a time in milliseconds from an arbitrary origin. */
  readonly now: () => number
  readonly log: Pick<Logger, 'debug'>
  /**
   * Maximum time that a caller waits for a pending request while no answer is known, in milliseconds from the
   * start of the request; default 3,000.
   */
  readonly patienceMs?: number
}

interface Seen {
  /** Uptime in percent; undefined if unknown. */
  readonly uptime: number | undefined
  readonly isConnected: boolean | undefined
}

/**
 * Creates a function that returns an upstream node's measurements of the validators of the Primary Network.
 * An answer is used for 10 minutes and refreshed in the background after 30 seconds. Callers wait only while
 * no answer is known. The returned function never rejects.
 */
export function createUpstreamView({
  upstream,
  now,
  log,
  patienceMs = PATIENCE_MS,
}: UpstreamViewOptions): () => Promise<ValidatorView> {
  let known: { readonly at: number; readonly view: ValidatorView } | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let flight: Promise<void> | undefined
  const refresh = async (): Promise<void> => {
    triedAt = now()
    try {
      const result = await upstream.method('/ext/bc/P', 'platform.getCurrentValidators', {})
      known = { at: now(), view: viewOf(read(result)) }
    } catch (error) {
      log.debug({ err: error }, 'cannot get the uptimes of validators from the upstream')
    }
  }
  const usable = () => (known !== undefined && now() - known.at <= MAX_AGE_MS ? known.view : undefined)
  return async () => {
    const isDue = now() - triedAt >= (usable() === undefined ? RETRY_MS : REFRESH_MS)
    if (flight === undefined && isDue)
      flight = refresh().finally(() => {
        flight = undefined
      })
    if (usable() === undefined && flight !== undefined) await atMost(flight, triedAt + patienceMs - now())
    return usable() ?? Peers.UNKNOWN
  }
}

function viewOf(seen: ReadonlyMap<string, Seen>): ValidatorView {
  return {
    uptime: (nodeId) => {
      const percent = seen.get(Peers.key(nodeId))?.uptime
      return percent === undefined ? undefined : percent / 100
    },
    isConnected: (nodeId) => seen.get(Peers.key(nodeId))?.isConnected,
  }
}

/**
 * Parses the measurements, and skips unreadable entries. The uptimes of validators in skipped entries are
 * unknown.
 */
function read(result: unknown): ReadonlyMap<string, Seen> {
  const seen = new Map<string, Seen>()
  const { validators } = (result ?? {}) as { readonly validators?: unknown }
  if (!Array.isArray(validators)) return seen
  for (const entry of validators as readonly (Readonly<Record<string, unknown>> | null)[]) {
    const nodeId = parseNodeId(entry?.['nodeID'])
    if (nodeId === undefined) continue
    const uptime = typeof entry?.['uptime'] === 'string' ? Number(entry['uptime']) : Number.NaN
    const isConnected = entry?.['connected']
    seen.set(Peers.key(nodeId), {
      uptime: uptime >= 0 && uptime <= 100 ? uptime : undefined,
      isConnected: typeof isConnected === 'boolean' ? isConnected : undefined,
    })
  }
  return seen
}

function parseNodeId(text: unknown): Uint8Array | undefined {
  try {
    return typeof text === 'string' ? NodeId.parse(text) : undefined
  } catch {
    return undefined
  }
}

async function atMost(promise: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((settle) => {
    timer = setTimeout(settle, Math.max(0, milliseconds))
  })
  await Promise.race([promise, patience])
  clearTimeout(timer)
}
