import { Bytes, Id } from '@firn/codec'

/** Returns the id (32 bytes) of a named VM or feature extension: the name in ASCII, padded with zeros. */
export function id(name: string): Uint8Array {
  const bytes = new Uint8Array(Id.LENGTH)
  bytes.set(new TextEncoder().encode(name).subarray(0, bytes.length))
  return bytes
}

/** The VM of the P-chain. */
export const PLATFORM: Uint8Array = id('platformvm')
/** The VM of the X-chain. */
export const AVM: Uint8Array = id('avm')
/** The VM of the C-chain. */
export const EVM: Uint8Array = id('evm')
/** The VM of most Avalanche L1s. */
export const SUBNET_EVM: Uint8Array = id('subnetevm')
/** The example VM for messages between chains. */
export const XSVM: Uint8Array = id('xsvm')

/** Feature extensions of the X-chain, in the order of its genesis. */
export const SECP256K1_FX: Uint8Array = id('secp256k1fx')
export const NFT_FX: Uint8Array = id('nftfx')
export const PROPERTY_FX: Uint8Array = id('propertyfx')

/** Aliases by which nodes know VMs: `platform`, `avm`, `evm`. Other VMs have none. */
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

/** Returns the name of a VM, such as `avm`, or its id in cb58 if it has none. */
export function formatName(vmId: Uint8Array): string {
  return NAMED.find(([known]) => Bytes.equals(known, vmId))?.[1] ?? Id.format(vmId)
}
