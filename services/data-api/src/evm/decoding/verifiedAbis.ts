import { Hex } from '@firn/codec'
import { ContractAbi } from '@firn/evm'
import { type EvmContracts, EvmProxies, type EvmSnapshot, type EvmTransactions } from '@firn/evm-store'
import type { VerifiedAbi } from '../../decoding/AbiFolder.ts'
import { STANDARD } from '../../decoding/AbiSources.ts'
import type { EvmChainSource } from '../chain/EvmContext.ts'
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
 * Returns a function that returns the ABIs at a position. The contract's own ABI comes first, because a proxy answers
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

/**
 * Returns the names of contracts in their verified sources, and of contracts that transactions call, by address in hex. A
 * proxy has the name of its implementation, because all proxies of a kind have the same source.
 */
export async function verifiedNames(
  { chain, abis }: EvmChainSource,
  known: readonly EvmContracts.Contract[],
  calls: readonly MethodCall[],
): Promise<ReadonlyMap<string, string>> {
  if (abis?.hasVerified !== true) return new Map()
  // Contracts of the genesis are not among the known ones.
  const called = calls.flatMap(positionOf).map(({ address }) => ({ address, implementation: null }))
  const contracts = new Map([...called, ...known].map((one) => [Hex.encodeBare(one.address), one]))
  const names = new Map<string, string>()
  const find = async (address: Uint8Array | null) =>
    address === null ? undefined : (await abis.verified(chain.chainId, address))?.name
  const finding = [...contracts].map(async ([key, { address, implementation }]) => {
    const name = (await find(implementation)) ?? (await find(address))
    if (name !== undefined) names.set(key, name)
  })
  await Promise.all(finding)
  return names
}

/** Part of a transaction that determines the method that it calls. */
export type MethodCall = Pick<EvmTransactions.Transaction, 'recipient' | 'selector' | 'height' | 'index'>

/**
 * Looks up the methods that transactions call. Returns a function that returns the signature of a method: that in the
 * verified source of the contract or of the implementation that a proxy had, or else the only known signature with the
 * selector.
 */
export async function methodNames(
  source: EvmChainSource,
  at: EvmSnapshot,
  calls: readonly MethodCall[],
): Promise<(call: MethodCall) => string | undefined> {
  const { abis = STANDARD } = source
  const verified = await verifiedAbis(source, at, calls.flatMap(positionOf))
  return (call) => {
    const selector = Hex.encodeBare(call.selector)
    const [position] = positionOf(call)
    for (const { abi } of position === undefined ? [] : verified(position)) {
      const [found] = abi.functions.get(selector) ?? []
      if (found !== undefined) return ContractAbi.signature(found)
    }
    return abis.methodName(call.selector)
  }
}

function positionOf({ recipient, selector, height, index }: MethodCall): readonly Position[] {
  if (recipient === null || selector.length === 0) return []
  return [{ address: recipient, height, transactionIndex: index }]
}
