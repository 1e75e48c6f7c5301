import { Hex } from '@firn/codec'
import type { CheckResults, EvmBalanceChecks, EvmSchema } from '@firn/evm-store'
import type { Balance } from '../contracts/balanceCalls.ts'

type Holding = EvmBalanceChecks.Holding
type ContractCheck = EvmBalanceChecks.ContractCheck

/** A balance with the sums of its logs and the contract's answer. */
export interface Answered extends EvmBalanceChecks.Summed {
  readonly value: Balance
}

/** What the judgement of answers needs to know. */
export interface Judging {
  /** First height of the blocks whose changes are checked. */
  readonly first: bigint
  /** First height of the range of blocks that are checked without a gap. */
  readonly rangeFirst: bigint
  /** Height and time of the block at which the contracts were asked. */
  readonly height: bigint
  readonly time: bigint
  /** Balances that changed and were not asked for. */
  readonly left: readonly Holding[]
  /** The checks of the contracts, by their addresses in hexadecimal. */
  readonly checks: ReadonlyMap<string, ContractCheck>
  /** Heights of contracts that were created at the address of an earlier contract. */
  readonly createdAgain: ReadonlyMap<string, bigint>
  /** Asks for balances once more. The result may contain fewer balances than were asked for. */
  readonly askAgain: (holdings: readonly Holding[]) => Promise<readonly Balance[]>
}

/** What follows from the answers. */
export type Judged = Pick<CheckResults, 'contracts' | 'unchecked' | 'checked' | 'readings'>

/** Number of agreeing checks until a contract's holders are checked less often. */
export const PROBATION = 16
/** Number of agreeing checks, and time that they must span in seconds, until a contract is trusted. */
const TRUSTED_AGREEMENTS = 64
const TRUSTED_SECONDS = 3_600n
/** Longest time between checks of a contract's holders, in seconds. */
const LONGEST_PAUSE = 86_400n

/** Compares answers with the sums of logs, and decides what the contracts' balances rest on. */
export async function judge(answered: readonly Answered[], judging: Judging): Promise<Judged> {
  const { checks, createdAgain, rangeFirst } = judging
  const contracts: ContractCheck[] = []
  const unchecked: Holding[] = [...judging.left]
  const checked: Holding[] = []
  const readings: (Holding & { balance: bigint })[] = []
  const read = (own: readonly Answered[]) => {
    for (const one of own) if (typeof one.value === 'bigint') readings.push({ ...one, balance: one.value })
  }
  const doubted: Doubted[] = []
  for (const [key, height] of createdAgain)
    contracts.push(onChain(judging, checks.get(key), key, 'nonStandard', height))
  for (const [key, all] of Map.groupBy(answered, ({ contract }) => Hex.encode(contract))) {
    const own = all.filter(({ value }) => value !== 'unanswered')
    const check = checks.get(key)
    unchecked.push(
      ...all.filter(({ value, since }) => value === 'unanswered' && since !== null && since >= judging.first),
    )
    if (own.length === 0) continue
    checked.push(...own)
    if (check?.basis === 'chain' || createdAgain.has(key)) {
      if (check?.class !== 'lying') read(own)
      continue
    }
    const kind = agreeing(own, check)
    if (kind === undefined) {
      doubted.push({
        key,
        check,
        own,
        bad: own.find((one) => one.value !== expected(one, check)) as Answered,
      })
      continue
    }
    contracts.push(agreed(judging, check, own, kind))
    // What the address had before the checked range is known only by this answer.
    read(own.filter(({ since }) => since !== null && since < rangeFirst))
  }
  const again = doubted.length === 0 ? [] : await judging.askAgain(doubted.map(({ bad }) => bad))
  doubted.forEach(({ key, check, own, bad }, i) => {
    const second = again[i] ?? 'unanswered'
    // Balances that waited for this check were never checked.
    for (const one of own) checked.splice(checked.indexOf(one), 1)
    if (second === 'unanswered') {
      unchecked.push(...own.filter(({ since }) => since !== null))
      return
    }
    const isLying = typeof second === 'bigint' && typeof bad.value === 'bigint' && second !== bad.value
    const since = differingSince(own, check, judging)
    const kind = isLying ? 'lying' : classOf(own, check, judging)
    contracts.push(onChain(judging, check, key, kind, since))
    if (!isLying) read(own)
  })
  return { contracts, unchecked, checked, readings }
}

