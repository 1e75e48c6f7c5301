import { Hex } from '@firn/codec'
import type { TokenKey } from '@firn/store'
import { type EvmSnapshot, type EvmStore, EvmTokens, type EvmTransfers } from '@firn/store/evm'
import { contractsAt } from './shapes/RichAddress.ts'
import type { Named, NamedTokens } from './shapes/Transfer.ts'

/**
 * Looks up everything that an answer names: contracts among the addresses of transfers and additional ones,
 * and the tokens of transfers.
 */
export async function namedIn(
  store: EvmStore,
  at: EvmSnapshot,
  transfers: readonly EvmTransfers.Transfer[],
  addresses: readonly (Uint8Array | null)[] = [],
): Promise<Named> {
  const keys = transfers.flatMap(({ contract, tokenId }) => (tokenId === null ? [] : [{ contract, tokenId }]))
  const parties = transfers.flatMap(({ contract, sender, recipient }) => [contract, sender, recipient])
  const [contracts, tokens] = await Promise.all([
    contractsAt(store, at, [...parties, ...addresses]),
    tokensOf(store, at, keys),
  ])
  return { contracts, tokens }
}

/** Looks up tokens. */
export async function tokensOf(
  store: EvmStore,
  at: EvmSnapshot,
  keys: readonly TokenKey[],
): Promise<NamedTokens> {
  const tokens = await EvmTokens.byKeys(store, at, keys)
  const byKey = new Map(tokens.map((token) => [keyOf(token), token]))
  return { get: (key) => byKey.get(keyOf(key)) ?? { ...UNKNOWN, ...key } }
}

/** A token without known data. */
const UNKNOWN = { standard: 0, owner: null, uri: null, indexStatus: null, checkedAt: null, metadata: null }

function keyOf({ contract, tokenId }: TokenKey): string {
  return `${Hex.encodeBare(contract)}.${tokenId}`
}
