import type { ChainAlias } from '@firn/codec'
import { UpstreamMetrics } from '@firn/http'
import { createPool, type Pool } from '@firn/rpc'
import type { Clock } from '@firn/runtime'
import { Registry } from 'prom-client'
import { IndexerError } from './IndexerError.ts'
import { createNodeSource, type NodeSourceOptions } from './NodeSource.ts'
import type { Source, SourceBlock } from './Source.ts'

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
}

/**
 * Combines several nodes of one network into one source. If one node fails or returns wrong blocks, another
 * node is used.
 */
export function createUpstreamSource({ nodes, clock, cooldownMs = 10_000 }: UpstreamSourceOptions): Source {
  if (nodes.length === 0)
    throw new IndexerError('INDEXER_CONFIGURATION', 'expected at least one upstream, got an empty list')
  const metrics = new Registry()
  const observe = UpstreamMetrics.create('firn_indexer', metrics)
  const values = nodes.map((node) => createNodeSource({ ...node, observe }))
  const pool = createPool({ values, now: clock.now, cooldownMs: () => cooldownMs })
  const { members } = pool
  return {
    name: members.map(({ value }) => value.name).join(', '),
    isFixed: false,
    metrics,
    tip: (chain, signal) => highestTip(pool, chain, signal),
    async blocks(chain, from, limit, signal) {
      const read = async (source: Source): Promise<readonly SourceBlock[] | undefined> => {
        const found = await source.blocks(chain, from, limit, signal)
        return found.length > 0 ? found : undefined
      }
      return (await pool.attempt(read, { signal, isFinal: () => false })) ?? []
    },
    refuse(origin) {
      const member = members.find(({ value }) => new URL(value.name).host === origin)
      if (member !== undefined)
        pool.failed(member, new IndexerError('INDEXER_BLOCK', 'the upstream returned a wrong block'))
    },
    close: async () => {
      for (const { value } of members) await value.close()
    },
  }
}

/**
 * Returns the highest of all nodes' tips, because a lagging node must not determine the tip. One answer is
 * enough.
 */
async function highestTip(
  pool: Pool<Source>,
  chain: ChainAlias,
  signal: AbortSignal | undefined,
): Promise<bigint | undefined> {
  const answers = await Promise.allSettled(pool.members.map(({ value }) => value.tip(chain, signal)))
  answers.forEach((answer, i) => {
    const member = pool.members[i]
    // A node that reports a valid tip may still return wrong blocks, so its cooldown continues.
    if (answer.status === 'rejected' && member !== undefined) pool.failed(member, answer.reason)
  })
  const answered = answers.filter((answer) => answer.status === 'fulfilled')
  if (answered.length === 0) throw (answers[0] as PromiseRejectedResult).reason
  return answered.reduce<bigint | undefined>((highest, { value }) => {
    if (value === undefined) return highest
    return highest === undefined || value > highest ? value : highest
  }, undefined)
}
