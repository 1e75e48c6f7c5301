import { CheckedHex, Codec, Id } from '@firn/codec'
import { Amount, PlatformUtxo, Stakeable } from '@firn/txs'
import type { Change } from '../Change.ts'
import * as LedgerState from '../LedgerState.ts'
import * as Platform from '../Platform.ts'
import * as ValidatorSets from '../ValidatorSets.ts'
import * as answers from './answers.ts'
import { assertSigned } from './credentials.ts'
import type { RecordedState, Recording } from './recordings.ts'

/** A chain that was replayed: changes by height, and all that differed from what the node said. For tests only. */
export interface Replay {
  readonly state: LedgerState.LedgerState
  readonly changes: readonly (readonly Change[])[]
  /** Methods that were compared, how often. */
  readonly compared: ReadonlyMap<string, number>
  readonly differences: readonly Difference[]
  /** Transactions whose signatures the owners of the state account for. */
  readonly signed: number
}

/** One answer of the node that the state does not give. */
export interface Difference {
  readonly where: string
  readonly expected: unknown
  readonly actual: unknown
}

/** Replays a recording, and compares each recorded state at its height. */
export function replay(recording: Recording): Replay {
  const state = LedgerState.create(recording.genesis, recording.constants)
  const changes: (readonly Change[])[] = [LedgerState.genesisChanges(recording.genesis, recording.constants)]
  const compared = new Map<string, number>()
  const differences: Difference[] = []
  let signed = 0
  recording.blocks.forEach((block, height) => {
    if (height > 0) {
      signed += assertSigned(state, block)
      const made = Platform.apply(state, block)
      LedgerState.commit(state, made)
      changes.push(made)
    }
    for (const said of recording.states) {
      if (said.height === height) differences.push(...compare(state, changes, said, compared))
    }
  })
  return { state, changes, compared, differences, signed }
}

function compare(
  state: LedgerState.LedgerState,
  changes: readonly (readonly Change[])[],
  said: RecordedState,
  compared: Map<string, number>,
): Difference[] {
  return said.calls.flatMap(({ method, params, result }) => {
    const answer = ANSWERS[method]?.(state, params, result, changes) ?? singleOf(state, method, result)
    if (answer === undefined) return []
    compared.set(method, (compared.get(method) ?? 0) + 1)
    const [expected, actual] = answer
    const where = `${said.name} ${method} ${JSON.stringify(params)}`
    return isEqual(expected, actual) ? [] : [{ where, expected, actual }]
  })
}

/** Equal as JSON, whatever the order of members. */
export function isEqual(a: unknown, b: unknown): boolean {
  return text(a) === text(b)
}

function text(value: unknown): string {
  const sort = (_key: string, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([x], [y]) => (x < y ? -1 : 1)))
      : item
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
  // biome-ignore lint/suspicious/noExplicitAny: foreign data, checked by the comparison itself
  params: any,
  // biome-ignore lint/suspicious/noExplicitAny: as above
  result: any,
  changes: readonly (readonly Change[])[],
) => Pair | undefined

const PRIMARY = Id.format(Id.EMPTY)
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

