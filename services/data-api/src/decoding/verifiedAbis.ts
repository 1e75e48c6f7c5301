import { Hex } from '@firn/codec'
import type { ContractAbi } from '@firn/evm'
import { EvmProxies, type EvmSnapshot } from '@firn/store/evm'
import type { EvmChainSource } from '../evm/EvmContext.ts'
import type { VerifiedAbi } from './AbiFolder.ts'
import type { Source } from './Decoded.ts'

/** A contract at a position in the chain. */
export type Position = EvmProxies.ProxyPlace & { readonly address: Uint8Array }

/** An ABI with its origin. */
interface Located {
  readonly abi: ContractAbi.ContractAbi
  readonly source: Source
}

/**
 * Looks up the verified ABIs of contracts, and of the implementations that proxies among them had at the positions.
 * Returns a function that returns those of a position: that of the contract itself comes first, because a proxy answers
 * its own functions itself.
 */
export async function verifiedAbis(
  { chain, store, abis }: EvmChainSource,
  at: EvmSnapshot,
  positions: readonly Position[],
): Promise<(position: Position) => readonly Located[]> {
  if (abis?.hasVerified !== true || positions.length === 0) return () => []
  const found = new Map<string, VerifiedAbi>()
  const load = async (addresses: readonly Uint8Array[]) => {
    const loading = [...byHex(addresses)].map(async ([key, address]) => {
      const abi = await abis.verified(chain.chainId, address)
      if (abi !== undefined) found.set(key, abi)
    })
    await Promise.all(loading)
  }
  const contracts = [...byHex(positions.map(({ address }) => address)).values()]
  const last = positions.map(({ height }) => height).toSorted((one, other) => (one < other ? 1 : -1))[0] ?? 0n
  const proxies = await EvmProxies.histories(store, at, contracts, last)
  const histories = new Map(proxies.map((history) => [Hex.encodeBare(history.address), history]))
  const targetOf = (position: Position) => {
    const history = histories.get(Hex.encodeBare(position.address))
    return history && EvmProxies.targetAt(history, position)
  }
  await load([...contracts, ...positions.flatMap((one) => targetOf(one)?.implementation ?? [])])
  const located = (contract: Uint8Array, proxy: EvmProxies.ProxyTarget | undefined): readonly Located[] => {
    const one = found.get(Hex.encodeBare(contract))
    if (one === undefined) return []
    return [{ abi: one.abi, source: { kind: one.match, contract, contractName: one.name, proxy } }]
  }
  return (position) => {
    const proxy = targetOf(position)
    return [
      ...located(position.address, undefined),
      ...(proxy === undefined ? [] : located(proxy.implementation, proxy)),
    ]
  }
}

function byHex(addresses: readonly Uint8Array[]): ReadonlyMap<string, Uint8Array> {
  return new Map(addresses.map((address) => [Hex.encodeBare(address), address]))
}
