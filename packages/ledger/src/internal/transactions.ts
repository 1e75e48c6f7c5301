import { Hex, Id } from '@firn/codec'
import { Networks, type Upgrades } from '@firn/genesis'
import { PlatformTx, type UnsignedTx } from '@firn/txs'
import type { Chain } from '../Records.ts'
import * as l1Transactions from './l1Transactions.ts'
import type { PlatformDraft as Draft } from './PlatformDraft.ts'
import { refuse } from './refuse.ts'
import { type GasPrice, spend } from './spend.ts'
import * as stakers from './stakers.ts'

/** What a type of transaction does beside spending and making UTXOs. */
type Effect<T extends UnsignedTx.TxType> = (draft: Draft, txId: Uint8Array, tx: UnsignedTx.Of<T>) => void

/** When each type is taken: from an upgrade on, or until one. */
const PERIODS: { readonly [T in UnsignedTx.TxType]?: { from?: Upgrades.Name; until?: Upgrades.Name } } = {
  AddValidatorTx: { until: 'durango' },
  AddDelegatorTx: { until: 'durango' },
  TransformSubnetTx: { until: 'etna' },
  TransferSubnetOwnershipTx: { from: 'durango' },
  BaseTx: { from: 'durango' },
  ConvertSubnetToL1Tx: { from: 'etna' },
  RegisterL1ValidatorTx: { from: 'etna' },
  SetL1ValidatorWeightTx: { from: 'etna' },
  IncreaseL1ValidatorBalanceTx: { from: 'etna' },
  DisableL1ValidatorTx: { from: 'etna' },
  AddAutoRenewedValidatorTx: { from: 'helicon' },
  SetAutoRenewedValidatorConfigTx: { from: 'helicon' },
}

/** Executes a transaction of a standard block. Its signatures are not looked at. */
export function execute(draft: Draft, tx: PlatformTx.PlatformTx, price: GasPrice): void {
  const { unsignedTx } = tx
  const bytes = PlatformTx.encode(tx)
  const txId = PlatformTx.id(bytes)
  draft.txId = txId
  assertAllowed(draft, unsignedTx.type)
  const effect = EFFECTS[unsignedTx.type] as Effect<UnsignedTx.TxType> | undefined
  if (effect === undefined || !('inputs' in unsignedTx)) {
    refuse('LEDGER_TX_TYPE', `expected a transaction of a standard block, got a ${unsignedTx.type}`)
  }
  effect(draft, txId, unsignedTx)
  spend(draft, txId, unsignedTx, price)
  draft.decide({ txId, ...draft.nextPlace(), name: unsignedTx.type, bytes, status: 'Committed' })
  draft.txId = undefined
}

function assertAllowed(draft: Draft, type: UnsignedTx.TxType): void {
  const { upgrades } = draft.rules.constants
  const { time } = draft.tip
  const { from, until } = PERIODS[type] ?? {}
  if (from !== undefined && time < upgrades[from]) {
    refuse('LEDGER_TX_TYPE', `expected no ${type} before ${from}, got one at ${time}`, { type, time })
  }
  if (until !== undefined && time >= upgrades[until]) {
    refuse('LEDGER_TX_TYPE', `expected no ${type} since ${until}, got one at ${time}`, { type, time })
  }
}

const EFFECTS: { readonly [T in UnsignedTx.TxType]?: Effect<T> } = {
  ...l1Transactions.EFFECTS,
  BaseTx: () => undefined,
  AddValidatorTx: stakers.add,
  AddSubnetValidatorTx: stakers.add,
  AddDelegatorTx: stakers.add,
  AddPermissionlessValidatorTx: stakers.add,
  AddPermissionlessDelegatorTx: stakers.add,
  CreateSubnetTx(draft, subnetId, { owner }) {
    draft.write('subnet', undefined, {
      subnetId,
      owner,
      transformation: undefined,
      conversion: undefined,
      height: draft.height,
      ordinal: draft.nextOrdinal('subnet'),
    })
  },
  CreateChainTx(draft, blockchainId, tx) {
    draft.permissionedSubnet(tx.subnetID)
    const place = { height: draft.height, ordinal: draft.nextOrdinal('chain') }
    draft.write('chain', undefined, { ...chainOf(blockchainId, tx), ...place })
  },
  TransferSubnetOwnershipTx(draft, _txId, { subnetID: subnetId, newOwner }) {
    const before = draft.subnet(subnetId)
    draft.write('subnet', before, { ...before, owner: newOwner })
  },
  TransformSubnetTx(draft, txId, tx) {
    const before = draft.permissionedSubnet(tx.subnetID)
    draft.write('subnet', before, { ...before, transformation: { txId, tx } })
    draft.write('supply', undefined, { subnetId: tx.subnetID, supply: tx.initialSupply })
  },
  RemoveSubnetValidatorTx(draft, _txId, { subnetID: subnetId, nodeID: nodeId }) {
    const found = stakers.validator(draft, subnetId, nodeId)
    if (found?.kind !== 'permissioned') {
      refuse('LEDGER_STAKER', `expected a validator of the permissioned subnet ${Id.format(subnetId)}`)
    }
    stakers.remove(draft, found)
  },
  AddAutoRenewedValidatorTx(draft, txId, tx) {
    if (stakers.validator(draft, Networks.PRIMARY_NETWORK_ID, tx.nodeID) !== undefined) {
      refuse('LEDGER_STAKER', 'expected a node that is no validator of the Primary Network yet')
    }
    const staker = stakers.describeAutoRenewed(txId, tx, draft.tip.time)
    stakers.put(draft, stakers.mint(draft, staker))
  },
  SetAutoRenewedValidatorConfigTx(draft, _txId, { txID: txId, autoCompoundRewardShares, period }) {
    const before = draft.get('staker', Hex.encodeBare(txId))
    if (before?.autoRenewal === undefined) {
      const text = Id.format(txId)
      refuse('LEDGER_STAKER', `expected an auto-renewed validator, got ${text}`, { txID: text })
    }
    const autoRenewal = { ...before.autoRenewal, autoCompoundRewardShares, nextPeriod: period }
    draft.write('staker', before, { ...before, autoRenewal })
  },
  ImportTx: () => undefined,
  ExportTx: () => undefined,
}

/** The chain that a transaction creates. */
export function chainOf(
  blockchainId: Uint8Array,
  tx: UnsignedTx.Of<'CreateChainTx'>,
): Omit<Chain, 'height' | 'ordinal'> {
  const { chainName: name, subnetID: subnetId, vmID: vmId, fxIDs: fxIds } = tx
  return { blockchainId, name, subnetId, vmId, fxIds }
}
