import { Hex } from '@firn/codec'
import { BalanceOf } from '@firn/evm'
import { EvmTokenBalances } from '@firn/evm-store'
import type { EvmChainSource, EvmContext } from '../chain/EvmContext.ts'
import type { KnownBalance, KnownSource } from '../shapes/BalanceSource.ts'

/** The owner of the balances, and the height at which they are requested. */
interface Request {
  readonly address: Uint8Array
  readonly standard: 20 | 1155
  readonly height: bigint
  readonly signal: AbortSignal
}

/** Maximum number of balances of a page for which a node is asked. */
const MAX_CALLS = 100

/**
 * Returns the balances of a page that are known. Balances that were not checked at the height are requested from a
 * node, in one batch. Without its answer, the newest stored answer of the contract counts, or the sum of the logs if
 * nothing speaks against it. Other balances are left out.
 */
export async function settleBalances(
  { callContracts }: EvmContext,
  { chain }: EvmChainSource,
  page: readonly EvmTokenBalances.Held[],
  { address, standard, height, signal }: Request,
): Promise<readonly KnownBalance[]> {
  const open = page.filter(({ source }) => isOpen(source, height)).slice(0, MAX_CALLS)
  const calls = open.map(({ contract, tokenId }) => ({
    to: contract,
    data: BalanceOf.callData({ standard, tokenId, address }),
  }))
  const results = callContracts === undefined ? [] : await callContracts(chain, calls, height, signal)
  const answers = new Map(open.map((held, i) => [held, BalanceOf.read(results[i])]))
  return page.flatMap((held): KnownBalance[] => {
    const answer = answers.get(held)
    const { contract, tokenId, source } = held
    if (answer !== undefined)
      return answer === 0n
        ? []
        : [{ contract, tokenId, balance: answer, source: { basis: 'chain', height, isChecked: true } }]
    const { height: known } = source
    if (held.balance === undefined || known === undefined) return []
    return [{ contract, tokenId, balance: held.balance, source: { ...source, height: known } }]
  })
}

/** Returns whether a node's answer would be better than the stored balance. A contract that lies is not asked. */
function isOpen(source: EvmTokenBalances.BalanceSource, height: bigint): boolean {
  return source.class !== 'lying' && !(source.isChecked && source.height === height)
}

/** A token that an address owns. */
interface Owned<T> {
  readonly token: T
  readonly source: KnownSource
}

/**
 * Returns the tokens of a page that an address owns according to their contracts, with what the ownership rests on. A
 * node is asked only for tokens of contracts whose balances differ from their logs.
 */
export async function settleOwners<T extends { readonly contract: Uint8Array; readonly tokenId: bigint }>(
  { callContracts }: EvmContext,
  { chain, store }: EvmChainSource,
  page: readonly T[],
  { address, height, signal }: Omit<Request, 'standard'>,
): Promise<readonly Owned<T>[]> {
  const contracts = new Map(page.map(({ contract }) => [Hex.encode(contract), contract]))
  const holdings = [...contracts.values()].map((contract) => ({
    contract,
    standard: 721,
    tokenId: 0n,
    address,
  }))
  const counts = await EvmTokenBalances.ofHoldings(store, holdings, height)
  const sources = new Map(counts.map(({ contract, source }) => [Hex.encode(contract), source]))
  const sourceOf = ({ contract }: T) => sources.get(Hex.encode(contract))
  const open = page.filter((token) => sourceOf(token)?.basis === 'chain').slice(0, MAX_CALLS)
  const calls = open.map(({ contract, tokenId }) => ({
    to: contract,
    data: BalanceOf.ownerCallData(tokenId),
  }))
  const results = callContracts === undefined ? [] : await callContracts(chain, calls, height, signal)
  const owners = new Map(open.map((token, i) => [token, BalanceOf.read(results[i])]))
  return page.flatMap((token): Owned<T>[] => {
    const owner = owners.get(token)
    if (owner !== undefined && owner !== BigInt(Hex.encode(address))) return []
    const source = sourceOf(token)
    if (owner !== undefined) return [{ token, source: { basis: 'chain', height, isChecked: true } }]
    const isChecked = source?.basis === 'logs' && source.isChecked
    return [{ token, source: { basis: 'logs', height, isChecked } }]
  })
}
