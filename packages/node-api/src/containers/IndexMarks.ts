/** The chains that are indexed, in the order in which a node creates them. */
export const CHAINS = ['P', 'X', 'C'] as const

/** The letter of a chain that is indexed. */
export type Letter = (typeof CHAINS)[number]

/** Heights of blocks that were accepted while the index was on; without `last` while it is. */
export interface Span {
  readonly first: bigint
  readonly last?: bigint | undefined
}

/** What is remembered of a chain's index from one start to the next. */
export interface ChainMarks {
  /** The chain was indexed in some run. */
  readonly previouslyIndexed: boolean
  /** There was a run without the index: it misses what was accepted then. */
  readonly incomplete: boolean
  /** In ascending order, at most the last one open. */
  readonly spans: readonly Span[]
  /** The height of the last block that this process saw accepted. */
  readonly accepted: bigint
}

/** What is remembered from one start to the next. */
export interface Marks {
  readonly hasRun: boolean
  readonly chains: { readonly [chain in Letter]: ChainMarks }
}

/** How a run is started: `--index-enabled` and `--index-allow-incomplete`. */
export interface IndexSettings {
  readonly enabled: boolean
  readonly allowIncomplete: boolean
}

/** Why a run must not go on: the node's log line and the chain that it names. Its exit code is 0. */
export interface Refusal {
  readonly chain: Letter
  readonly text: string
}

/** What a start leads to. The marks are to be kept, after a refusal too. */
export interface Started {
  readonly marks: Marks
  readonly refusal: Refusal | undefined
}

const WOULD_BE_INCOMPLETE =
  'running would cause index to become incomplete but incomplete indices are disabled'
const IS_INCOMPLETE = 'index is incomplete but incomplete indices are disabled. Shutting down'

const FRESH: ChainMarks = { previouslyIndexed: false, incomplete: false, spans: [], accepted: 0n }

/** What is remembered before the first start. */
export const NONE: Marks = { hasRun: false, chains: { P: FRESH, X: FRESH, C: FRESH } }

/**
 * Begins a run by the node's rules: an index that misses something is only made, and only used, where that is allowed; a chain that
 * is refused ends the run, so those after it are left as they were. Source: avalanchego `indexer/indexer.go`.
 */
export function start(before: Marks, settings: IndexSettings): Started {
  let marks: Marks = { ...before, hasRun: true }
  for (const chain of CHAINS) {
    const text = refusalOf(before.chains[chain], before.hasRun, settings)
    if (text !== undefined) return { marks, refusal: { chain, text } }
    const after = settings.enabled ? resumed(before.chains[chain]) : interrupted(before.chains[chain])
    marks = { ...marks, chains: { ...marks.chains, [chain]: after } }
  }
  return { marks, refusal: undefined }
}

/** The marks after a chain accepted the block at a height. */
export function accept(marks: Marks, chain: Letter, height: bigint): Marks {
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

/** What was accepted while the process was down, a node gets before anything else: it is indexed if this run indexes. */
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
