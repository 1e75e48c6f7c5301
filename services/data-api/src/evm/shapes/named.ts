import { Hex } from '@firn/codec'
import type { TokenKey } from '@firn/evm-store'
import { type EvmSnapshot, type EvmStore, EvmTokens, type EvmTransfers } from '@firn/evm-store'
import type { EvmChainSource } from '../chain/EvmContext.ts'
import type { MethodCall } from '../decoding/verifiedAbis.ts'
import { contractsAt } from './RichAddress.ts'
import type { Named, NamedTokens } from './Transfer.ts'

/**
 * Looks up the contracts and tokens of the given transfers, the contracts among the additional addresses, and the methods
 * that transactions call.
 */
export async function namedIn(
  source: EvmChainSource,
  at: EvmSnapshot,
  transfers: readonly EvmTransfers.Transfer[],
  addresses: readonly (Uint8Array | null)[] = [],
  calls: readonly MethodCall[] = [],
): Promise<Named> {
  const keys = transfers.flatMap(({ contract, tokenId }) => (tokenId === null ? [] : [{ contract, tokenId }]))
  const parties = transfers.flatMap(({ contract, sender, recipient }) => [contract, sender, recipient])
  const [contracts, tokens] = await Promise.all([
    contractsAt(source, at, [...parties, ...addresses], calls),
    tokensOf(source.store, at, keys),
  ])
  return { contracts, tokens }
}

/** Looks up the given tokens in the store. */
export async function tokensOf(
  store: EvmStore,
  at: EvmSnapshot,
  keys: readonly TokenKey[],
): Promise<NamedTokens> {
  const tokens = await EvmTokens.byKeys(store, at, keys)
  const byKey = new Map(tokens.map((token) => [keyOf(token), token]))
  return { get: (key) => byKey.get(keyOf(key)) ?? { ...UNKNOWN, ...key } }
}

/** Values for a token that is not indexed. */
const UNKNOWN = {
  standard: 0,
  owner: null,
  uri: null,
  indexStatus: null,
  checkedAt: null,
  metadata: null,
  imageHash: null,
}

function keyOf({ contract, tokenId }: TokenKey): string {
  return `${Hex.encodeBare(contract)}.${tokenId}`
}
