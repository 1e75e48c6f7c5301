import type * as Codec from '@firn/codec/Codec'
import * as BaseTx from '../avax/BaseTx.ts'
import * as Utxo from '../avax/Utxo.ts'
import { assertFxValue } from '../internal/fxChecks.ts'
import * as AvmFx from './AvmFx.ts'
import * as AvmTx from './AvmTx.ts'

/** An unspent output of the X-chain. */
export type AvmUtxo = Utxo.Utxo<AvmFx.State>

/** Codec of the bytes that `avm.getUTXOs` serves, and of the node's JSON. */
export const codec: Codec.Codec<AvmUtxo> = Utxo.codec(AvmFx.State)

/**
 * Decodes the UTXO in `bytes`.
 * @example
 * ```ts
 * import { CheckedHex, Id } from '@firn/codec'
 * import { AvmUtxo } from '@firn/txs'
 *
 * declare const hex: string // of avm.getUTXOs
 * const { assetID, output } = AvmUtxo.decode(CheckedHex.decode(hex))
 * console.log(Id.format(assetID), output.type)
 * ```
 * @throws CodecError if the bytes are malformed, with `path` and `offset`
 */
export function decode(bytes: Uint8Array): AvmUtxo {
  return codec.decode(bytes)
}

/**
 * Encodes a UTXO, with the codec version.
 * @example
 * ```ts
 * import { CheckedHex } from '@firn/codec'
 * import { AvmUtxo } from '@firn/txs'
 *
 * declare const utxo: AvmUtxo.AvmUtxo
 * const hex = CheckedHex.encode(AvmUtxo.encode(utxo))
 * ```
 */
export function encode(utxo: AvmUtxo): Uint8Array {
  return codec.encode(utxo)
}

/**
 * Checks a UTXO's asset, owners, and amount or payload, without the chain's state.
 * @example
 * ```ts
 * import { AvmUtxo } from '@firn/txs'
 *
 * declare const bytes: Uint8Array
 * AvmUtxo.assertValid(AvmUtxo.decode(bytes))
 * ```
 * @throws TxsError `TXS_ASSET_ID`, `TXS_NO_VALUE`, `TXS_PAYLOAD`, and the errors of `Owners.assertValid`
 */
export function assertValid({ assetID: assetId, output }: AvmUtxo): void {
  BaseTx.assertAsset(assetId)
  assertFxValue(output)
}

/**
 * Returns the UTXOs that an accepted transaction creates on the X-chain: its outputs, then the outputs of an
 * asset's initial states or of its operations. Does not return exported outputs.
 * @example
 * ```ts
 * import { AvmTx, AvmUtxo } from '@firn/txs'
 *
 * declare const bytes: Uint8Array // an X-chain transaction
 * const utxos = AvmUtxo.of(AvmTx.decode(bytes), AvmTx.id(bytes))
 * ```
 */
export function of({ unsignedTx }: AvmTx.AvmTx, txId: Uint8Array): AvmUtxo[] {
  const states = AvmTx.initialStates(unsignedTx).flatMap((state) => state.outputs)
  const made: readonly { readonly assetID: Uint8Array; readonly output: AvmFx.State }[] = [
    ...unsignedTx.outputs,
    ...states.map((output) => ({ assetID: txId, output })),
    ...AvmTx.operations(unsignedTx).flatMap(({ assetID: assetId, operation }) =>
      madeBy(operation).map((output) => ({ assetID: assetId, output })),
    ),
  ]
  return Utxo.of(txId, made)
}

function madeBy(operation: AvmFx.Action): AvmFx.State[] {
  switch (operation.type) {
    case 'MintOperation':
      return [
        { type: 'MintOutput', ...operation.mintOutput },
        { type: 'TransferOutput', ...operation.transferOutput },
      ]
    case 'NftMintOperation': {
      const { groupID: groupId, payload } = operation
      return operation.outputs.map((owners) => ({
        type: 'NftTransferOutput',
        groupID: groupId,
        payload,
        ...owners,
      }))
    }
    case 'NftTransferOperation':
      return [{ type: 'NftTransferOutput', ...operation.output }]
    case 'PropertyMintOperation':
      return [
        { type: 'PropertyMintOutput', ...operation.mintOutput },
        { type: 'PropertyOwnedOutput', ...operation.ownedOutput },
      ]
    case 'PropertyBurnOperation':
      return []
  }
}
