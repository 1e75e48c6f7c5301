import { Hex, isFirnError } from '@firn/codec'
import { type Clock, type Logger, silentLogger, supervise } from '@firn/runtime'
import { EvmBalanceChecks, type EvmSnapshot, type EvmStore, type EvmWriter } from '@firn/store/evm'
import { isFenced } from '../../common/isFenced.ts'
import { type Balance, createBalanceCalls, isStateGone } from '../contracts/balanceCalls.ts'
import type { EvmUpstreams } from '../upstream/EvmUpstreams.ts'
import { addressesIn } from './addressesIn.ts'
import { type Answered, isTrusted, type Judged, judge, PROBATION } from './judgeBalances.ts'
import { untilAdvanced } from './untilAdvanced.ts'

type Holding = EvmBalanceChecks.Holding
type Summed = EvmBalanceChecks.Summed
type ContractCheck = EvmBalanceChecks.ContractCheck

/** Options of {@link createBalanceChecker}. */
export interface BalanceCheckerOptions {
  readonly store: EvmStore
  readonly upstreams: Pick<EvmUpstreams, 'ask' | 'groupBlocks'>
  /** Returns the height of the newest block that a node has reported; undefined if none has. */
  readonly head: () => bigint | undefined
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
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
/** Maximum number of holders to ask for when a contract was called without a transfer, or rests on the chain. */
const MANY_HOLDERS = 32
/** Maximum number of holders to ask for in other contracts that were called, or that are due. */
const FEW_HOLDERS = 4
/** Length of a function's selector in the input of a call. */
const SELECTOR = 4

/** Creates a checker. It does nothing until `run` or `catchUp` is called. */
export function createBalanceChecker(options: BalanceCheckerOptions): BalanceChecker {
  const { store, clock, random, log } = options
  const calls = createBalanceCalls(options.upstreams)
  let height: bigint | undefined
  let hasHistory = true
  /** Maximum number of batches in the next step. It is lower after nodes have refused or failed. */
  let batchLimit = MAX_BATCHES

  /** Checks the next blocks. Returns false if there are none. */
  const step = async (writer: Sink, signal: AbortSignal, isLast: boolean): Promise<boolean> => {
    const tip = await tipOf(store)
    const range = await EvmBalanceChecks.checkedRange(store)
    height = range?.last
    if (tip === undefined || (range !== undefined && range.last >= tip.height)) return false
    // While blocks are fetched quickly, checks would only be skipped later.
    if (!isLast && (options.head() ?? tip.height) - tip.height > MAX_BEHIND) return false
    const firstHeight = (await store.chain())?.firstHeight ?? 0n
    const next = range === undefined ? firstHeight : range.last + 1n
    const behind = tip.height - next + 1n
    const isSkipping = behind > MAX_BEHIND
    const first = isSkipping ? tip.height : next
    const steps = hasHistory ? behind / STEP_FRACTION : behind
    const last = isSkipping ? tip.height : first + (steps > 1n ? steps : 1n) - 1n
    const at = last === tip.height ? tip : await store.snapshotAt(last)
    if (at === undefined) return true
    const continues = range !== undefined && !isSkipping
    try {
      await check({ first, at, continues, rangeFirst: continues ? range.first : first }, writer, signal)
      batchLimit = Math.min(batchLimit + 1, MAX_BATCHES)
    } catch (error) {
      // Checks must not use up the rate limit that the indexing needs.
      if (isFirnError(error) && error.code.startsWith('INDEXER_RPC_'))
        batchLimit = Math.max(Math.floor(batchLimit / 2), LEAST_BATCHES)
      // A node without old states has the newest one.
      if (isStateGone(error) && hasHistory && last < tip.height) {
        hasHistory = false
        log.warn(
          { chain: `${store.chainId}`, height: `${last}` },
          'no node has the state of earlier blocks; balances are checked at the newest block only',
        )
        return true
      }
      throw error
    }
    if (last === tip.height) hasHistory = true
    return true
  }

  const check = async (
    window: {
      readonly first: bigint
      readonly at: EvmSnapshot
      readonly continues: boolean
      readonly rangeFirst: bigint
    },
    writer: Sink,
    signal: AbortSignal,
  ): Promise<void> => {
    const { first, at, continues, rangeFirst } = window
    const asked = await plan(store, { first, at, room: (batchLimit - 1) * calls.batchSize() })
    const values: Balance[] = []
    // Nodes may accept fewer calls than before, so the last balances may not fit any more.
    for (let batches = 1; batches < batchLimit && values.length < asked.holdings.length; batches += 1) {
      const batch = asked.holdings.slice(values.length, values.length + calls.batchSize())
      values.push(...(await calls.ask(batch, at, signal)))
    }
    const answered = asked.holdings.map((holding, i): Answered => {
      return { ...holding, value: values[i] ?? 'unanswered' }
    })
    const judged: Judged = await judge(answered, {
      ...asked,
      first,
      rangeFirst,
      height: at.height,
      time: at.time,
      askAgain: (holdings) => calls.ask(holdings.slice(0, calls.batchSize()), at, signal, true),
    })
    signal.throwIfAborted()
    const { hash } = at
    const results = { first, last: at.height, hash, continues, ...judged }
    if (!(await writer.storeChecks(results))) return
    height = at.height
    const differing = judged.contracts.filter(({ basis }) => basis === 'chain')
    for (const one of differing)
      log.info(
        { chain: `${store.chainId}`, contract: Hex.encode(one.contract), class: one.class },
        'balances of a contract differ from its logs',
      )
    options.onChecked({ height: at.height, balances: values.length, differing })
  }

  return {
    height: () => height,
    async run(writer, signal) {
      const next = async () => {
        if (!(await step(writer, signal, false))) await untilAdvanced(store, clock, signal)
      }
      // Most failures are those of nodes without the state of a block, which need no attention.
      const quiet = { ...silentLogger, warn: log.debug.bind(log), error: log.error.bind(log) }
      const facts = { chain: `${store.chainId}` }
      const loop = { effect: 'balances are not checked', clock, random, log: quiet, facts }
      await supervise(next, { ...loop, isOver: isFenced }, signal)
    },
    async catchUp(writer, signal) {
      try {
        while (await step(writer, signal, true));
      } catch (error) {
        if (!signal.aborted && !isFirnError(error)) throw error
      }
    },
  }
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

/** The balances to ask for, and what is known of their contracts. */
interface Plan {
  readonly holdings: readonly Summed[]
  /**
   * Balances that changed or may have changed without a log, and do not fit into the batches. Those of trusted
   * contracts are left out: they count as checked, because others of the contract agree.
   */
  readonly left: readonly Holding[]
  /** What is known of the contracts, by their addresses in hexadecimal. */
  readonly checks: ReadonlyMap<string, EvmBalanceChecks.KnownContract>
  /** Heights of token contracts that were created at the address of an earlier contract. */
  readonly createdAgain: ReadonlyMap<string, bigint>
}

/**
 * Chooses the balances to ask for: those that changed, then those that may have changed without a log, then samples.
 */
async function plan(
  store: EvmStore,
  { first, at, room }: { readonly first: bigint; readonly at: EvmSnapshot; readonly room: number },
): Promise<Plan> {
  const { height, time } = at
  const [changes, due, earlier] = await Promise.all([
    EvmBalanceChecks.changedIn(store, { first, last: height }),
    EvmBalanceChecks.due(store, time, room),
    EvmBalanceChecks.unchecked(store, { height, limit: room }),
  ])
  const { changed, touched, created, calls } = changes
  const contracts = [...changed, ...touched, ...created, ...calls, ...earlier].map(({ contract }) => contract)
  const all = await EvmBalanceChecks.ofContracts(store, [...contracts, ...due], height)
  const checks = new Map(all.map((one) => [Hex.encode(one.contract), one]))
  const restsOnChain = ({ contract }: { readonly contract: Uint8Array }) =>
    checks.get(Hex.encode(contract))?.basis === 'chain'
  const quiet = touched.filter(({ isQuiet }) => isQuiet).map(({ contract }) => contract)
  const others = [...touched.filter(({ isQuiet }) => !isQuiet).map(({ contract }) => contract), ...due]
  const creators = await EvmBalanceChecks.creators(store, contractsOf(changed, checks))
  const possible = [...created.flatMap(ownersOf), ...itemsOf(creators, changed), ...calls.flatMap(partiesOf)]
  const [quietHolders, otherHolders, named] = await Promise.all([
    EvmBalanceChecks.holders(store, quiet, { height, limit: MANY_HOLDERS }),
    EvmBalanceChecks.holders(store, others, { height, limit: FEW_HOLDERS }),
    EvmBalanceChecks.sums(store, possible, height),
  ])
  const chosen = new Map<string, Summed>()
  const counts = new Map<string, number>()
  const add = (holdings: readonly Summed[]) => {
    for (const one of holdings) {
      const key = keyOf(one)
      if (chosen.size >= room || chosen.has(key)) continue
      const contract = Hex.encode(one.contract)
      const count = counts.get(contract) ?? 0
      if (count >= mostOf(checks.get(contract))) continue
      counts.set(contract, count + 1)
      chosen.set(key, one)
    }
  }
  const onLogs = byTurns(changed.filter((one) => !restsOnChain(one)))
  add(onLogs)
  add(earlier)
  add(named)
  add(largest(quietHolders, MANY_HOLDERS))
  add(largest(otherHolders, FEW_HOLDERS))
  add(byTurns(changed.filter(restsOnChain)))
  return {
    holdings: [...chosen.values()],
    left: [...onLogs, ...[...named, ...quietHolders].filter((one) => !restsOnChain(one))].filter(
      (one) => !chosen.has(keyOf(one)) && !isTrusted(checks.get(Hex.encode(one.contract)), time),
    ),
    checks,
    createdAgain: new Map(
      created
        .filter(
          ({ contract, standard, isAgain }) =>
            isAgain && (standard !== 0 || checks.has(Hex.encode(contract))),
        )
        .map(({ contract, height }) => [Hex.encode(contract), height]),
    ),
  }
}

/**
 * Returns the maximum number of balances of a contract to ask for in one step. Of contracts whose balances rest on the
 * chain, those that lie are not asked any more, and those that never returned a number are asked once.
 */
function mostOf(check: EvmBalanceChecks.KnownContract | undefined): number {
  if (check?.basis !== 'chain') return Number.POSITIVE_INFINITY
  if (check.class === 'lying') return 0
  return check.hasReadings ? MANY_HOLDERS : 1
}

/** Returns the balances of accounts that may own tokens that a constructor created without a log. */
function ownersOf({
  contract,
  standard,
  deployer,
  creator,
  input,
}: EvmBalanceChecks.CreatedToken): Holding[] {
  if (standard !== 20 && standard !== 721) return []
  const addresses = [deployer, creator, ...addressesIn(input)]
  return addresses.map((address) => ({ contract, standard, tokenId: 0n, address }))
}

/** Returns the ERC-1155 contracts among changed balances that have not agreed often yet. */
function contractsOf(
  changed: readonly Summed[],
  checks: ReadonlyMap<string, ContractCheck>,
): readonly Uint8Array[] {
  return changed.flatMap(({ contract, standard }) => {
    const { agreements = 0, basis = 'logs' } = checks.get(Hex.encode(contract)) ?? {}
    return standard === 1155 && basis === 'logs' && agreements < PROBATION ? [contract] : []
  })
}

/** Returns the balances that creators of ERC-1155 contracts may have of the changed tokens from the constructor. */
function itemsOf(creators: readonly EvmBalanceChecks.Creator[], changed: readonly Summed[]): Holding[] {
  const byContract = Map.groupBy(creators, ({ contract }) => Hex.encode(contract))
  return changed.flatMap(({ contract, standard, tokenId }) => {
    const own = standard === 1155 ? (byContract.get(Hex.encode(contract)) ?? []) : []
    return own.map(({ address }) => ({ contract, standard, tokenId, address }))
  })
}

/** Returns the balances that a call without transfers may have changed: those of its sender and of its arguments. */
function partiesOf({ contract, standard, sender, input }: EvmBalanceChecks.QuietCall): Holding[] {
  return [sender, ...addressesIn(input.subarray(SELECTOR))].map((address) => ({
    contract,
    standard,
    tokenId: 0n,
    address,
  }))
}

/** Orders balances so that each contract has its first balance before any contract has its second one. */
function byTurns(holdings: readonly Summed[]): readonly Summed[] {
  const counts = new Map<string, number>()
  const placed = holdings.map((holding) => {
    const key = Hex.encode(holding.contract)
    const place = counts.get(key) ?? 0
    counts.set(key, place + 1)
    return { holding, place }
  })
  return placed.sort((one, other) => one.place - other.place).map(({ holding }) => holding)
}

/** Returns the holders with the largest balances, and other ones: at most `most` of each contract. */
function largest(holders: readonly Summed[], most: number): readonly Summed[] {
  const all = [...Map.groupBy(holders, ({ contract }) => Hex.encode(contract)).values()]
  return byTurns(
    all.flatMap((own) => {
      if (own.length <= most) return own
      const sorted = own.toSorted((one, other) => Number(sumOf(other) - sumOf(one)))
      const half = Math.ceil(most / 2)
      return [
        ...sorted.slice(0, half),
        ...own.filter((one) => sorted.indexOf(one) >= half).slice(0, most - half),
      ]
    }),
  )
}

function sumOf({ balance, wrapped }: Summed): bigint {
  return balance + wrapped
}

function keyOf({ contract, standard, tokenId, address }: Holding): string {
  return `${Hex.encode(contract)} ${standard} ${tokenId} ${Hex.encode(address)}`
}
