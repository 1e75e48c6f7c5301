import { Hex, Id } from '@firn/codec'
import { EvmAddress } from '@firn/keys'
import { AtomicTx } from '@firn/txs'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import type { AvmFacts } from '../avm/shape.ts'
import { assetAmount, assetNamed, type Share } from '../shapes/AssetAmount.ts'
import { avmUtxo } from '../shapes/AvmUtxo.ts'
import { commonMembers } from '../shapes/CommonTransaction.ts'
import { credentials } from '../shapes/Credential.ts'
import { amountsOf, type Surroundings, sharesOf } from '../shapes/PlatformUtxo.ts'

/** Returns the assets that an atomic transaction moves into or out of accounts. */
export function accountAssets(bytes: Uint8Array): Uint8Array[] {
  const { unsignedTx: tx } = AtomicTx.decode(bytes)
  return [...AtomicTx.credited(tx), ...AtomicTx.debited(tx)].map(({ assetID: assetId }) => assetId)
}

/** Returns an atomic C-chain transaction in the Data API's format. Atomic transactions have no memo. */
export function atomicTransaction({ listed, consumed, made }: AvmFacts, around: Surroundings): Body {
  const tx = AtomicTx.decode(listed.bytes)
  const { unsignedTx } = tx
  const common = {
    txHash: Id.format(listed.id),
    blockHeight: listed.height,
    blockHash: Hex.encode(listed.blockId),
    timestamp: listed.time,
    memo: '0x',
  }
  const unsigned = AtomicTx.encodeUnsigned(unsignedTx)
  const signed = tx.credentials.map((one) =>
    credentials(one.type === 'Credential' ? one.signatures : [], unsigned),
  )
  const members = MEMBERS[unsignedTx.type] as Members<AtomicTx.TxType>
  return { ...common, ...members(unsignedTx, { listed, consumed, made }, around, signed) }
}

const sharesOfAccounts = (list: readonly AtomicTx.EvmOutput[]): Share[] =>
  list.map(({ assetID: assetId, amount }) => ({ assetId, amount }))

type Members<T extends AtomicTx.TxType> = (
  tx: AtomicTx.Of<T>,
  facts: Omit<AvmFacts, 'unknown'>,
  around: Surroundings,
  signed: readonly (readonly Body[])[],
) => { readonly [member: string]: Body }

/** Members that depend on the transaction type. */
const MEMBERS: { readonly [T in AtomicTx.TxType]: Members<T> } = {
  ImportTx: ({ sourceChain, outputs }, { listed, consumed }, around, signed) => ({
    ...commonMembers({ listed, spent: sharesOf(consumed), made: sharesOfAccounts(outputs) }, around),
    txType: 'ImportTx',
    sourceChain: Id.format(sourceChain),
    destinationChain: around.chainIds.C,
    amountUnlocked: amountsOf(sharesOf(consumed), around),
    amountCreated: amountsOf(sharesOfAccounts(outputs), around),
    evmOutputs: outputs.map(({ address, assetID: assetId, amount }) => ({
      toAddress: EvmAddress.format(address),
      asset: assetAmount(assetNamed(around.assets, assetId), amount),
    })),
    consumedUtxos: consumed.map((utxo, i) => avmUtxo(utxo, around, signed[i])),
    emittedUtxos: [],
  }),
  ExportTx: ({ destinationChain, inputs }, { listed, made }, around, signed) => ({
    ...commonMembers({ listed, spent: sharesOfAccounts(inputs), made: sharesOf(made) }, around),
    txType: 'ExportTx',
    sourceChain: around.chainIds.C,
    destinationChain: Id.format(destinationChain),
    amountUnlocked: amountsOf(sharesOfAccounts(inputs), around),
    amountCreated: amountsOf(sharesOf(made), around),
    evmInputs: inputs.map(({ address, assetID: assetId, amount }, i) => ({
      fromAddress: EvmAddress.format(address),
      asset: assetAmount(assetNamed(around.assets, assetId), amount),
      credentials: signed[i] ?? [],
    })),
    consumedUtxos: [],
    emittedUtxos: made.map((utxo) => avmUtxo(utxo, around)),
  }),
}
