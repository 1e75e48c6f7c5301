import { CHAIN_ALIASES, type ChainAlias, CheckedHex, Codec, Id, isJsonObject } from '@firn/codec'
import { Amount, Stakeable } from '@firn/txs'
import type { Change } from '../Change.ts'
import * as LedgerState from '../LedgerState.ts'
import * as ValidatorSets from '../ValidatorSets.ts'
import * as answers from './answers.ts'
import * as balances from './balances.ts'
import { assertSigned } from './credentials.ts'
import { follow, type Step } from './follower.ts'
import type { RecordedState, Recording } from './recordings.ts'

/**
 * The result of replaying a recorded network: the changes by P-chain height, and all differences from the
 * node's responses. For tests only.
 */
export interface Replay {
  readonly state: LedgerState.LedgerState
  readonly steps: readonly Step[]
  readonly changes: readonly (readonly Change[])[]
  /** Number of comparisons for each compared method. */
  readonly compared: ReadonlyMap<string, number>
  readonly differences: readonly Difference[]
  /** Number of transactions on each chain whose signatures match the owners in the state. */
  readonly signed: Readonly<Record<ChainAlias, number>>
}

/** A response of the node that the state does not reproduce. */
export interface Difference {
  readonly where: string
  readonly expected: unknown
  readonly actual: unknown
}

/** Replays a recording, and compares the state with each recorded response at its heights. */
export function replay(recording: Recording): Replay {
  const { genesis } = recording
  const constants = withShortStakes(recording.constants)
  const state = LedgerState.create(genesis, constants)
  const changes: (readonly Change[])[] = [LedgerState.genesisChanges(genesis, constants)]
  const compared = new Map<string, number>()
  const differences: Difference[] = []
  const signed = { P: 0, X: 0, C: 0 }
  const waiting = new Set(recording.states)
  const compareAll = () => {
    for (const said of waiting) {
      if (!isAt(state, said)) continue
      waiting.delete(said)
      differences.push(...compare(state, changes, said, compared))
    }
  }
  compareAll()
  const steps = follow(state, recording, recording.blocks, {
    before: ({ chain, bytes }) => {
      signed[chain] += assertSigned(state, chain, bytes)
    },
    after: (step) => {
      if (step.block.chain === 'P') changes.push(step.changes)
      compareAll()
    },
  })
  for (const { name } of waiting)
    differences.push({ where: name, expected: 'a state at the recorded heights', actual: 'none' })
  return { state, steps, changes, compared, differences, signed }
}

function isAt(state: LedgerState.LedgerState, { heights }: RecordedState): boolean {
  return CHAIN_ALIASES.every((chain) => {
    return heights[chain] === null || Number(LedgerState.tip(state, chain).height) === heights[chain]
  })
}

function compare(
  state: LedgerState.LedgerState,
  changes: readonly (readonly Change[])[],
  said: RecordedState,
  compared: Map<string, number>,
): Difference[] {
  const now = said.time === null ? LedgerState.tip(state, 'P').time : BigInt(Math.floor(said.time))
  return said.calls.flatMap(({ method, params, result }) => {
    const answer =
      ANSWERS[method]?.(state, params, result, changes) ??
      BALANCES[method]?.(state, params, result, now) ??
      singleOf(state, method, result)
    if (answer === undefined) return []
    compared.set(method, (compared.get(method) ?? 0) + 1)
    const [expected, actual] = answer
    const where = `${said.name} ${method} ${JSON.stringify(params)}`
    return isEqual(expected, actual) ? [] : [{ where, expected, actual }]
  })
}

/** Returns true if two values are equal as JSON, ignoring the order of members. */
export function isEqual(a: unknown, b: unknown): boolean {
  return text(a) === text(b)
}

function text(value: unknown): string {
  const sort = (_key: string, item: unknown) =>
    isJsonObject(item) ? Object.fromEntries(Object.entries(item).sort(([x], [y]) => (x < y ? -1 : 1))) : item
  return JSON.stringify(value, sort) ?? 'undefined'
}

const StakedOutput = Codec.versioned(Stakeable.Out)

