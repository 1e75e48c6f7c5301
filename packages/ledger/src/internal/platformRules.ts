import { Hex, Id } from '@firn/codec'
import { Networks, type Upgrades } from '@firn/genesis'
import type { UnsignedTx } from '@firn/txs'
import type { Chain } from '../Records.ts'
import type { Effect } from './Effect.ts'
import * as l1Transactions from './l1Transactions.ts'
import type { PlatformDraft as Draft } from './PlatformDraft.ts'
import * as proposals from './proposals.ts'
import { refuse } from './refuse.ts'
import * as stakers from './stakers.ts'

/** Applies the effects of a transaction type once its proposal is decided. */
type Proposal<T extends UnsignedTx.TxType> = (
  draft: Draft,
  txId: Uint8Array,
  tx: UnsignedTx.Of<T>,
  choice: proposals.Choice,
) => void

/**
 * The upgrades between which a transaction type is accepted, and its effects in each kind of block that may contain
 * it.
 */
export type Rule<T extends UnsignedTx.TxType> = {
  readonly from?: Upgrades.Name
  readonly until?: Upgrades.Name
} & (
  | { readonly standard: Effect<T>; readonly proposal?: Proposal<T> }
  | { readonly standard?: undefined; readonly proposal: Proposal<T> }
)

const nothing = () => undefined

/** Rules and effects of each P-chain transaction type. */
export const RULES: { readonly [T in UnsignedTx.TxType]: Rule<T> } = {
  AddValidatorTx: { until: 'durango', standard: stakers.add, proposal: proposals.addStaker },
  AddSubnetValidatorTx: { standard: stakers.add, proposal: proposals.addStaker },
  AddDelegatorTx: { until: 'durango', standard: stakers.add, proposal: proposals.addStaker },
  CreateChainTx: {
    standard(draft, blockchainId, tx) {
      draft.permissionedSubnet(tx.subnetID)
      const place = { height: draft.height, ordinal: draft.nextOrdinal('chain') }
      draft.write('chain', undefined, { ...chainOf(blockchainId, tx), ...place })
    },
  },
  CreateSubnetTx: {
    standard(draft, subnetId, { owner }) {
      draft.write('subnet', undefined, {
        subnetId,
        owner,
        transformation: undefined,
        conversion: undefined,
        height: draft.height,
        ordinal: draft.nextOrdinal('subnet'),
      })
    },
  },
  ImportTx: { standard: nothing },
  ExportTx: { standard: nothing },
  AdvanceTimeTx: { proposal: proposals.advance },
  RewardValidatorTx: { proposal: proposals.reward },
  RemoveSubnetValidatorTx: {
    standard(draft, _txId, { subnetID: subnetId, nodeID: nodeId }) {
      const found = stakers.validator(draft, subnetId, nodeId)
      if (found?.kind !== 'permissioned') {
        refuse(
          'LEDGER_STAKER',
          `the node is not a validator of the permissioned subnet ${Id.format(subnetId)}`,
        )
      }
      stakers.remove(draft, found)
    },
  },
  TransformSubnetTx: {
    until: 'etna',
    standard(draft, txId, tx) {
      const before = draft.permissionedSubnet(tx.subnetID)
      draft.write('subnet', before, { ...before, transformation: { txId, tx } })
      draft.write('supply', undefined, { subnetId: tx.subnetID, supply: tx.initialSupply })
      // The rest of the maximum supply is locked, to be minted as rewards.
      return { assetID: tx.assetID, amount: tx.maximumSupply - tx.initialSupply }
    },
  },
  AddPermissionlessValidatorTx: { standard: stakers.add },
  AddPermissionlessDelegatorTx: { standard: stakers.add },
  TransferSubnetOwnershipTx: {
    from: 'durango',
    standard(draft, _txId, { subnetID: subnetId, newOwner }) {
      const before = draft.subnet(subnetId)
      draft.write('subnet', before, { ...before, owner: newOwner })
    },
  },
  BaseTx: { from: 'durango', standard: nothing },
  ConvertSubnetToL1Tx: { from: 'etna', standard: l1Transactions.EFFECTS.ConvertSubnetToL1Tx },
  RegisterL1ValidatorTx: { from: 'etna', standard: l1Transactions.EFFECTS.RegisterL1ValidatorTx },
  SetL1ValidatorWeightTx: { from: 'etna', standard: l1Transactions.EFFECTS.SetL1ValidatorWeightTx },
  IncreaseL1ValidatorBalanceTx: {
    from: 'etna',
    standard: l1Transactions.EFFECTS.IncreaseL1ValidatorBalanceTx,
  },
  DisableL1ValidatorTx: { from: 'etna', standard: l1Transactions.EFFECTS.DisableL1ValidatorTx },
  AddAutoRenewedValidatorTx: {
    from: 'helicon',
    standard(draft, txId, tx) {
      if (stakers.validator(draft, Networks.PRIMARY_NETWORK_ID, tx.nodeID) !== undefined) {
        refuse('LEDGER_STAKER', 'the node is already a validator of the Primary Network')
      }
      const staker = stakers.describeAutoRenewed(txId, tx, draft.tip.time)
      stakers.put(draft, stakers.mint(draft, staker))
    },
  },
  SetAutoRenewedValidatorConfigTx: {
    from: 'helicon',
    standard(draft, _txId, { txID: txId, autoCompoundRewardShares, period }) {
      const before = draft.get('staker', Hex.encodeBare(txId))
      if (before?.autoRenewal === undefined) {
        const text = Id.format(txId)
        refuse('LEDGER_STAKER', `no auto-renewed validator with the transaction id ${text} found`, {
          txId: text,
        })
      }
      const autoRenewal = { ...before.autoRenewal, autoCompoundRewardShares, nextPeriod: period }
      draft.write('staker', before, { ...before, autoRenewal })
    },
  },
  RewardAutoRenewedValidatorTx: { proposal: proposals.rewardAutoRenewed },
}

/** Returns the record of the chain that a transaction creates. */
export function chainOf(
  blockchainId: Uint8Array,
  tx: UnsignedTx.Of<'CreateChainTx'>,
): Omit<Chain, 'height' | 'ordinal'> {
  const { chainName: name, subnetID: subnetId, vmID: vmId, fxIDs: fxIds } = tx
  return { blockchainId, name, subnetId, vmId, fxIds }
}
