import { Address, type ChainAlias, Hex, Network } from '@firn/codec'
import { EvmAddress, PublicKey } from '@firn/keys'
import * as AtomicTx from '../atomic/AtomicTx.ts'
import * as UtxoId from '../avax/UtxoId.ts'
import * as AvmTx from '../avm/AvmTx.ts'
import type * as Secp256k1 from '../fx/Secp256k1.ts'
import * as Stakeable from '../platform/Stakeable.ts'
import * as UnsignedTx from '../platform/UnsignedTx.ts'
import type { Verifiable } from '../platform/Verifiable.ts'
import { TxsError } from '../TxsError.ts'
import * as Coins from './Coins.ts'

/** The unsigned transaction type of each chain, by the chain's alias. */
export interface UnsignedTxs {
  readonly P: UnsignedTx.UnsignedTx
  readonly X: AvmTx.UnsignedTx
  readonly C: AtomicTx.UnsignedTx
}

/** The signers of a credential, in the order of its signatures. */
export interface Signers {
  readonly type: 'Credential' | 'NftCredential' | 'PropertyCredential'
  /** Addresses of 20 bytes each; EVM addresses for debits of C-chain accounts. */
  readonly addresses: readonly Uint8Array[]
}

/**
 * Input for determining signers: the UTXOs that a transaction spends, and the owner that signs its
 * authorization.
 */
export interface Known {
  readonly utxos: readonly Coins.AnyUtxo[]
  /**
   * The owner that signs the authorization: the owner of the subnet, L1 validator or auto-renewed validator.
   */
  readonly authority?: Secp256k1.OutputOwners | undefined
}

/** A credential to be signed by the owners of a UTXO, by the authority, or by an account. */
type Slot = { readonly type: Signers['type'] } & (
  | { readonly indices: readonly number[]; readonly source: UtxoId.UtxoId | 'authority' }
  | { readonly account: Uint8Array }
)

/**
 * Returns the signers of each credential of a transaction, in the order of its credentials.
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type PlatformTx, type PlatformUtxo, Signers } from '@firn/txs'
 *
 * declare const tx: PlatformTx.PlatformTx
 * declare const utxos: readonly PlatformUtxo.PlatformUtxo[]
 * const [first] = Signers.of('P', tx.unsignedTx, { utxos })
 * console.log(first?.addresses.map(Hex.encode))
 * ```
 * @throws TxsError `TXS_UTXO` if the owners of a UTXO or the authority are unknown; `TXS_SIGNERS` if a
 * signature index has no owner
 */
export function of<C extends ChainAlias>(chain: C, unsignedTx: UnsignedTxs[C], known: Known): Signers[] {
  const utxos = new Map(known.utxos.map((utxo) => [UtxoId.key(utxo), utxo]))
  return SLOTS[chain](unsignedTx).map((slot) => {
    if ('account' in slot) return { type: slot.type, addresses: [slot.account] }
    const { type, indices, source } = slot
    const utxo = source === 'authority' ? undefined : utxos.get(UtxoId.key(source))
    const owners = source === 'authority' ? known.authority : utxo && Coins.ownersOf(utxo)
    const name = () => (source === 'authority' ? 'of the authority' : `of UTXO ${UtxoId.format(source)}`)
    return { type, addresses: indices.map((index) => addressAt(owners, index, name)) }
  })
}

/**
 * Like {@link of}, but needs no UTXOs, because `address` makes all signatures except for debited C-chain
 * accounts.
 * @example
 * ```ts
 * import { type AvmTx, Signers } from '@firn/txs'
 *
 * declare const tx: AvmTx.AvmTx
 * declare const address: Uint8Array // 20 bytes
 * const signers = Signers.byOne('X', tx.unsignedTx, address)
 * ```
 */
export function byOne<C extends ChainAlias>(
  chain: C,
  unsignedTx: UnsignedTxs[C],
  address: Uint8Array,
): Signers[] {
  return SLOTS[chain](unsignedTx).map((slot) => ({
    type: slot.type,
    addresses: 'account' in slot ? [slot.account] : slot.indices.map(() => address),
  }))
}