type Pair = readonly [expected: unknown, actual: unknown]

function singleOf(state: LedgerState.LedgerState, method: string, result: unknown): Pair | undefined {
  const answer = answers.singles(state)[method]
  return answer === undefined ? undefined : [result, answer]
}

type Answer = (
  state: LedgerState.LedgerState,
  // biome-ignore lint/suspicious/noExplicitAny: recorded JSON is used without validation
  params: any,
  // biome-ignore lint/suspicious/noExplicitAny: recorded JSON is used without validation
  result: any,
  changes: readonly (readonly Change[])[],
) => Pair | undefined

const PRIMARY = Id.format(Id.EMPTY)
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

const ANSWERS: Readonly<Record<string, Answer>> = {
  'platform.getCurrentValidators'(state, { subnetID: subnetId = PRIMARY, nodeIDs: nodeIds }, result) {
    const said = result.validators.map(
      ({ uptime: _, connected: __, ...rest }: Record<string, unknown>) => rest,
    )
    return [said, answers.validators(state, Id.parse(subnetId), nodeIds)]
  },
  'platform.getCurrentSupply'(state, { subnetID: subnetId = PRIMARY }, result) {
    const found = [...state.tables.supply.ordered()].find((item) => Id.format(item.subnetId) === subnetId)
    return [result?.supply, found && `${found.supply}`]
  },
  'platform.getTotalStake'(state, { subnetID: subnetId }, result) {
    const members = Object.values(answers.setOf(state.tables.member.ordered(), subnetId))
    return [result.weight, `${members.reduce((sum, { weight }) => sum + BigInt(weight), 0n)}`]
  },
  'platform.getSubnet': (state, { subnetID: subnetId }, result) => [
    result ?? undefined,
    answers.subnet(state, subnetId),
  ],
  'platform.getSubnets'(state, { ids }, result) {
    if (ids !== undefined) return undefined
    const said = result.subnets.filter(({ id }: { id: string }) => id !== PRIMARY)
    return [said.sort(byId), answers.subnets(state)]
  },
  'platform.getBlockchains': (state, _params, result) => [
    result.blockchains.sort(byId),
    answers.blockchains(state),
  ],
  'platform.validates'(state, { subnetID: subnetId }, result) {
    const own = answers.blockchains(state).filter((item) => item.subnetID === subnetId)
    return [result?.blockchainIDs.sort() ?? [], own.map(({ id }) => id).sort()]
  },
  'platform.getL1Validator': (state, { validationID: validationId }, result) => [
    result ?? undefined,
    answers.l1ValidatorOf(state, validationId),
  ],
  'platform.getStake'(state, { addresses, validatorsOnly }, result) {
    const own = answers.stake(state, addresses, validatorsOnly ?? false)
    const amount = Amount.sum(own.map(({ output }) => Stakeable.unlocked(output).amount))
    const bytes = own.map((output) => CheckedHex.encode(StakedOutput.encode(output)))
    return [
      [result.staked, result.stakedOutputs],
      [`${amount}`, bytes],
    ]
  },
  'platform.getValidatorsAt'(state, { height, subnetID: subnetId = PRIMARY }, result, changes) {
    if (height === 'proposed') return undefined
    return [result, answers.setOf(membersAt(state, changes, Number(height)), subnetId)]
  },
  'platform.getAllValidatorsAt'(state, { height }, result, changes) {
    if (height === 'proposed') return undefined
    return [sortSets(result.validatorSets), answers.setsOf(membersAt(state, changes, Number(height)))]
  },
  'platform.getTxStatus'(_state, { txID: txId }, result, changes) {
    return [result.status, statusOf(changes, txId)]
  },
  'platform.getRewardUTXOs'(_state, { txID: txId }, result, changes) {
    return [result.utxos.sort(), rewardsOf(changes, txId)]
  },
}

type Balance = (
  state: LedgerState.LedgerState,
  // biome-ignore lint/suspicious/noExplicitAny: recorded JSON is used without validation
  params: any,
  // biome-ignore lint/suspicious/noExplicitAny: recorded JSON is used without validation
  result: any,
  now: bigint,
) => Pair | undefined

