import { Hex } from '@firn/codec'

/** A balance to ask a contract for. */
export interface BalanceOf {
  /** Token standard: 20, 721 or 1155. */
  readonly standard: number
  /** Id of the token; only used for 1155. */
  readonly tokenId: bigint
  readonly address: Uint8Array
}

/** Selectors of `balanceOf(address)`, `balanceOf(address,uint256)` and `ownerOf(uint256)`. */
const OF_ADDRESS = '0x70a08231'
const OF_TOKEN = '0x00fdd58e'
const OWNER_OF = '0x6352211e'

/**
 * Returns the call data of `balanceOf`, with the token's id for ERC-1155.
 *
 * @example
 * ```ts
 * import { BalanceOf } from '@firn/evm'
 *
 * const address = new Uint8Array(20).fill(1)
 * BalanceOf.callData({ standard: 20, tokenId: 0n, address }) // '0x70a08231000…'
 * ```
 */
export function callData({ standard, tokenId, address }: BalanceOf): `0x${string}` {
  const account = Hex.encodeBare(address).padStart(64, '0')
  return standard === 1155 ? `${OF_TOKEN}${account}${word(tokenId)}` : `${OF_ADDRESS}${account}`
}

/**
 * Returns the call data of `ownerOf` for an ERC-721 token.
 *
 * @example
 * ```ts
 * import { BalanceOf } from '@firn/evm'
 *
 * BalanceOf.ownerCallData(7n) // '0x6352211e000…07'
 * ```
 */
export function ownerCallData(tokenId: bigint): `0x${string}` {
  return `${OWNER_OF}${word(tokenId)}`
}

/**
 * Returns the number in the result of a call, which is 32 bytes in hexadecimal; undefined for any other result.
 *
 * @example
 * ```ts
 * import { BalanceOf } from '@firn/evm'
 *
 * BalanceOf.read(`0x${'0'.repeat(62)}2a`) // 42n
 * BalanceOf.read('0x') // undefined
 * ```
 */
export function read(result: unknown): bigint | undefined {
  return typeof result === 'string' && /^0x[0-9a-f]{64}$/i.test(result) ? BigInt(result) : undefined
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0')
}