/**
 * Returns the signers of each credential like {@link of}, with undefined for those that are not known.
 * @example
 * ```ts
 * import { type PlatformTx, Signers } from '@firn/txs'
 *
 * declare const tx: PlatformTx.PlatformTx
 * const known = Signers.find('P', tx.unsignedTx, { utxos: [] }) // [[undefined], …]
 * ```
 * @throws TxsError `TXS_EMPTY` if an operation spends no UTXO
 */
export function find<C extends ChainAlias>(
  chain: C,
  unsignedTx: UnsignedTxs[C],
  known: Known,
): (readonly (Uint8Array | undefined)[])[] {
  const utxos = new Map(known.utxos.map((utxo) => [UtxoId.key(utxo), utxo]))
  return SLOTS[chain](unsignedTx).map((slot) => {
    if ('account' in slot) return [slot.account]
    const utxo = slot.source === 'authority' ? undefined : utxos.get(UtxoId.key(slot.source))
    const owners = slot.source === 'authority' ? known.authority : utxo && Coins.ownersOf(utxo)
    return slot.indices.map((index) => owners?.addresses[index])
  })
}

/** How the signers of a transaction are identified. */
export interface Formatted {
  /** Returns an address as text. */
  readonly format: (address: Uint8Array) => string
  /** Returns the address of a public key. */
  readonly addressOf: (publicKey: Uint8Array) => Uint8Array
}

/**
 * Returns how the signers of a transaction are identified: by EVM addresses if C-chain accounts are debited, otherwise by
 * addresses of the chain.
 * @example
 * ```ts
 * import { type PlatformTx, Signers } from '@firn/txs'
 *
 * declare const tx: PlatformTx.PlatformTx
 * declare const address: Uint8Array // 20 bytes
 * console.log(Signers.formatted('P', tx.unsignedTx).format(address)) // P-avax1…
 * ```
 */
export function formatted<C extends ChainAlias>(chain: C, unsignedTx: UnsignedTxs[C]): Formatted {
  const isOfAccounts = chain === 'C' && AtomicTx.debited(unsignedTx as AtomicTx.UnsignedTx).length > 0
  if (isOfAccounts) return { format: EvmAddress.format, addressOf: PublicKey.evmAddress }
  const { networkID: networkId = Network.LOCAL } = unsignedTx as { readonly networkID?: number }
  const hrp = Network.hrp(networkId)
  return {
    format: (address) => Address.format({ chain, hrp, payload: address }),
    addressOf: PublicKey.address,
  }
}

function addressAt(
  owners: Secp256k1.OutputOwners | undefined,
  index: number,
  nameOf: () => string,
): Uint8Array {
  const address = owners?.addresses[index]
  if (address !== undefined) return address
  const name = nameOf()
  const details = { index, of: name, addresses: owners?.addresses.map(Hex.encode) ?? [] }
  if (owners === undefined) throw new TxsError('TXS_UTXO', `the owners ${name} are unknown`, { details })
  throw new TxsError('TXS_SIGNERS', `no owner at index ${index} ${name}`, { details })
}

const SLOTS: { readonly [C in ChainAlias]: (tx: UnsignedTxs[C]) => Slot[] } = {
  P: (tx) => [...UnsignedTx.inputs(tx).map(inputSlot), ...authoritySlots(UnsignedTx.authorization(tx))],
  X: (tx) => [
    ...[...tx.inputs, ...(AvmTx.imported(tx)?.inputs ?? [])].map(inputSlot),
    ...AvmTx.operations(tx).map(operationSlot),
  ],
  // The debits of an export are signed by the debited accounts.
  C: (tx) => [
    ...(AtomicTx.imported(tx)?.inputs ?? []).map(inputSlot),
    ...AtomicTx.debited(tx).map(({ address }): Slot => ({ type: 'Credential', account: address })),
  ],
}

function inputSlot({ input, ...source }: Stakeable.In): Slot {
  return { type: 'Credential', indices: Stakeable.unlockedInput(input).signatureIndices, source }
}

function operationSlot({ operation, inputIDs: inputIds }: AvmTx.Operation): Slot {
  const [source] = inputIds
  if (source === undefined) {
    throw new TxsError(
      'TXS_EMPTY',
      'expected an operation that spends a UTXO, got an operation without UTXOs',
    )
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

function authoritySlots(authorization: Verifiable | undefined): Slot[] {
  if (authorization?.type !== 'Input') return []
  return [{ type: 'Credential', indices: authorization.signatureIndices, source: 'authority' }]
}