const ANSWERS: Readonly<Record<string, Answer>> = {
  'platform.getCurrentValidators'(state, { subnetID = PRIMARY, nodeIDs }, result) {
    const said = result.validators.map(
      ({ uptime: _, connected: __, ...rest }: Record<string, unknown>) => rest,
    )
    return [said, answers.validators(state, Id.parse(subnetID), nodeIDs)]
  },
  'platform.getCurrentSupply'(state, { subnetID = PRIMARY }, result) {
    const found = [...state.tables.supply.ordered()].find((item) => Id.format(item.subnetID) === subnetID)
    return [result?.supply, found && `${found.supply}`]
  },
  'platform.getTotalStake'(state, { subnetID }, result) {
    const members = Object.values(answers.setOf(state.tables.member.ordered(), subnetID))
    return [result.weight, `${members.reduce((sum, { weight }) => sum + BigInt(weight), 0n)}`]
  },
  'platform.getSubnet': (state, { subnetID }, result) => [
    result ?? undefined,
    answers.subnet(state, subnetID),
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
  'platform.validates'(state, { subnetID }, result) {
    const own = answers.blockchains(state).filter((item) => item.subnetID === subnetID)
    return [result?.blockchainIDs.sort() ?? [], own.map(({ id }) => id).sort()]
  },
  'platform.getL1Validator': (state, { validationID }, result) => [
    result ?? undefined,
    answers.l1ValidatorOf(state, validationID),
  ],
  'platform.getUTXOs'(state, { addresses, sourceChain, limit }, result) {
    if (sourceChain !== undefined || limit !== undefined) return undefined
    const own = answers.utxos(state, addresses)
    const bytes = own.map(({ utxo }) =>
      CheckedHex.encode(PlatformUtxo.encode(utxo as PlatformUtxo.PlatformUtxo)),
    )
    return [result.utxos.sort(), bytes.sort()]
  },
  'platform.getStake'(state, { addresses, validatorsOnly }, result) {
    const own = answers.stake(state, addresses, validatorsOnly ?? false)
    const amount = Amount.sum(own.map(({ output }) => Stakeable.unlocked(output).amount))
    const bytes = own.map((output) => CheckedHex.encode(StakedOutput.encode(output)))
    return [
      [result.staked, result.stakedOutputs],
      [`${amount}`, bytes],
    ]
  },
  'avm.getUTXOs': (_state, _params, result, changes) => exported(result, changes),
  'avax.getUTXOs': (_state, _params, result, changes) => exported(result, changes),
  'platform.getValidatorsAt'(state, { height, subnetID = PRIMARY }, result, changes) {
    if (height === 'proposed') return undefined
    return [result, answers.setOf(membersAt(state, changes, Number(height)), subnetID)]
  },
  'platform.getAllValidatorsAt'(state, { height }, result, changes) {
    if (height === 'proposed') return undefined
    return [sortSets(result.validatorSets), answers.setsOf(membersAt(state, changes, Number(height)))]
  },
  'platform.getTxStatus'(_state, { txID }, result, changes) {
    return [result.status, statusOf(changes, txID)]
  },
  'platform.getRewardUTXOs'(_state, { txID }, result, changes) {
    return [result.utxos.sort(), rewardsOf(changes, txID)]
  },
}

/** What other chains can import of the P-chain must have been exported; whether they did so is theirs to know. */
function exported(
  result: { readonly utxos: readonly `0x${string}`[] },
  changes: readonly (readonly Change[])[],
): Pair {
  const put = changes
    .flat()
    .flatMap((change) =>
      change.type === 'utxo' && change.after?.chain !== 'P' ? (change.after?.utxo ?? []) : [],
    )
  const bytes = new Set(
    put.map((utxo) => CheckedHex.encode(PlatformUtxo.encode(utxo as PlatformUtxo.PlatformUtxo))),
  )
  return [result.utxos, result.utxos.filter((utxo) => bytes.has(utxo))]
}

/** The fate of a transaction, as `platform.getTxStatus` tells it. */
export function statusOf(changes: readonly (readonly Change[])[], txID: string): string {
  for (const change of changes.flat()) {
    if (change.type === 'transaction' && Id.format(change.txID) === txID) return change.status
  }
  return 'Unknown'
}

/** The bytes of the rewards that are listed under a transaction, sorted. */
export function rewardsOf(changes: readonly (readonly Change[])[], txID: string): string[] {
  const made = changes.flat().flatMap((change) => (change.type === 'utxo' ? (change.after ?? []) : []))
  const own = made.filter(({ rewardTxID }) => rewardTxID !== undefined && Id.format(rewardTxID) === txID)
  return own
    .map(({ utxo }) => CheckedHex.encode(PlatformUtxo.encode(utxo as PlatformUtxo.PlatformUtxo)))
    .sort()
}

/** The members of all sets at a height, from the last ones and the differences since. */
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

/** Recorded sets with their members by key. */
// biome-ignore lint/suspicious/noExplicitAny: foreign data, checked by the comparison itself
export function sortSets(sets: Record<string, any>): Record<string, unknown> {
  const order = (a: { publicKey: string }, b: { publicKey: string }) => (a.publicKey < b.publicKey ? -1 : 1)
  return Object.fromEntries(
    Object.entries(sets).map(([id, set]) => [id, { ...set, validators: [...set.validators].sort(order) }]),
  )
}
