import type { DueToken } from '@firn/evm-store'
import * as AbiText from '../evm/contracts/AbiText.ts'
import { MOST_CHARACTERS } from './TokenUri.ts'

/**
 * A contract's answer for the URI of a token: text, or the reason why there is none. `reverted` means that
 * the call reverts, and `unavailable` that the node cannot answer at present.
 */
export type UriAnswer = string | { readonly error: 'reverted' | 'unavailable' }

/** Reads the URIs of tokens from their contracts. Returns one answer per token, in the same order. */
export type ReadUris = (tokens: readonly DueToken[], signal: AbortSignal) => Promise<readonly UriAnswer[]>

/** An `eth_call` at the last block. */
export interface ContractCall {
  readonly to: Uint8Array
  readonly data: Uint8Array
}

/**
 * Makes calls at the last block. For each call, returns the result or the reason why there is none, in the
 * order of the calls.
 */
export type CallContracts = (
  calls: readonly ContractCall[],
  signal: AbortSignal,
) => Promise<readonly (Uint8Array | { readonly error: 'reverted' | 'unavailable' })[]>

/** Selectors of `tokenURI(uint256)` of ERC-721 and `uri(uint256)` of ERC-1155. */
const SELECTOR = { 721: 0xc87b56dd, 1155: 0x0e89341c } as const

/** Creates a reader of URIs that uses contract calls. Results that are not text count as reverted. */
export function createUriReader(call: CallContracts): ReadUris {
  return async (tokens, signal) => {
    const answers = await call(tokens.map(callOf), signal)
    return answers.map((answer): UriAnswer => {
      if (!(answer instanceof Uint8Array)) return answer
      const bytes = AbiText.decode(answer)
      // One character more than allowed is kept, so that a text that is too long can be recognized.
      return bytes === undefined ? { error: 'reverted' } : AbiText.toText(bytes, MOST_CHARACTERS + 1)
    })
  }
}

/**
 * Returns the answers for all tokens. If a joint request fails, its halves are requested separately, and so
 * on, so that only the tokens for which the node fails have no answer. Throws if no token has an answer.
 */
export async function readApart(
  read: ReadUris,
  tokens: readonly DueToken[],
  signal: AbortSignal,
): Promise<readonly UriAnswer[]> {
  try {
    return await read(tokens, signal)
  } catch (error) {
    if (tokens.length < 2 || signal.aborted) throw error
    const middle = tokens.length >> 1
    const halves = [tokens.slice(0, middle), tokens.slice(middle)]
    const answers: (readonly UriAnswer[] | undefined)[] = []
    for (const half of halves) answers.push(await readApart(read, half, signal).catch(() => undefined))
    if (answers.every((answer) => answer === undefined)) throw error
    return halves.flatMap((half, i) => answers[i] ?? half.map(() => ({ error: 'unavailable' }) as const))
  }
}

function callOf({ contract, tokenId, kind }: DueToken): ContractCall {
  const data = new Uint8Array(36)
  const view = new DataView(data.buffer)
  view.setUint32(0, SELECTOR[kind])
  for (let i = 0; i < 4; i++)
    view.setBigUint64(4 + 8 * i, BigInt.asUintN(64, tokenId >> BigInt(192 - 64 * i)))
  return { to: contract, data }
}
