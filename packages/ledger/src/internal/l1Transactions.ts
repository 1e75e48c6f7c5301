import { Bytes, Hex, Id } from '@firn/codec'
import { Amount, type Flow } from '@firn/txs'
import { ConversionData } from '@firn/warp'
import type * as Records from '../Records.ts'
import type { Effect } from './Effect.ts'
import * as l1Messages from './l1Messages.ts'
import * as l1Validators from './l1Validators.ts'
import type { PlatformDraft as Draft } from './PlatformDraft.ts'
import { refuse } from './refuse.ts'

/** Maximum time from now to a registration's expiry: one day, in seconds. */
const EXPIRY_WINDOW = 86_400n
const MAX_NONCE = 2n ** 64n - 1n

/** Effects of the ACP-77 transactions, except spending and creating UTXOs. */
export const EFFECTS: {
  readonly [T in
    | 'ConvertSubnetToL1Tx'
    | 'RegisterL1ValidatorTx'
    | 'SetL1ValidatorWeightTx'
    | 'IncreaseL1ValidatorBalanceTx'
    | 'DisableL1ValidatorTx']: Effect<T>
} = {
  ConvertSubnetToL1Tx(draft, txId, tx) {
    const { subnetID: subnetId, chainID: managerChainId, address: managerAddress } = tx
    const before = draft.permissionedSubnet(subnetId)
    tx.validators.forEach(({ nodeID: nodeId, weight, balance, signer, ...owners }, i) => {
      l1Validators.put(draft, undefined, {
        validationId: Id.append(subnetId, i),
        subnetId,
        nodeId,
        publicKey: signer.publicKey,
        ...owners,
        startTime: draft.tip.time,
        weight,
        minNonce: 0n,
        endAccumulatedFee: l1Validators.endOf(draft, balance),
      })
    })
    const validators = tx.validators.map(({ nodeID: nodeId, signer, weight }) => {
      return { nodeID: nodeId, blsPublicKey: signer.publicKey, weight }
    })
    const conversionId = ConversionData.id({
      subnetID: subnetId,
      managerChainID: managerChainId,
      managerAddress,
      validators,
    })
    const conversion = {
      conversionId,
      managerChainId,
      managerAddress,
      txId,
    }
    draft.write('subnet', before, { ...before, conversion })
    return deposit(draft, Amount.sum(tx.validators.map(({ balance }) => balance)))
  },

  RegisterL1ValidatorTx(draft, _txId, { message, balance }) {
    const received = l1Messages.receive(message, 'RegisterL1Validator')
    const { call, bytes } = received
    assertSource(draft, call.subnetID, received)
    const validationId = Id.hash(bytes)
    const expiry = { timestamp: call.expiry, validationId }
    assertUnexpired(draft, expiry)
    l1Validators.put(draft, undefined, {
      validationId,
      subnetId: call.subnetID,
      nodeId: call.nodeID,
      publicKey: call.blsPublicKey,
      remainingBalanceOwner: call.remainingBalanceOwner,
      deactivationOwner: call.disableOwner,
      startTime: draft.tip.time,
      weight: call.weight,
      minNonce: 0n,
      endAccumulatedFee: l1Validators.endOf(draft, balance),
    })
    draft.write('expiry', undefined, expiry)
    return deposit(draft, balance)
  },

  SetL1ValidatorWeightTx(draft, txId, tx) {
    const received = l1Messages.receive(tx.message, 'L1ValidatorWeight')
    const { validationID: validationId, nonce, weight } = received.call
    const before = l1Validators.find(draft, validationId)
    const isReserved = nonce === MAX_NONCE && weight !== 0n
    if (nonce < before.minNonce || isReserved) {
      const details = { nonce, minNonce: before.minNonce, isReserved }
      refuse('LEDGER_MESSAGE', `expected a nonce of at least ${before.minNonce}, got ${nonce}`, details)
    }
    assertSource(draft, before.subnetId, received)
    if (weight === 0n) {
      if (l1Validators.totalWeight(draft, before.subnetId) === before.weight) {
        refuse('LEDGER_L1_VALIDATOR', 'cannot remove the last validator of an L1')
      }
      l1Validators.refund(draft, txId, tx, before)
    }
    l1Validators.put(draft, before, { ...before, weight, minNonce: nonce + 1n })
  },

  IncreaseL1ValidatorBalanceTx(draft, _txId, { validationID: validationId, balance }) {
    const before = l1Validators.find(draft, validationId)
    const endAccumulatedFee = l1Validators.isActive(before)
      ? before.endAccumulatedFee + balance
      : l1Validators.endOf(draft, balance)
    l1Validators.put(draft, before, { ...before, endAccumulatedFee })
    return deposit(draft, balance)
  },

  DisableL1ValidatorTx(draft, txId, tx) {
    const before = l1Validators.find(draft, tx.validationID)
    if (!l1Validators.isActive(before)) return
    l1Validators.refund(draft, txId, tx, before)
    l1Validators.put(draft, before, { ...before, endAccumulatedFee: 0n })
  },
}

/** Returns a deposit into balances of L1 validators, in AVAX, as the amount that the transaction locks. */
function deposit({ rules }: Draft, amount: bigint): Flow.Share {
  return { assetID: rules.avaxAssetId, amount }
}

/** Checks that a message comes from the contract that manages the L1. */
function assertSource(
  draft: Draft,
  subnetId: Uint8Array,
  {
    sourceChainId,
    sourceAddress,
  }: Pick<l1Messages.Received<'L1ValidatorWeight'>, 'sourceChainId' | 'sourceAddress'>,
): void {
  const details = { subnetId: Id.format(subnetId) }
  const conversion = draft.get('subnet', Hex.encodeBare(subnetId))?.conversion
  if (conversion === undefined) {
    refuse('LEDGER_MESSAGE', `subnet ${details.subnetId} has no manager, because it is no L1`, details)
  }
  const { managerChainId, managerAddress } = conversion
  const wrong = (what: string, expected: string, actual: string) => {
    const message = `expected a message from the manager's ${what} ${expected}, got one from ${actual}`
    refuse('LEDGER_MESSAGE', message, { ...details, sender: what, expected, actual })
  }
  if (!Bytes.equals(managerChainId, sourceChainId)) {
    wrong('chain', Id.format(managerChainId), Id.format(sourceChainId))
  }
  if (!Bytes.equals(managerAddress, sourceAddress)) {
    wrong('address', Hex.encode(managerAddress), Hex.encode(sourceAddress))
  }
}

function assertUnexpired(draft: Draft, expiry: Records.Expiry): void {
  const { time } = draft.tip
  const { timestamp } = expiry
  if (timestamp <= time || timestamp - time > EXPIRY_WINDOW) {
    const details = { expiry: timestamp, time }
    refuse(
      'LEDGER_MESSAGE',
      `expected an expiry after ${time} and at most a day later, got ${timestamp}`,
      details,
    )
  }
  if (draft.hasExpiry(expiry)) {
    const validationId = Id.format(expiry.validationId)
    refuse('LEDGER_MESSAGE', `the registration ${validationId} was already used`, {
      validationID: validationId,
    })
  }
}