/** A contract with answers that differ from its logs. */
interface Doubted {
  readonly key: string
  readonly check: ContractCheck | undefined
  readonly own: readonly Answered[]
  /** One of the differing answers. */
  readonly bad: Answered
}

function expected({ balance, wrapped }: Answered, check: ContractCheck | undefined): bigint {
  return check?.class === 'wrappedNative' ? balance + wrapped : balance
}

/** Returns the class of a contract whose answers all agree with its logs; undefined if an answer differs. */
function agreeing(
  own: readonly Answered[],
  check: ContractCheck | undefined,
): 'wellBehaved' | 'wrappedNative' | undefined {
  if (own.every((one) => one.value === expected(one, check)))
    return check?.class === 'wrappedNative' ? 'wrappedNative' : 'wellBehaved'
  const isWrapped = own.every(({ value, balance, wrapped }) => value === balance + wrapped)
  return isWrapped && check?.class !== 'wrappedNative' ? 'wrappedNative' : undefined
}

function agreed(
  { first, height, time }: Judging,
  check: ContractCheck | undefined,
  own: readonly Answered[],
  kind: 'wellBehaved' | 'wrappedNative',
): ContractCheck {
  const isNew = check === undefined || check.class !== kind
  const hasHolder = own.some(({ value }) => value !== 0n)
  const agreements = (check?.agreements ?? 0) + Number(hasHolder)
  const agreedFrom = check?.agreedFrom ?? (hasHolder ? time : null)
  const isKnown = agreements >= PROBATION && agreedFrom !== null
  const wait = isKnown ? lower(time - agreedFrom, LONGEST_PAUSE) : 0n
  return {
    contract: (own[0] as Answered).contract,
    since: check !== undefined && !isNew ? check.since : sinceOf(kind, check, { first, height }),
    basis: 'logs',
    class: kind,
    agreements,
    agreedFrom,
    checkedTo: height,
    // Interest, for example, does not show on balances of 0.
    due: hasHolder ? time + wait : null,
  }
}

/**
 * Returns the height from which a class counts: the first one at which the contract was asked. Deposits count before
 * it too, because sums without them would certainly be wrong.
 */
function sinceOf(
  kind: EvmSchema.TokenClass,
  check: ContractCheck | undefined,
  { first, height }: Pick<Judging, 'first' | 'height'>,
): bigint {
  if (check !== undefined) return first
  return kind === 'wrappedNative' ? 0n : height
}

/** Returns whether a contract has agreed so often that not every changed balance has to be asked for. */
export function isTrusted(check: ContractCheck | undefined, time: bigint): boolean {
  if (check?.basis !== 'logs' || check.agreedFrom === null) return false
  return check.agreements >= TRUSTED_AGREEMENTS && time - check.agreedFrom >= TRUSTED_SECONDS
}

function onChain(
  { height }: Judging,
  check: ContractCheck | undefined,
  key: string,
  kind: EvmSchema.TokenClass,
  since: bigint,
): ContractCheck {
  const { agreements = 0, agreedFrom = null } = check ?? {}
  return {
    contract: Hex.decode(key),
    since,
    basis: 'chain',
    class: kind,
    agreements,
    agreedFrom,
    checkedTo: height,
    due: null,
  }
}

/**
 * Returns the height from which a contract's logs may not be its balances. Each balance was asked for when it last
 * changed by a log, and may differ since then. A contract on probation may differ since it was first checked.
 */
function differingSince(
  own: readonly Answered[],
  check: ContractCheck | undefined,
  { first }: Judging,
): bigint {
  if (check === undefined) return 0n
  if (check.agreements < PROBATION) return check.since + 1n
  const bad = own.filter((one) => one.value !== expected(one, check))
  const agreed = bad.reduce(
    (height, one) => lower(height, one.since ?? 0n),
    lower(check.checkedTo, first - 1n),
  )
  return agreed < check.since ? check.since + 1n : agreed + 1n
}

/** Returns the class of a contract from the answers that differ. */
function classOf(
  own: readonly Answered[],
  check: ContractCheck | undefined,
  { first }: Judging,
): EvmSchema.TokenClass {
  const bad = own.filter((one) => one.value !== expected(one, check))
  if (bad.some(({ value, since }) => value === 'invalid' || since === null)) return 'nonStandard'
  if (bad.some(({ since }) => since !== null && since < first)) return 'rebasing'
  const isLess = bad.every((one) => typeof one.value === 'bigint' && one.value < expected(one, check))
  return isLess ? 'feeOnTransfer' : 'nonStandard'
}

function lower(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