const BALANCES: Readonly<Record<string, Balance>> = {
  'platform.getUTXOs': (state, params, result) => utxosPair(state, 'P', params, result),
  'avm.getUTXOs': (state, params, result) => utxosPair(state, 'X', params, result),
  'avax.getUTXOs': (state, params, result) => utxosPair(state, 'C', params, result),
  'platform.getBalance': (state, { addresses }, result, now) => [
    { ...result, utxoIDs: (result.utxoIDs ?? []).map(balances.nameOf).sort() },
    balances.platformBalance(state, addresses, now),
  ],
  'avm.getBalance': (state, params, { balance, utxoIDs: utxoIds }, now) => [
    { balance, utxoIDs: utxoIds.map(balances.nameOf).sort() },
    balances.avmBalance(state, params, now),
  ],
  'avm.getAllBalances': (state, params, result, now) => [
    result.balances.sort((a: { asset: string }, b: { asset: string }) => (a.asset < b.asset ? -1 : 1)),
    balances.avmBalances(state, params, now),
  ],
  'avm.getAssetDescription': (state, { assetID: assetId }, result) => [
    result ?? undefined,
    balances.description(state, assetId),
  ],
}

/**
 * Compares the UTXOs in a response with all UTXOs of the addresses in the state. If the request has a limit, the
 * response is a page, and only its UTXOs must be in the state.
 */
function utxosPair(
  state: LedgerState.LedgerState,
  chain: ChainAlias,
  params: { addresses: string[]; sourceChain?: ChainAlias; limit?: number },
  result: { readonly utxos: string[] },
): Pair {
  const { addresses, sourceChain = chain, limit } = params
  const own = balances.hexOf(balances.utxosOf(state, chain, sourceChain, addresses))
  const said = result.utxos.sort()
  return [said, limit === undefined ? own : own.filter((hex) => said.includes(hex))]
}

/** Returns the status of a transaction as in `platform.getTxStatus`. */
export function statusOf(changes: readonly (readonly Change[])[], txId: string): string {
  for (const change of changes.flat()) {
    if (change.type === 'transaction' && Id.format(change.txId) === txId) return change.status
  }
  return 'Unknown'
}

/** Returns the encoded reward UTXOs that are listed under a transaction, sorted. */
export function rewardsOf(changes: readonly (readonly Change[])[], txId: string): string[] {
  const made = changes.flat().flatMap((change) => (change.type === 'utxo' ? (change.after ?? []) : []))
  const own = made.filter(({ rewardTxId }) => rewardTxId !== undefined && Id.format(rewardTxId) === txId)
  return own.map(({ utxo }) => CheckedHex.encode(balances.encode(utxo))).sort()
}

/** Returns the members of all sets at a height, computed from the latest sets and the later differences. */
export function membersAt(
  state: LedgerState.LedgerState,
  changes: readonly (readonly Change[])[],
  height: number,
) {
  let members = ValidatorSets.of(state.tables.member.ordered())
  for (let at = changes.length - 1; at > height; at--) {
    members = ValidatorSets.undo(members, ValidatorSets.differences(changes[at] as readonly Change[]))
  }
  return members.values()
}

/** Returns recorded validator sets with the validators of each set sorted by BLS key. */
// biome-ignore lint/suspicious/noExplicitAny: recorded JSON is used without validation
export function sortSets(sets: Record<string, any>): Record<string, unknown> {
  const order = (a: { publicKey: string }, b: { publicKey: string }) => (a.publicKey < b.publicKey ? -1 : 1)
  return Object.fromEntries(
    Object.entries(sets).map(([id, set]) => [id, { ...set, validators: [...set.validators].sort(order) }]),
  )
}

/** The recorded networks were configured with shorter stakes than nodes have by default. */
function withShortStakes(constants: Recording['constants']): Recording['constants'] {
  const staking = { ...constants.staking, minStakeDuration: 1n, heliconMinStakeDuration: 1n }
  return { ...constants, staking }
}
