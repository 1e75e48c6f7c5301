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
export interface ChainState {
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
export interface State {
  readonly hasRun: boolean
  readonly chains: { readonly [chain in ChainAlias]: ChainState }
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
  readonly state: State
  readonly refusal: Refusal | undefined
}

const WOULD_BE_INCOMPLETE =
  'running would cause index to become incomplete but incomplete indices are disabled'
const IS_INCOMPLETE = 'index is incomplete but incomplete indices are disabled. Shutting down'

const FRESH: ChainState = { previouslyIndexed: false, incomplete: false, spans: [], accepted: 0n }

/** The index state before the first start. */
export const INITIAL: State = { hasRun: false, chains: { P: FRESH, X: FRESH, C: FRESH } }

/**
 * Returns the index state for a new run, or the reason why the node refuses to start. An incomplete index is created
 * or used only if the settings allow it. If a chain is refused, its state and the state of the chains after it are
 * unchanged. Source: avalanchego `indexer/indexer.go`.
 * @example
 * ```ts
 * import { IndexState } from '@firn/node-api'
 *
 * const { state, refusal } = IndexState.start(IndexState.INITIAL, { enabled: true, allowIncomplete: false })
 * refusal // undefined
 * ```
 */
export function start(before: State, settings: IndexSettings): Started {
  let state: State = { ...before, hasRun: true }
  for (const chain of CHAIN_ALIASES) {
    const text = refusalOf(before.chains[chain], before.hasRun, settings)
    if (text !== undefined) return { state, refusal: { chain, text } }
    const after = settings.enabled ? resumed(before.chains[chain]) : interrupted(before.chains[chain])
    state = { ...state, chains: { ...state.chains, [chain]: after } }
  }
  return { state, refusal: undefined }
}

/**
 * Returns the index state after a chain has accepted the block at a height.
 * @example
 * ```ts
 * import { IndexState } from '@firn/node-api'
 *
 * IndexState.accept(IndexState.INITIAL, 'P', 85n).chains.P.accepted // 85n
 * ```
 */
export function accept(state: State, chain: ChainAlias, height: bigint): State {
  const before = state.chains[chain]
  if (height <= before.accepted) return state
  return { ...state, chains: { ...state.chains, [chain]: { ...before, accepted: height } } }
}

function refusalOf(
  { previouslyIndexed, incomplete }: ChainState,
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
function resumed(state: ChainState): ChainState {
  const isOpen = state.spans.at(-1)?.last === undefined && state.spans.length > 0
  const spans = isOpen ? state.spans : [...state.spans, { first: state.accepted + 1n }]
  return { ...state, previouslyIndexed: true, spans }
}

function interrupted(state: ChainState): ChainState {
  const spans = state.spans
    .map(({ first, last }) => ({ first, last: last ?? state.accepted }))
    .filter(({ first, last }) => first <= last)
  return { ...state, incomplete: true, spans }
}
