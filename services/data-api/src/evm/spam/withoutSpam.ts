import type { EvmSnapshot, TokenKey } from '@firn/evm-store'
import type { PartialRead } from '../../http/endpoint/List.ts'
import type { EvmChainSource } from '../chain/EvmContext.ts'
import { tokenKey } from '../chain/places.ts'
import { spamOfTokens } from './spamAt.ts'

/** A page of tokens that is read in parts. */
interface Page<T> {
  /** Whether tokens that may be spam are left out. */
  readonly isFiltered: boolean
  readonly after: TokenKey | undefined
  readonly limit: number
  /** Reads at most `limit` tokens, starting after a token. */
  readonly read: (
    after: TokenKey | undefined,
    limit: number,
  ) => Promise<{ readonly elements: readonly T[]; readonly stoppedAt: TokenKey | undefined }>
}

/** Number of tokens that are read at once after the first part, because most tokens of an address may be spam. */
const PART = 100
/** Maximum number of tokens that are examined for each token of the page. */
const EXAMINED_PER_ELEMENT = 20

/** Returns a page of tokens. If spam is left out, it examines a limited number of tokens. */
export async function withoutSpam<T extends TokenKey>(
  source: EvmChainSource,
  at: EvmSnapshot,
  { isFiltered, after, limit, read }: Page<T>,
): Promise<PartialRead<T>> {
  const elements: T[] = []
  let place = after
  let part = limit
  for (let examined = 0; examined < EXAMINED_PER_ELEMENT * limit; examined += part) {
    if (examined > 0) part = Math.max(limit, PART)
    const found = await read(place, part)
    elements.push(...(isFiltered ? await wanted(source, at, found.elements) : found.elements))
    if (elements.length >= limit) return { elements: elements.slice(0, limit), stoppedAt: undefined }
    if (found.stoppedAt !== undefined) return { elements, stoppedAt: tokenKey(found.stoppedAt) }
    if (found.elements.length < part) return { elements, stoppedAt: undefined }
    place = found.elements.at(-1)
  }
  return { elements, stoppedAt: place && tokenKey(place) }
}

async function wanted<T extends TokenKey>(
  source: EvmChainSource,
  at: EvmSnapshot,
  tokens: readonly T[],
): Promise<readonly T[]> {
  const spamOf = await spamOfTokens(source, at, tokens)
  return tokens.filter(({ contract }) => spamOf(contract).length === 0)
}
