import { Hex, isFirnError } from '@firn/codec'
import { EvmBalanceChecks, type EvmSnapshot, type EvmStore, type EvmWriter } from '@firn/evm-store'
import { silentLogger } from '@firn/runtime'
import { type WorkOptions, whileWriting } from '../../common/whileWriting.ts'
import {
  type Balance,
  type BalanceCalls,
  createBalanceCalls,
  isStateGone,
} from '../contracts/balanceCalls.ts'
import type { EvmUpstreams } from '../upstream/EvmUpstreams.ts'
import { type Answered, judge } from './judgeBalances.ts'
import { plan } from './planChecks.ts'
import { untilAdvanced } from './untilAdvanced.ts'

type ContractCheck = EvmBalanceChecks.ContractCheck

/** Options of {@link createBalanceChecker}. */
export interface BalanceCheckerOptions extends WorkOptions {
  readonly store: EvmStore
  readonly upstreams: Pick<EvmUpstreams, 'ask' | 'groupBlocks'>
  /** Returns the height of the newest block that a node has reported; undefined if none has. */
  readonly head: () => bigint | undefined
  /** Called after the checks of a range of blocks were stored. */
  readonly onChecked: (checked: Checked) => void
}

/** What a check has found. */
export interface Checked {
  /** Height of the block at which the contracts were asked. */
  readonly height: bigint
  /** Number of balances that were asked for. */
  readonly balances: number
  /** Contracts whose balances were found to differ from their logs. */
  readonly differing: readonly ContractCheck[]
}

/**
 * Compares token balances with the contracts' answers (`balanceOf`) in the background. Each step takes the blocks
 * after the last checked one: a single block at the tip, more while it is behind. It asks for the balances that
 * changed, and for samples of balances that should not have changed. The contracts are asked at the last block of the
 * step, with at most {@link MAX_BATCHES} batches of calls.
 */
export interface BalanceChecker {
  /** Checks new blocks until the signal is aborted. Throws only errors that are not transient faults. */
  run(writer: Sink, signal: AbortSignal): Promise<void>
  /** Checks the stored blocks and returns. Stops at the first fault of a node or of the database. */
  catchUp(writer: Sink, signal: AbortSignal): Promise<void>
  /** Height of the last checked block; undefined if none is known. */
  height(): bigint | undefined
}

type Sink = Pick<EvmWriter, 'storeChecks'>

/** Maximum number of batches of calls per step, including the one that repeats calls. */
export const MAX_BATCHES = 5
/** Number of batches per step while nodes refuse or fail: one to ask, and one to ask again. */
const LEAST_BATCHES = 2
/** If more blocks than this were not checked, all but the newest one are skipped. */
export const MAX_BEHIND = 1_024n
/** While it is behind, a step takes this fraction of the blocks that were not checked. */
const STEP_FRACTION = 8n
type Run = BalanceCheckerOptions & {
  readonly calls: BalanceCalls
  height: bigint | undefined
  /** Whether nodes have the state of earlier blocks, as far as known. */
  hasHistory: boolean
  /** Maximum number of batches in the next step. It is lower after nodes have refused or failed. */
  batchLimit: number
}

/** The blocks that a step checks. */
interface Window {
  readonly first: bigint
  /** The last block, at which the contracts are asked. */
  readonly at: EvmSnapshot
  readonly isNewest: boolean
  /** Whether the blocks follow the last checked one. */
  readonly continues: boolean
  /** First height of the range of checked blocks. */
  readonly rangeFirst: bigint
}

/** Creates a checker. It does nothing until `run` or `catchUp` is called. */
export function createBalanceChecker(options: BalanceCheckerOptions): BalanceChecker {
  const { store, upstreams, clock, random, log } = options
  const calls = createBalanceCalls(upstreams)
  const run: Run = { ...options, calls, height: undefined, hasHistory: true, batchLimit: MAX_BATCHES }
  return {
    height: () => run.height,
    async run(writer, signal) {
      const next = async () => {
        if (!(await step(run, writer, signal, false))) await untilAdvanced(store, clock, signal)
      }
      // Most failures come from nodes without the state of a block, which need no attention.
      const quiet = { ...silentLogger, warn: log.debug.bind(log), error: log.error.bind(log) }
      const facts = { chain: `${store.chainId}` }
      const loop = { effect: 'balances are not checked', clock, random, log: quiet, facts }
      await whileWriting(next, loop, signal)
    },
    async catchUp(writer, signal) {
      try {
        while (await step(run, writer, signal, true));
      } catch (error) {
        if (!signal.aborted && !isFirnError(error)) throw error
      }
    },
  }
}

