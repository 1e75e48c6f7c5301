import { Hex, Id } from '@firn/codec'
import { Upgrades } from '@firn/genesis'
import type { Transactions, Utxos } from '@firn/store'
import { PlatformTx, UnsignedTx, UtxoId } from '@firn/txs'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import { negative, type Share } from '../shapes/AssetAmount.ts'
import {
  amountOf,
  amountsOf,
  platformUtxo,
  type Role,
  type Surroundings,
  sharesOf,
  unknownPlatformUtxo,
} from '../shapes/PlatformUtxo.ts'
import { describe, l1Validators } from './describe.ts'
import type { PlatformFacts } from './Facts.ts'
import { l1ValidatorDetails } from './l1Validations.ts'

type History = Utxos.UtxoHistory

/** A P-chain transaction, and what it imports from the C-chain if the C-chain is not followed. */
type Facts = PlatformFacts & { readonly unknown: readonly Transactions.UnknownInput[] }

/** Yields the assets that the answer about a transaction refers to. */
export function* assetsOf({ consumed, unknown, tx, made }: Facts): Iterable<Uint8Array> {
  for (const { assetId } of [...consumed, ...unknown, ...made]) yield assetId
  for (const { assetID: assetId } of UnsignedTx.stake(tx.unsignedTx)) yield assetId
}

/** Returns a P-chain transaction in the Data API's format. */
export function platformTransaction(facts: Facts, around: Surroundings, avaxAssetId: Uint8Array): Body {
  const { listed, tx, consumed, unknown, made, staking, reward, l1 } = facts
  const { unsignedTx } = tx
  const { hrp } = around.constants
  const own = made.filter(({ origin }) => origin === 'output' || origin === 'genesis')
  const refunds = made.filter(({ origin }) => origin === 'refund')
  const rewards = made.filter(({ origin }) => origin === 'reward')
  const stakes = stakeHistories(facts)
  const spent = [...sharesOf(consumed), ...unknown]
  const produced = [...sharesOf(own), ...sharesOf(stakes)]
  const paid = l1Validators(unsignedTx).flatMap(({ payment: amount }) =>
    amount === undefined ? [] : [{ assetId: avaxAssetId, amount }],
  )
  const amounts = (shares: Iterable<Share>) => amountsOf(shares, around)
  const refund = sharesOf(refunds).reduce((sum, { amount }) => sum + amount, 0n)
  const details = l1ValidatorDetails(unsignedTx, listed.height, l1, refund)
  return {
    txHash: Id.format(listed.id),
    txType: unsignedTx.type,
    blockTimestamp: listed.time,
    blockNumber: String(listed.height),
    blockHash: Id.format(listed.blockId),
    memo: 'memo' in unsignedTx ? Hex.encode(unsignedTx.memo) : undefined,
    rewardTxHash: reward && Id.format(reward.id),
    estimatedReward:
      staking && staking.staker.potentialReward > 0n ? String(staking.staker.potentialReward) : undefined,
    ...stakingTimes(facts, around),
    ...describe(unsignedTx, listed.id, hrp),
    l1ValidatorDetails: details.length === 0 ? undefined : details,
    consumedUtxos: [
      ...consumed.map((utxo) => platformUtxo(utxo, around)),
      ...unknown.map((input) => unknownPlatformUtxo(input, listed, around)),
    ],
    emittedUtxos: [
      ...own.map((utxo) => platformUtxo(utxo, around)),
      ...stakes.map((utxo) => platformUtxo(utxo, around, { stake: stakeRole(facts, around) })),
      ...refunds.map((utxo) => platformUtxo(utxo, around)),
      ...rewards.map((utxo) => platformUtxo(utxo, around, rewardRole(facts, utxo))),
    ],
    ...chainsOf(unsignedTx, around),
    value: amounts(produced),
    // The genesis creates outputs and stakes without consuming any inputs.
    amountBurned: amounts(listed.height === 0n ? [] : [...spent, ...negative(produced)]),
    amountStaked: amounts(sharesOf(stakes)),
    amountL1ValidatorBalanceBurned: amounts(paid),
  }
}

/**
 * Returns the staked outputs of a transaction, including stakes that have not been returned yet. Their
 * indexes follow the indexes of the transaction's other outputs.
 */
function stakeHistories({ listed, tx, made }: PlatformFacts): History[] {
  const first = PlatformTx.utxos(tx, listed.id).length
  const returned = new Map(
    made.filter(({ origin }) => origin === 'stake').map((utxo) => [utxo.outputIndex, utxo]),
  )
  return UnsignedTx.stake(tx.unsignedTx).map(({ assetID: assetId, output }, i) => {
    const outputIndex = first + i
    const id = UtxoId.inputId({ txID: listed.id, outputIndex })
    const { id: txId, height, ordinal, time } = listed
    const place = { id, chain: 'P', source: 'P', txId, outputIndex, height, ordinal, time } as const
    return {
      ...place,
      block: { height, time },
      assetId,
      output,
      amount: amountOf(output),
      origin: 'stake',
      consumed: returned.get(outputIndex)?.consumed,
    }
  })
}

/**
 * Returns the staking period. Since Durango, a stake starts with the block of its transaction; before, it
 * started at the time given in the transaction.
 */
function stakingTimes({ listed, tx, staking }: PlatformFacts, { constants }: Surroundings) {
  const { unsignedTx } = tx
  if (!('validator' in unsignedTx)) {
    return staking === undefined ? {} : { startTimestamp: listed.time, endTimestamp: staking.staker.endTime }
  }
  const { start, end } = unsignedTx.validator
  const isImmediate = Upgrades.isActive(constants.upgrades, 'durango', listed.time)
  return { startTimestamp: isImmediate && listed.height > 0n ? listed.time : start, endTimestamp: end }
}

function stakeRole(facts: PlatformFacts, around: Surroundings): Role['stake'] {
  const { staking, listed } = facts
  const { endTimestamp } = stakingTimes(facts, around)
  const isStaked = staking !== undefined && staking.endHeight === undefined
  return { isStaked, start: listed.time, end: endTimestamp }
}

/**
 * Returns the kind of a reward output. If a reward was granted, the first output is the staker's own reward, and a
 * second output is the validator's commission. If it was denied, only the commission is paid. The reward of an
 * auto-renewed validator is created under the id of the reward transaction.
 */
export function rewardRole({ listed, tx, made, reward = listed }: PlatformFacts, utxo: History): Role {
  const first = made.find(({ origin }) => origin === 'reward')
  if (reward.status !== 'Committed' || utxo !== first) return { rewardType: 'VALIDATOR_FEE' }
  return {
    rewardType: UnsignedTx.TYPES[tx.unsignedTx.type][2].staking === 'delegator' ? 'DELEGATOR' : 'VALIDATOR',
  }
}

/** Returns the source and destination chain. Both are the P-chain, except for imports and exports. */
function chainsOf(tx: UnsignedTx.UnsignedTx, { chainIds }: Surroundings) {
  const [imported, exported] = [UnsignedTx.imported(tx), UnsignedTx.exported(tx)]
  return {
    sourceChain: imported === undefined ? chainIds.P : Id.format(imported.from),
    destinationChain: exported === undefined ? chainIds.P : Id.format(exported.to),
  }
}
