import { Bytes, Hex, Id, NodeId } from '@firn/codec'
import type { Records } from '@firn/ledger'
import type { PlatformMethods, Result } from '@firn/rpc'
import { Blocks, L1Validators, type Snapshot, Stakers, type Store, Subnets, Validators } from '@firn/store'
import type { Facts, Things } from './Facts.ts'

type Entry = Result<typeof PlatformMethods, 'platform.getCurrentValidators'>['validators'][number]
type SetAt = Result<typeof PlatformMethods, 'platform.getValidatorsAt'>

/**
 * Reads a subnet's current validators from the database, and returns them keyed by transaction id or
 * validation id.
 */
export async function stored(store: Store, at: Snapshot, subnetId: Uint8Array): Promise<Things> {
  const subnet = Bytes.isZero(subnetId) ? undefined : await Subnets.byId(store, at, subnetId)
  const [validators, delegations, l1, { accruedFees }] = await Promise.all([
    Stakers.validators(store, at, subnetId),
    Stakers.delegations(store, at, subnetId),
    subnet?.conversion === undefined ? [] : L1Validators.bySubnet(store, at, subnetId),
    Blocks.platformState(store, at),
  ])
  const byNode = new Map(delegations.map((delegation) => [Hex.encode(delegation.nodeId), delegation]))
  return new Map([
    ...validators.map((staker) => storedStaker(staker, byNode.get(Hex.encode(staker.nodeId)))),
    ...l1.map((validator) => storedL1(validator, accruedFees)),
  ])
}

function storedStaker(
  staker: Records.Staker,
  delegated: { readonly count: bigint; readonly weight: bigint } | undefined,
): readonly [string, Facts] {
  const { nodeId, txId, weight, startTime, endTime, signer } = staker
  const facts = { weight, 'start time': startTime, 'end time': endTime }
  const rewarded =
    staker.kind === 'permissioned'
      ? {}
      : {
          'potential reward': staker.potentialReward,
          'accrued delegatee reward': staker.delegateeReward,
          'number of delegators': delegated?.count ?? 0n,
          'delegated weight': delegated?.weight ?? 0n,
          'public key': signer === undefined ? 'none' : Hex.encode(signer.publicKey),
        }
  return [stakerName(nodeId, txId), texts({ ...facts, ...rewarded })]
}

function storedL1(validator: Records.L1Validator, accruedFees: bigint): readonly [string, Facts] {
  const { nodeId, validationId, weight, startTime, minNonce, publicKey, endAccumulatedFee: end } = validator
  return [
    l1Name(nodeId, validationId),
    texts({
      weight,
      'start time': startTime,
      'minimum nonce': minNonce,
      balance: end === 0n ? 0n : end - accruedFees,
      'public key': Hex.encode(publicKey),
    }),
  ]
}

/** Returns a subnet's current validators that a node reports, with the same keys as in {@link stored}. */
export function reported(entries: readonly Entry[]): Things {
  return new Map(entries.map(reportedEntry))
}

function reportedEntry(entry: Entry): readonly [string, Facts] {
  if ('validationID' in entry) {
    const {
      nodeID: nodeId,
      validationID: validationId,
      weight,
      startTime,
      minNonce,
      balance,
      publicKey,
    } = entry
    const facts = { weight, 'start time': startTime, 'minimum nonce': minNonce, balance }
    return [l1Name(nodeId, validationId), texts({ ...facts, 'public key': Hex.encode(publicKey) })]
  }
  const { nodeID: nodeId, txID: txId, weight, startTime, endTime } = entry
  const facts = { weight, 'start time': startTime, 'end time': endTime }
  if (!('potentialReward' in entry)) return [stakerName(nodeId, txId), texts(facts)]
  const { signer } = entry
  return [
    stakerName(nodeId, txId),
    texts({
      ...facts,
      'potential reward': entry.potentialReward,
      'accrued delegatee reward': entry.accruedDelegateeReward,
      'number of delegators': entry.delegatorCount,
      'delegated weight': entry.delegatorWeight,
      'public key': signer?.publicKey === undefined ? 'none' : Hex.encode(signer.publicKey),
    }),
  ]
}

function stakerName(nodeId: Uint8Array, txId: Uint8Array): string {
  return `validator ${NodeId.format(nodeId)} (transaction ${Id.format(txId)})`
}

function l1Name(nodeId: Uint8Array, validationId: Uint8Array): string {
  return `validator ${NodeId.format(nodeId)} (validation ${Id.format(validationId)})`
}

/** Returns a subnet's validator set at a height according to the database, keyed by NodeID. */
export async function storedSet(store: Store, height: bigint, subnetId: Uint8Array): Promise<Things> {
  const members = await Validators.setAt(store, height, subnetId)
  return new Map(
    members.map(({ nodeId, weight, publicKey }) => [NodeId.format(nodeId), setFacts(weight, publicKey)]),
  )
}

/** Returns the validator set that a node reports, with the same keys as in {@link storedSet}. */
export function reportedSet(set: SetAt): Things {
  return new Map(
    [...set].map(([nodeId, { weight, publicKey }]) => [nodeId, setFacts(weight, publicKey ?? undefined)]),
  )
}

function setFacts(weight: bigint, publicKey: Uint8Array | undefined): Facts {
  return texts({ weight, 'public key': publicKey === undefined ? 'none' : Hex.encode(publicKey) })
}

function texts(facts: Readonly<Record<string, bigint | string | undefined>>): Facts {
  const known = Object.entries(facts).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  )
  return Object.fromEntries(known)
}