/** Checks the next blocks. Returns false if there are none. */
async function step(run: Run, writer: Sink, signal: AbortSignal, isLast: boolean): Promise<boolean> {
  const window = await nextWindow(run, isLast)
  if (window === 'none' || window === 'undone') return window === 'undone'
  const { at, isNewest } = window
  try {
    await check(run, window, writer, signal)
  } catch (error) {
    // Checks must not use up the rate limit that the indexing needs.
    if (isFirnError(error) && error.code.startsWith('INDEXER_RPC_'))
      run.batchLimit = Math.max(Math.floor(run.batchLimit / 2), LEAST_BATCHES)
    // A node without old states has the newest one.
    if (!isStateGone(error) || !run.hasHistory || isNewest) throw error
    run.hasHistory = false
    run.log.warn(
      { chain: `${run.store.chainId}`, height: `${at.height}` },
      'no node has the state of earlier blocks; balances are checked at the newest block only',
    )
    return true
  }
  run.batchLimit = Math.min(run.batchLimit + 1, MAX_BATCHES)
  run.hasHistory ||= isNewest
  return true
}

/** Returns the next blocks to check; `none` if there are none yet, `undone` if a reorg has removed the last of them. */
async function nextWindow(run: Run, isLast: boolean): Promise<Window | 'none' | 'undone'> {
  const { store, hasHistory } = run
  const tip = await tipOf(store)
  const range = await EvmBalanceChecks.checkedRange(store)
  run.height = range?.last
  if (tip === undefined || (range !== undefined && range.last >= tip.height)) return 'none'
  // While blocks are fetched quickly, checks would only be skipped later.
  if (!isLast && (run.head() ?? tip.height) - tip.height > MAX_BEHIND) return 'none'
  const first = range === undefined ? ((await store.chain())?.firstHeight ?? 0n) : range.last + 1n
  const behind = tip.height - first + 1n
  if (behind > MAX_BEHIND)
    return { first: tip.height, at: tip, isNewest: true, continues: false, rangeFirst: tip.height }
  const steps = hasHistory ? behind / STEP_FRACTION : behind
  const last = first + (steps > 1n ? steps : 1n) - 1n
  const isNewest = last === tip.height
  const at = isNewest ? tip : await store.snapshotAt(last)
  if (at === undefined) return 'undone'
  return { first, at, isNewest, continues: range !== undefined, rangeFirst: range?.first ?? first }
}

async function check(run: Run, window: Window, writer: Sink, signal: AbortSignal): Promise<void> {
  const { store, calls, log } = run
  const { first, at, continues, rangeFirst } = window
  const { height, time, hash } = at
  const asked = await plan(store, { first, at, room: (run.batchLimit - 1) * calls.batchSize() })
  const values = await ask(run, asked.holdings, at, signal)
  const answered = asked.holdings.map((holding, i): Answered => {
    return { ...holding, value: values[i] ?? 'unanswered' }
  })
  const askAgain = (holdings: readonly EvmBalanceChecks.Holding[]) =>
    calls.ask(holdings.slice(0, calls.batchSize()), at, signal, true)
  const judged = await judge(answered, { ...asked, first, rangeFirst, height, time, askAgain })
  signal.throwIfAborted()
  if (!(await writer.storeChecks({ first, last: height, hash, continues, ...judged }))) return
  run.height = height
  const differing = judged.contracts.filter(({ basis }) => basis === 'chain')
  for (const one of differing)
    log.info(
      { chain: `${store.chainId}`, contract: Hex.encode(one.contract), class: one.class },
      'balances of a contract differ from its logs',
    )
  run.onChecked({ height, balances: values.length, differing })
}

/** Returns the first balances: as many as fit into the batches of a step, less one. */
async function ask(
  { calls, batchLimit }: Run,
  holdings: readonly EvmBalanceChecks.Holding[],
  at: EvmSnapshot,
  signal: AbortSignal,
): Promise<readonly Balance[]> {
  const values: Balance[] = []
  // Nodes may accept fewer calls than before, so the last balances may no longer fit.
  for (let batches = 1; batches < batchLimit && values.length < holdings.length; batches += 1) {
    const batch = holdings.slice(values.length, values.length + calls.batchSize())
    values.push(...(await calls.ask(batch, at, signal)))
  }
  return values
}

/** Returns the newest stored block; undefined if none is stored or the chain is not served. */
async function tipOf(store: EvmStore): Promise<EvmSnapshot | undefined> {
  try {
    return await store.snapshot()
  } catch (error) {
    if (isFirnError(error) && ['STORE_EMPTY', 'STORE_HALTED'].includes(error.code)) return undefined
    throw error
  }
}
