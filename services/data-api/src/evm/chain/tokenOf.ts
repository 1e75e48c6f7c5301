import type { TokenKey } from '@firn/evm-store'
import { EvmContracts, type EvmSnapshot, type EvmStore, EvmTokens } from '@firn/evm-store'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'

/**
 * Returns a token of an ERC-721 or ERC-1155 contract.
 * @throws DataApiError `DATA_NOT_FOUND`
 */
export async function tokenOf(store: EvmStore, at: EvmSnapshot, key: TokenKey): Promise<EvmTokens.Token> {
  const [token] = await EvmTokens.byKeys(store, at, [key])
  if (token !== undefined) return token
  throw new DataApiError('DATA_NOT_FOUND', 'tokenId: this contract has no such token')
}

/**
 * Returns the token standard of a collection.
 * @throws DataApiError `DATA_NOT_FOUND`
 */
export async function collectionStandard(
  store: EvmStore,
  at: EvmSnapshot,
  contract: Uint8Array,
): Promise<721 | 1155> {
  const [known] = await EvmContracts.byAddresses(store, at, [contract])
  if (known?.standard === 721 || known?.standard === 1155) return known.standard
  const found =
    known === undefined ? 'but no contract is known at this address' : 'but the contract has a different type'
  throw new DataApiError('DATA_NOT_FOUND', `address: expected an ERC-721 or ERC-1155 contract, ${found}`)
}
