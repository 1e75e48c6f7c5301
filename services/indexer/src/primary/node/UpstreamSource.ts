import { type ChainAlias, type FirnError, isFirnError } from '@firn/codec'
import { createPool, type Member, type Pool } from '@firn/rpc'
import { type Clock, type Logger, silentLogger } from '@firn/runtime'
import { UpstreamMetrics } from '@firn/tracing'
import { Gauge, Registry } from 'prom-client'
import { IndexerError } from '../../common/IndexerError.ts'
import { createRepeats, type Repeats } from '../../common/Repeats.ts'
import { createTrust, type Trust } from '../../common/Trust.ts'
import { unexpected } from '../FeedRequests.ts'
import type { Source, SourceBlock } from '../Source.ts'
import { createNodeSource, type NodeSourceOptions } from './NodeSource.ts'
import { createNodeVertices, type NodeVertices } from './NodeVertices.ts'
import { walk } from './VertexWalk.ts'

/** Options of {@link createUpstreamSource}. */
export interface UpstreamSourceOptions {
  /** Nodes in order of preference; at least one. */
  readonly nodes: readonly NodeSourceOptions[]
  readonly clock: Clock
  /**
   * Time in milliseconds for which a node that failed or returned a wrong block is used only if no other node
   * works; default 10,000.
   */
  readonly cooldownMs?: number
  readonly log?: Logger
}

/** A node, and how far its answers are believed. */
interface Upstream {
  readonly source: Source
  readonly vertices: NodeVertices
  readonly host: string
  readonly trust: Trust
  /** For each chain, the last reported tip, and how often the node did not return a block up to it. */
  readonly claims: Map<ChainAlias, { readonly tip: bigint; readonly misses: number }>
  readonly isDue: Repeats
}

type Upstreams = Pool<Upstream> & {
  /** Records an error of a node, once. */
  readonly note: (member: Member<Upstream>, error: FirnError) => void
  /** Logs an error of a node, unless the node has failed in the same way a short time ago. */
  readonly report: (member: Member<Upstream>, error: FirnError) => void
}

/** Number of consecutive times that a node may report a tip without its blocks. An index may lag behind its chain. */
const MISSES = 4

/**
 * Combines several nodes of one network into one source. If one node fails or returns wrong blocks, another
 * node is used. A node that has returned wrong data three times is used last.
 */
export function createUpstreamSource(options: UpstreamSourceOptions): Source {
  const { nodes } = options
  if (nodes.length === 0)
    throw new IndexerError('INDEXER_CONFIGURATION', 'expected at least one upstream, got an empty list')
  const metrics = new Registry()
  const observe = UpstreamMetrics.create('firn_indexer', metrics)
  const pool = createUpstreams(options, observe)
  const { members } = pool
  addTrustMetric(members, metrics)
  return {
    name: members.map(({ value }) => value.source.name).join(', '),
    isFixed: false,
    metrics,
    tip: (chain, signal) => highestTip(pool, chain, signal),
    async blocks(chain, from, limit, signal) {
      const read = async (upstream: Upstream, member: Member<Upstream>) => {
        const found = await attempt(pool, member, () => upstream.source.blocks(chain, from, limit, signal))
        noteClaim(pool, member, chain, from, found)
        return found.length > 0 ? found : undefined
      }
      const order = byTrust(pool.order())
      return (await pool.attempt(read, { signal, order, isFinal: () => false })) ?? []
    },
    async fetchVertices(target, signal) {
      let lack: FirnError | undefined
      const read = async ({ vertices }: Upstream, member: Member<Upstream>) => {
        try {
          await attempt(pool, member, () => walk(vertices, target, options.clock.now(), signal))
          return true
        } catch (error) {
          if (!isFirnError(error) || error.code !== 'INDEXER_NO_VERTICES') throw error
          // A node without vertices can have all blocks. If another node fails, a retry can help, so its error matters.
          lack ??= error
          return undefined
        }
      }
      const order = byTrust(pool.order())
      const isFetched = await pool.attempt(read, { signal, order, isFinal: () => false })
      if (isFetched === undefined) throw lack
    },
    refuse(origin, error) {
      const member = members.find(({ value }) => value.host === origin)
      if (member === undefined) return
      pool.note(member, error)
      pool.failed(member, error)
    },
    warnings: () => members.flatMap(({ value }) => value.trust.warning() ?? []),
    close: async () => {
      for (const { value } of members) await value.source.close()
    },
  }
}

