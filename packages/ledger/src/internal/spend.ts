import { Upgrades } from '@firn/genesis'
import { Complexity, Flow, Gas, type PlatformTx, Stakeable, UnsignedTx, Utxo } from '@firn/txs'
import type { PlatformDraft as Draft } from './PlatformDraft.ts'
import * as utxos from './utxos.ts'

/** Price of gas for all transactions of a block; undefined before Etna. */
export type GasPrice = bigint | undefined

/** Consumes the gas of a block's transactions. Returns the gas price that applied before the block. */
export function consumeGas(draft: Draft, txs: readonly PlatformTx.PlatformTx[]): GasPrice {
  const { tip, platform } = draft
  const { dynamicFee, upgrades } = draft.rules.constants
  if (!Upgrades.isActive(upgrades, 'etna', tip.time)) return undefined
  const price = Gas.price({ ...dynamicFee, excess: platform.gas.excess })
  if (txs.length === 0) return price
  const used = Gas.of(Gas.add(...txs.map(({ unsignedTx }) => Complexity.of(unsignedTx))), dynamicFee.weights)
  draft.setPlatform({ gas: Gas.consume(platform.gas, used) })
  return price
}

type Spending = Extract<UnsignedTx.UnsignedTx, { readonly inputs: unknown }>

/**
 * Checks that a transaction covers its outputs, stake and fee, then consumes its UTXOs and creates its
 * outputs.
 * @param locked the amount that the transaction locks in addition to its outputs and stake, as returned by
 * its {@link Effect}
 */
export function spend(
  draft: Draft,
  txId: Uint8Array,
  tx: Spending,
  price: GasPrice,
  locked?: Flow.Share,
): void {
  assertBalanced(draft, tx, price, locked === undefined ? [] : [locked])
  for (const input of tx.inputs) utxos.spend(draft, input, Stakeable.unlockedInput(input.input))
  utxos.takeImported(draft, UnsignedTx.imported(tx))
  for (const utxo of Utxo.of(txId, tx.outputs)) draft.makeUtxo(utxo, 'output')
  utxos.putExported(draft, UnsignedTx.exported(tx), txId, tx.outputs.length)
}

function assertBalanced(
  { rules }: Draft,
  tx: Spending,
  price: GasPrice,
  locked: readonly Flow.Share[],
): void {
  const { avaxAssetId: assetId, constants } = rules
  const fee = price === undefined ? 0n : Complexity.fee(tx, constants.dynamicFee.weights, price)
  const consumed = UnsignedTx.inputs(tx).map(({ assetID: assetId, input }) => ({
    assetID: assetId,
    amount: Stakeable.unlockedInput(input).amount,
  }))
  const outs = [...tx.outputs, ...UnsignedTx.stake(tx), ...(UnsignedTx.exported(tx)?.outputs ?? [])]
  const produced = outs.map(({ assetID: assetId, output }) => ({
    assetID: assetId,
    amount: Stakeable.unlocked(output).amount,
  }))
  Flow.assertBalanced(consumed, [...produced, ...locked, { assetID: assetId, amount: fee }])
}
