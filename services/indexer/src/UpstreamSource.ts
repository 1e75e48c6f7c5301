import type { Clock } from './Clock.ts'
import { IndexerError } from './IndexerError.ts'
import { createNodeSource, type NodeSourceOptions } from './NodeSource.ts'
import type { Chain, Source, SourceBlock } from './Source.ts'

/** What {@link createUpstreamSource} needs. */
export interface UpstreamSourceOptions {
  /** In order of preference; at least one. */
  readonly nodes: readonly NodeSourceOptions[]
  readonly clock: Clock
  /** How long a node that failed or gave a wrong block is asked last; 10,000 ms if not given. */
  readonly cooldownMs?: number
}

type Member = { readonly source: Source; failedAt: number }

/** Several nodes of one network behind one face: what one can't give, or gave wrongly, another is asked for. */
export function createUpstreamSource(options: UpstreamSourceOptions): Source {
  const { nodes, clock, cooldownMs = 10_000 } = options
  if (nodes.length === 0)
    throw new IndexerError('INDEXER_CONFIGURATION', 'expected at least one upstream, got none')
  const members: Member[] = nodes.map((node) => ({
    source: createNodeSource(node),
    failedAt: Number.NEGATIVE_INFINITY,
  }))
  const isCooling = (member: Member) => clock.now() - member.failedAt < cooldownMs
  const inOrder = () => [...members.filter((it) => !isCooling(it)), ...members.filter(isCooling)]
  const isOf = (origin: string) => (member: Member) => new URL(member.source.name).host === origin
  return {
    name: members.map(({ source }) => source.name).join(', '),
    isFixed: false,
    tip: (chain, signal) => highestTip(chain, members, clock, signal),
    blocks: (chain, from, limit, signal) => firstBlocks(inOrder(), clock, chain, from, limit, signal),
    refuse(origin) {
      const member = members.find(isOf(origin))
      if (member !== undefined) member.failedAt = clock.now()
    },
    close: async () => {
      for (const { source } of members) await source.close()
    },
  }
}

/** A node that lags must not end the chain, so the highest counts; one answer is enough. */
async function highestTip(
  chain: Chain,
  members: readonly Member[],
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<bigint | undefined> {
  const answers = await Promise.allSettled(members.map(({ source }) => source.tip(chain, signal)))
  answers.forEach((answer, i) => {
    const member = members[i]
    if (answer.status === 'rejected' && member !== undefined) member.failedAt = clock.now()
  })
  const answered = answers.filter((answer) => answer.status === 'fulfilled')
  if (answered.length === 0) throw (answers[0] as PromiseRejectedResult).reason
  return answered.reduce<bigint | undefined>((highest, { value }) => {
    if (value === undefined) return highest
    return highest === undefined || value > highest ? value : highest
  }, undefined)
}

async function firstBlocks(
  members: readonly Member[],
  clock: Clock,
  chain: Chain,
  from: bigint,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<readonly SourceBlock[]> {
  let failure: unknown
  for (const member of members) {
    try {
      const found = await member.source.blocks(chain, from, limit, signal)
      if (found.length > 0) return found
    } catch (error) {
      if (signal?.aborted) throw error
      member.failedAt = clock.now()
      failure ??= error
    }
  }
  if (failure !== undefined) throw failure
  return []
}
