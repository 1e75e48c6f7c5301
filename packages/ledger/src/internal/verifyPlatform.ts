import { Hex, Id } from '@firn/codec'
import { Upgrades } from '@firn/genesis'
import {
  Complexity,
  Credentials,
  Gas,
  PlatformSyntax,
  PlatformTx,
  type Secp256k1,
  TxsError,
  UnsignedTx,
} from '@firn/txs'
import type { LedgerState } from '../LedgerState.ts'
import { PlatformDraft } from './PlatformDraft.ts'
import { peer } from './peers.ts'
import { refuse } from './refuse.ts'
import { consumeGas } from './spend.ts'
import { assertStakingRules } from './stakingRules.ts'
import * as time from './time.ts'
import * as transactions from './transactions.ts'
import { asCredential, type Signed, verifySpend } from './verifySpend.ts'

/** The part of the checks during which a P-chain transaction was refused. */
export type PlatformStep =
  | 'parse'
  | 'complexity'
  | 'capacity'
  | 'rules'
  | 'permission'
  | 'spend'
  | 'transfer'
  | 'effect'

/** Checks a transaction of the P-chain in the node's order. `enter` is called at the start of each step. */
export function verifyPlatform(
  { tables, rules }: LedgerState,
  bytes: Uint8Array,
  now: bigint,
  enter: (step: PlatformStep) => void,
): void {
  enter('parse')
  const tx = PlatformTx.decode(bytes)
  const { unsignedTx } = tx
  const { constants, avaxAssetId } = rules
  const draft = new PlatformDraft(tables, rules)
  time.advance(draft, time.nextTime(draft, now))
  if (Upgrades.isActive(constants.upgrades, 'etna', draft.tip.time)) {
    enter('complexity')
    const gas = Gas.of(Complexity.of(unsignedTx), constants.dynamicFee.weights)
    enter('capacity')
    Gas.consume(draft.platform.gas, gas)
  }
  enter('rules')
  transactions.assertAllowed(draft, unsignedTx.type)
  PlatformSyntax.assertValid(unsignedTx, { networkId: constants.networkId, avaxAssetId })
  assertMemo(draft, unsignedTx)
  const other = UnsignedTx.exported(unsignedTx)?.to ?? UnsignedTx.imported(unsignedTx)?.from
  if (other !== undefined) peer(draft, other)
  assertStakingRules(draft, PlatformTx.id(bytes), unsignedTx)
  enter('permission')
  const signed = { bytes, tx, now }
  assertPermitted(draft, signed)
  enter('rules')
  if (NEEDS_PERMISSIONED.has(unsignedTx.type) && 'subnetID' in unsignedTx) {
    draft.permissionedSubnet(unsignedTx.subnetID)
  }
  if (unsignedTx.type === 'AddSubnetValidatorTx') draft.permissionedSubnet(unsignedTx.validator.subnetID)
  enter('spend')
  const price = consumeGas(draft, [tx])
  verifySpend(draft, signed, price, enter)
  enter('effect')
  transactions.execute(draft, tx, price)
}

/** Types whose subnet must be neither elastic nor an L1. */
const NEEDS_PERMISSIONED: ReadonlySet<UnsignedTx.TxType> = new Set(['CreateChainTx', 'ConvertSubnetToL1Tx'])

/** Checks that a transaction has no memo, which Durango forbids. */
function assertMemo({ rules, tip }: PlatformDraft, tx: UnsignedTx.UnsignedTx): void {
  const isAllowed = !Upgrades.isActive(rules.constants.upgrades, 'durango', tip.time)
  if (isAllowed || !('memo' in tx) || tx.memo.length === 0) return
  const details = { maximum: 0, actual: tx.memo.length }
  throw new TxsError('TXS_MEMO', `expected no memo, got ${tx.memo.length} bytes`, { details })
}

/** Checks the authorization of a transaction, whose credential comes last. */
function assertPermitted(draft: PlatformDraft, { bytes, tx, now }: Signed): void {
  const input = UnsignedTx.authorization(tx.unsignedTx)
  if (input === undefined) return
  const owners = authorityOf(draft, tx.unsignedTx)
  if (tx.credentials.length === 0) {
    const details = { isMissing: true }
    throw new TxsError('TXS_CREDENTIAL', 'expected a credential, got none', { details })
  }
  const credential = asCredential(tx.credentials.at(-1))
  if (input.type !== 'Input') {
    throw new TxsError('TXS_CREDENTIAL', `expected an authorization of type Input, got ${input.type}`)
  }
  const unsignedBytes = PlatformTx.unsignedBytes(bytes, tx)
  Credentials.assertValid({ unsignedBytes, owners, input, credential, time: now })
}

/** Returns the owner that must sign the authorization of a transaction. */
function authorityOf(draft: PlatformDraft, tx: UnsignedTx.UnsignedTx): Secp256k1.OutputOwners {
  if (tx.type === 'AddSubnetValidatorTx') return draft.subnet(tx.validator.subnetID).owner
  if (tx.type === 'DisableL1ValidatorTx') {
    const found = draft.get('l1Validator', Hex.encodeBare(tx.validationID))
    if (found !== undefined) return { locktime: 0n, ...found.deactivationOwner }
    const validationId = Id.format(tx.validationID)
    return refuse('LEDGER_L1_VALIDATOR', `L1 validator ${validationId} not found`, { validationId })
  }
  if (tx.type === 'SetAutoRenewedValidatorConfigTx') {
    const found = draft.get('staker', Hex.encodeBare(tx.txID))
    if (found?.autoRenewal !== undefined) return found.autoRenewal.authority
    const txId = Id.format(tx.txID)
    return refuse('LEDGER_STAKER', `no auto-renewed validator of transaction ${txId} found`, { txId })
  }
  if ('subnetID' in tx) return draft.subnet(tx.subnetID).owner
  return refuse('LEDGER_SUBNET', `a transaction of type ${tx.type} has no authority`)
}
