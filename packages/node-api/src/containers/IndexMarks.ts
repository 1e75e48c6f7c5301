import { CHAIN_ALIASES, type ChainAlias } from '@firn/codec'
/**
 * A range of block heights that were accepted while the index was enabled. `last` is missing if the range
 * continues in the current run.
 */
export interface Span {
  readonly first: bigint
  readonly last?: bigint | undefined
}

/** State of a chain's index that is saved between runs. */
export interface ChainMarks {
  /** Whether the chain was indexed in an earlier run. */
  readonly previouslyIndexed: boolean
  /** Whether the node has run without the index, so that the index misses the blocks of that run. */
  readonly incomplete: boolean
  /** Indexed ranges in ascending order. Only the last range may be open. */
  readonly spans: readonly Span[]
  /** Height of the last accepted block. */
  readonly accepted: bigint
}

/** State of all indices that is saved between runs. */
export interface Marks {
  readonly hasRun: boolean
  readonly chains: { readonly [chain in ChainAlias]: ChainMarks }
}

/** Settings of a run: `--index-enabled` and `--index-allow-incomplete`. */
export interface IndexSettings {
  readonly enabled: boolean
  readonly allowIncomplete: boolean
}

/** Reason why a run must end, with exit code 0: the node's log line, and the chain to which it refers. */
export interface Refusal {
  readonly chain: ChainAlias
  readonly text: string
}

/** The result of a start. The index state must be saved even if the start is refused. */
export interface Started {
  readonly marks: Marks
  readonly refusal: Refusal | undefined
}

const WOULD_BE_INCOMPLETE =
  'running would cause index to become incomplete but incomplete indices are disabled'
const IS_INCOMPLETE = 'index is incomplete but incomplete indices are disabled. Shutting down'

const FRESH: ChainMarks = { previouslyIndexed: false, incomplete: false, spans: [], accepted: 0n }

/** The index state before the first start. */
export const NONE: Marks = { hasRun: false, chains: { P: FRESH, X: FRESH, C: FRESH } }

/**
 * Returns the index state for a new run, or the reason why the node refuses to start. An incomplete index is
 * created or used only if the settings allow it. If a chain is refused, the state of this and the later
 * chains is unchanged. Source: avalanchego `indexer/indexer.go`.
 * @example
 * ```ts
 * import { IndexMarks } from '@firn/node-api'
 *
 * const { marks, refusal } = IndexMarks.start(IndexMarks.NONE, { enabled: true, allowIncomplete: false })
 * refusal // undefined
 * ```
 */
export function start(before: Marks, settings: IndexSettings): Started {
  let marks: Marks = { ...before, hasRun: true }
  for (const chain of CHAIN_ALIASES) {
    const text = refusalOf(before.chains[chain], before.hasRun, settings)
    if (text !== undefined) return { marks, refusal: { chain, text } }
    const after = settings.enabled ? resumed(before.chains[chain]) : interrupted(before.chains[chain])
    marks = { ...marks, chains: { ...marks.chains, [chain]: after } }
  }
  return { marks, refusal: undefined }
}

/**
 * Returns the index state after a chain has accepted the block at a height.
 * @example
 * ```ts
 * import { IndexMarks } from '@firn/node-api'
 *
 * IndexMarks.accept(IndexMarks.NONE, 'P', 85n).chains.P.accepted // 85n
 * ```
 */
export function accept(marks: Marks, chain: ChainAlias, height: bigint): Marks {
  const before = marks.chains[chain]
  if (height <= before.accepted) return marks
  return { ...marks, chains: { ...marks.chains, [chain]: { ...before, accepted: height } } }
}

function refusalOf(
  { previouslyIndexed, incomplete }: ChainMarks,
  hasRunBefore: boolean,
  { enabled, allowIncomplete }: IndexSettings,
): string | undefined {
  if (allowIncomplete) return undefined
  if (!enabled) return previouslyIndexed ? WOULD_BE_INCOMPLETE : undefined
  return incomplete && (previouslyIndexed || hasRunBefore) ? IS_INCOMPLETE : undefined
}

/**
 * Returns the saved index state after a start with the index enabled. Blocks that the node accepted while it
 * was down count as indexed, because the node indexes them when it catches up.
 */
function resumed(marks: ChainMarks): ChainMarks {
  const isOpen = marks.spans.at(-1)?.last === undefined && marks.spans.length > 0
  const spans = isOpen ? marks.spans : [...marks.spans, { first: marks.accepted + 1n }]
  return { ...marks, previouslyIndexed: true, spans }
}

function interrupted(marks: ChainMarks): ChainMarks {
  const spans = marks.spans
    .map(({ first, last }) => ({ first, last: last ?? marks.accepted }))
    .filter(({ first, last }) => first <= last)
  return { ...marks, incomplete: true, spans }
}