function createUpstreams(
  { nodes, clock, cooldownMs = 10_000, log = silentLogger }: UpstreamSourceOptions,
  observe: NodeSourceOptions['observe'],
): Upstreams {
  const values = nodes.map((node): Upstream => {
    const host = new URL(node.url).host
    const source = createNodeSource({ ...node, observe })
    const vertices = createNodeVertices({ ...node, observe })
    return {
      source,
      vertices,
      host,
      trust: createTrust(host, clock.now),
      claims: new Map(),
      isDue: createRepeats(clock.now, 1),
    }
  })
  const noted = new WeakSet<FirnError>()
  return {
    ...createPool({ values, now: clock.now, cooldownMs: () => cooldownMs }),
    note({ value: { host, trust } }, error) {
      if (error.code !== 'INDEXER_BLOCK' || noted.has(error)) return
      noted.add(error)
      log.warn(
        { upstream: host, code: error.code },
        `a node returned wrong or incomplete data: ${error.message}`,
      )
      trust.lied(error.message)
    },
    report({ value: { host, isDue } }, error) {
      if (error.code === 'INDEXER_BLOCK' || !isDue(error)) return
      log.warn({ upstream: host, code: error.code }, `a node fails: ${error.message}`)
    },
  }
}

/** Sorts trusted nodes before those that have returned wrong data. */
function byTrust(members: readonly Member<Upstream>[]): readonly Member<Upstream>[] {
  const place = ({ value }: Member<Upstream>) => (value.trust.isTrusted() ? 0 : 1)
  return members.toSorted((one, other) => place(one) - place(other))
}

/** Calls a node. Errors that are not typed count as errors of the node, so that another one is asked. */
async function attempt<T>(pool: Upstreams, member: Member<Upstream>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error
    const known = isFirnError(error) ? error : unexpected(error, member.value.source)
    pool.note(member, known)
    pool.report(member, known)
    throw known
  }
}

/** Records whether a node returned a block up to the tip that it reported itself. */
function noteClaim(
  pool: Upstreams,
  member: Member<Upstream>,
  chain: ChainAlias,
  from: bigint,
  found: readonly SourceBlock[],
): void {
  const { claims, host } = member.value
  const claim = claims.get(chain)
  if (claim === undefined || claim.tip < from) return
  const misses = found.length > 0 ? 0 : claim.misses + 1
  claims.set(chain, { tip: claim.tip, misses: misses % MISSES })
  if (misses < MISSES) return
  const words = `${host}: reported ${chain}-chain block ${claim.tip}, and did not return block ${from}`
  const details = { chain, height: from, reason: 'height', origin: host }
  pool.note(member, new IndexerError('INDEXER_BLOCK', words, { details }))
}

/**
 * Returns the highest tip of the trusted nodes, or of all if none of the trusted ones answers, because a lagging node
 * must not determine the tip. One answer is enough.
 */
async function highestTip(
  pool: Upstreams,
  chain: ChainAlias,
  signal: AbortSignal | undefined,
): Promise<bigint | undefined> {
  const asked = pool.members.map((member) =>
    attempt(pool, member, () => member.value.source.tip(chain, signal)),
  )
  const answers = (await Promise.allSettled(asked)).map((answer, i) => ({
    ...answer,
    member: pool.members[i] as Member<Upstream>,
  }))
  for (const answer of answers) {
    const { claims } = answer.member.value
    // A node that reports a valid tip may still return wrong blocks, so its cooldown continues.
    if (answer.status === 'rejected') pool.failed(answer.member, answer.reason)
    else if (answer.value !== undefined)
      claims.set(chain, { tip: answer.value, misses: claims.get(chain)?.misses ?? 0 })
  }
  const answered = answers.filter((answer) => answer.status === 'fulfilled')
  if (answered.length === 0) throw (answers[0] as PromiseRejectedResult).reason
  const trusted = answered.filter(({ member }) => member.value.trust.isTrusted())
  const heights = (trusted.length > 0 ? trusted : answered).flatMap(({ value }) => value ?? [])
  return heights.toSorted((one, other) => (one < other ? -1 : 1)).at(-1)
}

function addTrustMetric(members: readonly Member<Upstream>[], metrics: Registry): void {
  new Gauge({
    name: 'firn_indexer_upstream_distrusted',
    help: '1 if a node is used last because it has returned wrong data, otherwise 0.',
    labelNames: ['upstream'],
    registers: [metrics],
    collect() {
      for (const { value } of members) this.set({ upstream: value.host }, value.trust.isTrusted() ? 0 : 1)
    },
  })
}
