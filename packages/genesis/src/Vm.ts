import { Bytes, Id } from '@firn/codec'

/**
 * Returns the id (32 bytes) of a VM or feature extension: its name in ASCII, padded with zeros.
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { Vm } from '@firn/genesis'
 *
 * Hex.encode(Vm.id('avm')) // '0x61766d0000000000000000000000000000000000000000000000000000000000'
 * ```
 */
export function id(name: string): Uint8Array {
  const bytes = new Uint8Array(Id.LENGTH)
  bytes.set(new TextEncoder().encode(name).subarray(0, bytes.length))
  return bytes
}

/** Id of the P-chain's VM. */
export const PLATFORM: Uint8Array = id('platformvm')
/** Id of the X-chain's VM. */
export const AVM: Uint8Array = id('avm')
/** Id of the C-chain's VM. */
export const EVM: Uint8Array = id('evm')
/** Id of the VM that most Avalanche L1s use. */
export const SUBNET_EVM: Uint8Array = id('subnetevm')
/** Id of the example VM for messages between chains. */
export const XSVM: Uint8Array = id('xsvm')

/** Ids of the X-chain's feature extensions, in the order of its genesis. */
export const SECP256K1_FX: Uint8Array = id('secp256k1fx')
export const NFT_FX: Uint8Array = id('nftfx')
export const PROPERTY_FX: Uint8Array = id('propertyfx')

/** VM aliases that every node knows: `platform`, `avm`, `evm`. Other VMs have no built-in alias. */
export const ALIASES: readonly { readonly vmId: Uint8Array; readonly alias: string }[] = [
  { vmId: PLATFORM, alias: 'platform' },
  { vmId: AVM, alias: 'avm' },
  { vmId: EVM, alias: 'evm' },
]

const NAMED: readonly (readonly [Uint8Array, string])[] = [
  [PLATFORM, 'platformvm'],
  [AVM, 'avm'],
  [EVM, 'evm'],
  [SUBNET_EVM, 'subnetevm'],
  [XSVM, 'xsvm'],
]

/**
 * Returns the name of a VM, such as `avm`, or its cb58 id if it has no name.
 * @example
 * ```ts
 * import { Vm } from '@firn/genesis'
 *
 * Vm.formatName(Vm.SUBNET_EVM) // 'subnetevm'
 * ```
 * @throws CodecError `CODEC_ID` if an id without a name is not 32 bytes long
 */
export function formatName(vmId: Uint8Array): string {
  return NAMED.find(([known]) => Bytes.equals(known, vmId))?.[1] ?? Id.format(vmId)
}
