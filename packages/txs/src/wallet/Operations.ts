import { Bytes, Id } from '@firn/codec'
import type * as AvmFx from '../avm/AvmFx.ts'
import type { Operation } from '../avm/AvmTx.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import { TxsError } from '../TxsError.ts'
import type { AvmWallet } from './AvmBuilder.ts'
import type * as Coins from './Coins.ts'
import * as Shortage from './Shortage.ts'

type Right<T extends AvmFx.State['type']> = Extract<AvmFx.State, { readonly type: T }>

/**
 * Mints an amount of an asset for owners. The minter keeps the right to mint.
 * @example
 * ```ts
 * import { AvmBuilder, Operations, Wallet } from '@firn/txs'
 *
 * declare const wallet: AvmBuilder.AvmWallet
 * declare const assetId: Uint8Array
 * declare const address: Uint8Array // 20 bytes
 * const owners = Wallet.soleOwner(address)
 * const operation = Operations.mint(wallet, assetId, { amount: 500n, owners })
 * const draft = AvmBuilder.operate(wallet, [operation])
 * ```
 * @throws TxsError `TXS_FUNDS` if the wallet has no such right; `TXS_LOCKED`, `TXS_SIGNERS` if it cannot use
 * it now
 */
export function mint(
  wallet: AvmWallet,
  assetId: Uint8Array,
  { amount, owners }: { readonly amount: bigint; readonly owners: Secp256k1.OutputOwners },
): Operation {
  return by(wallet, assetId, 'MintOutput', (mintInput, mintOutput) => ({
    type: 'MintOperation',
    mintInput,
    mintOutput,
    transferOutput: { amount, ...owners },
  }))
}

/**
 * Mints a token with a payload for each owner, in the group `groupId` or, by default, in any group in which
 * the wallet can mint.
 * @example
 * ```ts
 * import { type AvmBuilder, Operations, Wallet } from '@firn/txs'
 *
 * declare const wallet: AvmBuilder.AvmWallet
 * declare const assetId: Uint8Array
 * declare const address: Uint8Array // 20 bytes
 * const payload = new TextEncoder().encode('https://example.com/1.json')
 * const outputs = [Wallet.soleOwner(address)]
 * const operation = Operations.mintNft(wallet, assetId, { payload, outputs, groupId: 1 })
 * ```
 * @throws TxsError `TXS_FUNDS` if the wallet has no such right; `TXS_LOCKED`, `TXS_SIGNERS` if it cannot use
 * it now
 */
export function mintNft(
  wallet: AvmWallet,
  assetId: Uint8Array,
  {
    payload,
    outputs,
    groupId,
  }: {
    readonly payload: Uint8Array
    readonly outputs: readonly Secp256k1.OutputOwners[]
    readonly groupId?: number
  },
): Operation {
  return by(
    wallet,
    assetId,
    'NftMintOutput',
    (mintInput, right) => ({ type: 'NftMintOperation', mintInput, groupID: right.groupID, payload, outputs }),
    (right) => groupId === undefined || right.groupID === groupId,
  )
}

/**
 * Transfers a token: the first token with the given payload, or any token if no payload is given.
 * @example
 * ```ts
 * import { type AvmBuilder, Operations, Wallet } from '@firn/txs'
 *
 * declare const wallet: AvmBuilder.AvmWallet
 * declare const assetId: Uint8Array
 * declare const address: Uint8Array // 20 bytes
 * const operation = Operations.transferNft(wallet, assetId, { to: Wallet.soleOwner(address) })
 * ```
 * @throws TxsError `TXS_FUNDS` if the wallet has no such token; `TXS_LOCKED`, `TXS_SIGNERS` if it cannot
 * transfer it now
 */
export function transferNft(
  wallet: AvmWallet,
  assetId: Uint8Array,
  { to, payload }: { readonly to: Secp256k1.OutputOwners; readonly payload?: Uint8Array },
): Operation {
  return by(
    wallet,
    assetId,
    'NftTransferOutput',
    (input, { groupID: groupId, payload: held }) => ({
      type: 'NftTransferOperation',
      input,
      output: { groupID: groupId, payload: held, ...to },
    }),
    (token) => payload === undefined || Bytes.equals(token.payload, payload),
  )
}

/**
 * Mints a property for owners. The minter keeps the right to mint.
 * @example
 * ```ts
 * import { type AvmBuilder, Operations, Wallet } from '@firn/txs'
 *
 * declare const wallet: AvmBuilder.AvmWallet
 * declare const assetId: Uint8Array
 * declare const address: Uint8Array // 20 bytes
 * const operation = Operations.mintProperty(wallet, assetId, Wallet.soleOwner(address))
 * ```
 * @throws TxsError `TXS_FUNDS` if the wallet has no such right; `TXS_LOCKED`, `TXS_SIGNERS` if it cannot use
 * it now
 */
export function mintProperty(
  wallet: AvmWallet,
  assetId: Uint8Array,
  owners: Secp256k1.OutputOwners,
): Operation {
  return by(wallet, assetId, 'PropertyMintOutput', (mintInput, mintOutput) => ({
    type: 'PropertyMintOperation',
    mintInput,
    mintOutput,
    ownedOutput: owners,
  }))
}

/**
 * Burns a property.
 * @example
 * ```ts
 * import { AvmBuilder, Operations } from '@firn/txs'
 *
 * declare const wallet: AvmBuilder.AvmWallet
 * declare const assetId: Uint8Array
 * const operation = Operations.burnProperty(wallet, assetId)
 * const draft = AvmBuilder.operate(wallet, [operation])
 * ```
 * @throws TxsError `TXS_FUNDS` if the wallet has no property of the asset; `TXS_LOCKED`, `TXS_SIGNERS` if it
 * cannot burn it now
 */
export function burnProperty(wallet: AvmWallet, assetId: Uint8Array): Operation {
  return by(wallet, assetId, 'PropertyOwnedOutput', (input) => ({ type: 'PropertyBurnOperation', ...input }))
}

/**
 * Returns the operation on the first usable UTXO of a type. If none is usable, throws the error that explains
 * why the last UTXO is not usable.
 */
function by<T extends AvmFx.State['type']>(
  wallet: AvmWallet,
  assetId: Uint8Array,
  type: T,
  operation: (input: Secp256k1.Input, right: Omit<Right<T>, 'type'>) => AvmFx.Action,
  isIncluded: (right: Right<T>) => boolean = () => true,
): Operation {
  let refusal: unknown
  for (const utxo of wallet.utxos) {
    if (!Bytes.equals(utxo.assetID, assetId) || !isRight(utxo, type) || !isIncluded(utxo.output)) continue
    const { txID: txId, outputIndex } = utxo
    const { type: _, ...right } = utxo.output
    try {
      const signatureIndices = Shortage.authorize(utxo.output, wallet)
      return {
        assetID: assetId,
        inputIDs: [{ txID: txId, outputIndex }],
        operation: operation({ signatureIndices }, right),
      }
    } catch (error) {
      refusal = error
    }
  }
  const id = Id.format(assetId)
  throw (
    refusal ??
    new TxsError('TXS_FUNDS', `the wallet has no ${type} of asset ${id}`, {
      details: { assetId: id, type, needed: 1n, available: 0n, missing: 1n },
    })
  )
}

function isRight<T extends AvmFx.State['type']>(
  utxo: Coins.AnyUtxo,
  type: T,
): utxo is Coins.AnyUtxo & { readonly output: Right<T> } {
  return utxo.output.type === type
}
