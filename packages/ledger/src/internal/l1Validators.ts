import { Hex, Id, NodeId } from '@firn/codec'
import type { UnsignedTx, ValidatorFee } from '@firn/txs'
import type * as Records from '../Records.ts'
import { memberKey } from '../Records.ts'
import type { PlatformDraft as Draft } from './PlatformDraft.ts'
import { refuse } from './refuse.ts'

/** Returns the part of the state that determines the price of L1 validators. */
export function feeState({ platform }: Draft): ValidatorFee.State {
  return { current: platform.activeL1Validators, excess: platform.validatorExcess }
}

/** Returns true if an L1 validator has a balance, so that it can sign. */
export function isActive({ endAccumulatedFee }: Records.L1Validator): boolean {
  return endAccumulatedFee !== 0n
}

/** Returns the active validator whose balance is used up first. */
export function firstActive(draft: Draft): Records.L1Validator | undefined {
  for (const validator of draft.ordered('l1Validator')) return isActive(validator) ? validator : undefined
  return undefined
}

/**
 * Deactivates the validators for which `isUsedUp` returns true. Does not refund their remaining balances. Returns
 * true if any was deactivated.
 */
export function deactivate(draft: Draft, isUsedUp: (endAccumulatedFee: bigint) => boolean): boolean {
  const found: Records.L1Validator[] = []
  for (const validator of draft.ordered('l1Validator')) {
    if (!isActive(validator) || !isUsedUp(validator.endAccumulatedFee)) break
    found.push(validator)
  }
  for (const validator of found) put(draft, validator, { ...validator, endAccumulatedFee: 0n })
  return found.length > 0
}

/** Returns the L1 validator with a validation id. */
export function find(draft: Draft, validationId: Uint8Array): Records.L1Validator {
  const found = draft.get('l1Validator', Hex.encodeBare(validationId))
  if (found === undefined) {
    const text = Id.format(validationId)
    return refuse('LEDGER_L1_VALIDATOR', `unknown L1 validator ${text}`, {
      validationId: text,
    })
  }
  return found
}

/**
 * Writes an L1 validator and its weight in the validator set. The validator is created if `before` is absent
 * and removed if its weight is 0.
 */
export function put(draft: Draft, before: Records.L1Validator | undefined, after: Records.L1Validator): void {
  if (before === undefined) assertNew(draft, after)
  const isRemoved = after.weight === 0n
  draft.write('l1Validator', before, isRemoved ? undefined : after)
  if (before !== undefined) addWeight(draft, before, -before.weight)
  if (!isRemoved) addWeight(draft, after, after.weight)
  const was = before !== undefined && isActive(before) ? 1n : 0n
  const is = !isRemoved && isActive(after) ? 1n : 0n
  if (is !== was) draft.setPlatform({ activeL1Validators: draft.platform.activeL1Validators + is - was })
}

function assertNew(draft: Draft, { subnetId, nodeId }: Records.L1Validator): void {
  const key = memberKey(subnetId, nodeId)
  const legacy = draft.find('staker', key)
  if (draft.find('l1Validator', key) === undefined && legacy?.status !== 'current') return
  const details = { subnetId: Id.format(subnetId), nodeId: NodeId.format(nodeId) }
  refuse(
    'LEDGER_L1_VALIDATOR',
    `${details.nodeId} is already a validator of subnet ${details.subnetId}`,
    details,
  )
}

/**
 * Adds weight to the validator set's member for an L1 validator. All inactive validators of an L1 share one member
 * without node id and key.
 */
function addWeight(draft: Draft, validator: Records.L1Validator, weight: bigint): void {
  const { subnetId, nodeId, publicKey } = validator
  if (isActive(validator)) draft.addWeight(subnetId, nodeId, weight, publicKey)
  else draft.addWeight(subnetId, NodeId.EMPTY, weight)
}

/** Returns the total weight of an L1's validators, including inactive ones. */
export function totalWeight(draft: Draft, subnetId: Uint8Array): bigint {
  const id = Hex.encodeBare(subnetId)
  let total = 0n
  for (const validator of draft.ordered('l1Validator')) {
    if (Hex.encodeBare(validator.subnetId) === id) total += validator.weight
  }
  return total
}

/**
 * Returns the value of the accrued fees at which a balance that is added now will be used up; 0 for a balance of 0.
 * Rejects a validator beyond the network's capacity.
 */
export function endOf(draft: Draft, balance: bigint): bigint {
  if (balance === 0n) return 0n
  const { activeL1Validators, accruedFees } = draft.platform
  const { capacity } = draft.rules.constants.validatorFee
  if (activeL1Validators >= capacity) {
    refuse('LEDGER_L1_VALIDATOR', `the network already has the maximum of ${capacity} active L1 validators`, {
      capacity,
    })
  }
  return accruedFees + balance
}

/** Returns the remaining balance of an active validator to its owner, as the next output of a transaction. */
export function refund(
  draft: Draft,
  txId: Uint8Array,
  tx: { readonly outputs: UnsignedTx.Of<'BaseTx'>['outputs'] },
  validator: Records.L1Validator,
): void {
  if (!isActive(validator)) return
  const amount = validator.endAccumulatedFee - draft.platform.accruedFees
  if (amount <= 0n)
    refuse('LEDGER_L1_VALIDATOR', `expected an active L1 validator with a balance above 0, got ${amount}`)
  const output = { type: 'TransferOutput', amount, locktime: 0n, ...validator.remainingBalanceOwner } as const
  const { avaxAssetId: assetId } = draft.rules
  draft.makeUtxo({ txID: txId, outputIndex: tx.outputs.length, assetID: assetId, output }, 'refund')
}
