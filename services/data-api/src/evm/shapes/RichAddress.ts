import { Hex } from '@firn/codec'
import { EvmAddress } from '@firn/keys'
import { EvmContractPages, type EvmSnapshot, type EvmStore } from '@firn/store/evm'
import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import { textOf } from './Text.ts'

/** An address, and what is known of the contract there. */
export const RichAddress = Type.Object({
  address: Type.String(),
  name: Type.Optional(Type.String()),
  symbol: Type.Optional(Type.String()),
  decimals: Type.Optional(Type.Number()),
})

/** Stands where there is no address: a creation is to nobody. */
export const ZERO_ADDRESS: Uint8Array = new Uint8Array(20)

/** Hashing takes longer than all the rest of an address, and the same few come all the time. */
const FORMATTED = new LRUCache<string, string>({ max: 20_000 })

/** An address as answers have it: with the checksum of ERC-55. */
export function addressText(address: Uint8Array): string {
  const digits = Hex.encodeBare(address)
  const known = FORMATTED.get(digits)
  if (known !== undefined) return known
  const text = EvmAddress.format(address)
  FORMATTED.set(digits, text)
  return text
}

/** The contracts that an answer names. */
export interface Contracts {
  get(address: Uint8Array): EvmContractPages.Contract | undefined
}

/** Looks up which of some addresses are contracts. */
export async function contractsAt(
  store: EvmStore,
  at: EvmSnapshot,
  addresses: Iterable<Uint8Array | null>,
): Promise<Contracts> {
  const wanted = new Map<string, Uint8Array>()
  for (const address of addresses) if (address !== null) wanted.set(Hex.encodeBare(address), address)
  const found = await EvmContractPages.byAddresses(store, at, [...wanted.values()])
  const byAddress = new Map(found.map((contract) => [Hex.encodeBare(contract.address), contract]))
  return { get: (address) => byAddress.get(Hex.encodeBare(address)) }
}

/** An address in the Data API's shape. */
export function richAddress(address: Uint8Array | null, contracts: Contracts): Body {
  const contract = address === null ? undefined : contracts.get(address)
  return {
    address: addressText(address ?? ZERO_ADDRESS),
    name: textOf(contract?.name),
    symbol: textOf(contract?.symbol),
    decimals: contract?.decimals ?? undefined,
  }
}
