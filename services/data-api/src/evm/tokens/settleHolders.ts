import { Hex } from '@firn/codec'
import { BalanceOf } from '@firn/evm'
import { EvmBalanceChecks, type EvmTokenHolders, type TOKEN_CLASSES } from '@firn/evm-store'
import type { EvmChainSource, EvmContext } from '../chain/EvmContext.ts'

/** A token, or a collection, whose holders are listed. */
export interface Held {
  readonly contract: Uint8Array
  readonly standard: 721 | 1155
  /** Undefined for all tokens of the contract. */
  readonly tokenId: bigint | undefined
}

interface Request {
  readonly height: bigint
  readonly threshold: bigint
  readonly signal: AbortSignal
}

/** A holder that is shown. */
export interface KnownHolder extends EvmTokenHolders.Holder {
  /** `chain` if the contract returned the balance, `logs` if it is the sum of the transfers. */
  readonly basis: 'logs' | 'chain'
}

/** Holders that are shown, and the class of the contract. */
export interface KnownHolders {
  readonly holders: readonly KnownHolder[]
  readonly tokenClass: (typeof TOKEN_CLASSES)[number] | undefined
}

/**
 * Returns the holders of a page that hold more than the threshold. If the logs of the contract do not add up to its
 * balances, a node is asked for them, in one batch. Without its answer, the sums of the logs are shown. No call returns
 * the sum over all ERC-1155 tokens.
 */
export async function settleHolders(
  { callContracts }: EvmContext,
  { chain, store }: EvmChainSource,
  page: readonly EvmTokenHolders.Holder[],
  { contract, standard, tokenId }: Held,
  { height, threshold, signal }: Request,
): Promise<KnownHolders> {
  const [check] = await EvmBalanceChecks.ofContracts(store, [contract], height)
  const onLogs = {
    tokenClass: check?.class,
    holders: page.map((one) => ({ ...one, basis: 'logs' as const })),
  }
  const isSum = standard === 1155 && tokenId === undefined
  if (callContracts === undefined || check?.basis !== 'chain' || check.class === 'lying' || isSum)
    return onLogs
  if (standard === 721 && tokenId !== undefined) {
    const [result] = await callContracts(
      chain,
      [{ to: contract, data: BalanceOf.ownerCallData(tokenId) }],
      height,
      signal,
    )
    const owner = BalanceOf.read(result)
    if (owner === undefined) return onLogs
    const address = Hex.decodeBare(owner.toString(16).padStart(40, '0'))
    const holders = owner === 0n || threshold > 0n ? [] : [{ address, balance: 1n, basis: 'chain' as const }]
    return { ...onLogs, holders }
  }
  const calls = page.map(({ address }) => ({
    to: contract,
    data: BalanceOf.callData({ standard, tokenId: tokenId ?? 0n, address }),
  }))
  const results = await callContracts(chain, calls, height, signal)
  const holders = page.flatMap((one, i): KnownHolder[] => {
    const balance = BalanceOf.read(results[i])
    if (balance === undefined) return [{ ...one, basis: 'logs' }]
    return balance > threshold ? [{ address: one.address, balance, basis: 'chain' }] : []
  })
  return { ...onLogs, holders }
}
