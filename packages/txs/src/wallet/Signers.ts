import { Hex } from '@firn/codec'
import type * as AtomicTx from '../atomic/AtomicTx.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import type * as AvmTx from '../avm/AvmTx.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import * as PlatformCredentials from '../platform/PlatformCredentials.ts'
import * as Stakeable from '../platform/Stakeable.ts'
import type * as UnsignedTx from '../platform/UnsignedTx.ts'
import { TxsError } from '../TxsError.ts'
import * as Coins from './Coins.ts'

/** The unsigned transactions of each chain, by its alias. */
export interface UnsignedTxs {
  readonly P: UnsignedTx.UnsignedTx
  readonly X: AvmTx.UnsignedTx
  readonly C: AtomicTx.UnsignedTx
}

/** The alias of a chain. */
export type Chain = keyof UnsignedTxs

/** Whose signatures a credential needs, in their order. */
export interface Signers {
  readonly type: 'Credential' | 'NftCredential' | 'PropertyCredential'
  /** 20 bytes each; EVM addresses for what an export takes from accounts of the C-chain. */
  readonly addresses: readonly Uint8Array[]
}

/** Where the owners of what a transaction spends are found. */
export interface Known {
  readonly utxos: readonly Coins.AnyUtxo[]
  /** Who authorizes: the owner of the subnet, L1 validator or auto-renewed validator. */
  readonly authority?: Secp256k1.OutputOwners | undefined
}

interface Slot {
  readonly type: Signers['type']
  readonly indices: readonly number[]
  readonly source: UtxoId.UtxoId | 'authority'
}

/**
 * Whose signatures each credential of a transaction needs, in the order of credentials.
 * @throws TxsError `TXS_UTXO`: the owners of a UTXO, or of the authority, are not known; `TXS_SIGNERS`: they have no such index
 */
export function of<C extends Chain>(chain: C, unsignedTx: UnsignedTxs[C], known: Known): Signers[] {
  if (isOfAccounts(chain, unsignedTx)) return accounts(unsignedTx)
  const utxos = new Map(known.utxos.map((utxo) => [UtxoId.format(utxo), utxo]))
  return slots(unsignedTx as Spending).map(({ type, indices, source }) => {
    const utxo = source === 'authority' ? undefined : utxos.get(UtxoId.format(source))
    const owners = source === 'authority' ? known.authority : utxo && Coins.ownersOf(utxo)
    const name = source === 'authority' ? 'of the authority' : `of ${UtxoId.format(source)}`
    return { type, addresses: indices.map((index) => addressAt(owners, index, name)) }
  })
}

/** The same, where it is known without any UTXO that all signatures are of one address. */
export function byOne<C extends Chain>(chain: C, unsignedTx: UnsignedTxs[C], address: Uint8Array): Signers[] {
  if (isOfAccounts(chain, unsignedTx)) return accounts(unsignedTx)
  return slots(unsignedTx as Spending).map(({ type, indices }) => ({
    type,
    addresses: indices.map(() => address),
  }))
}

/** An export of the C-chain names the accounts that sign. */
function isOfAccounts(chain: Chain, tx: UnsignedTxs[Chain]): tx is AtomicTx.Of<'ExportTx'> {
  return chain === 'C' && tx.type === 'ExportTx'
}

function accounts({ inputs }: AtomicTx.Of<'ExportTx'>): Signers[] {
  return inputs.map(({ address }) => ({ type: 'Credential', addresses: [address] }))
}

function addressAt(owners: Secp256k1.OutputOwners | undefined, index: number, name: string): Uint8Array {
  const address = owners?.addresses[index]
  if (address !== undefined) return address
  const details = { index, of: name, addresses: owners?.addresses.map(Hex.encode) ?? [] }
  if (owners === undefined)
    throw new TxsError('TXS_UTXO', `expected the owners ${name}, got none`, { details })
  throw new TxsError('TXS_SIGNERS', `expected an owner ${index} ${name}, got none`, { details })
}

type Spending = UnsignedTxs['P'] | UnsignedTxs['X'] | AtomicTx.Of<'ImportTx'>

function slots(tx: Spending): Slot[] {
  const inputs = [
    ...('inputs' in tx ? tx.inputs : []),
    ...('importedInputs' in tx ? tx.importedInputs : []),
  ].map(
    (item): Slot => ({
      type: 'Credential',
      indices: Stakeable.unlockedInput(item.input).signatureIndices,
      source: item,
    }),
  )
  return [...inputs, ...('operations' in tx ? tx.operations.map(operationSlot) : []), ...authorities(tx)]
}

function operationSlot({ operation, inputIDs: inputIds }: AvmTx.Operation): Slot {
  const [source] = inputIds
  if (source === undefined) {
    throw new TxsError('TXS_EMPTY', 'expected an operation on a UTXO, got one on none')
  }
  const type = operation.type.startsWith('Nft')
    ? 'NftCredential'
    : operation.type.startsWith('Property')
      ? 'PropertyCredential'
      : 'Credential'
  const { signatureIndices } =
    'mintInput' in operation ? operation.mintInput : 'input' in operation ? operation.input : operation
  return { type, indices: signatureIndices, source }
}

function authorities(tx: Spending): Slot[] {
  const authorization = PlatformCredentials.authorizationOf(tx as UnsignedTxs['P'])
  if (authorization?.type !== 'Input') return []
  return [{ type: 'Credential', indices: authorization.signatureIndices, source: 'authority' }]
}
