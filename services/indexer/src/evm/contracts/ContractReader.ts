import { Hex, isFirnError } from '@firn/codec'
import { BalanceOf, type ContractFacts } from '@firn/evm'
import { backoff, type Clock } from '@firn/runtime'
import { absent } from '../upstream/assemble.ts'
import type { EvmUpstreams } from '../upstream/EvmUpstreams.ts'
import * as AbiText from './AbiText.ts'
import {
  type At,
  type Attempt,
  attemptCalls,
  type ContractCall,
  type Naming,
  type Returned,
  type StateRead,
} from './contractCalls.ts'
import { type ReadState, readProxies } from './proxies.ts'

export type { At, ContractCall, Returned } from './contractCalls.ts'

/** A contract to read facts about. */
export interface Seen {
  readonly address: Uint8Array
  /** Whether the contract emitted ERC-20 transfer events. */
  readonly tellsErc20: boolean
  /** Value of an ERC-20 transfer event, whose recipient is not the zero address; undefined if none is known. */
  readonly value?: bigint
}

/** Options of {@link createContractReader}. */
export interface ContractReaderOptions {
  readonly upstreams: Pick<EvmUpstreams, 'ask'>
  /** Maximum pause between attempts, in milliseconds. */
  readonly longestPauseMs: number
  readonly clock: Clock
  readonly random: () => number
}

/** Reads facts about contracts with read-only calls, and from their code and storage. */
export interface ContractReader {
  /**
   * Returns the facts about contracts at a block. If no node still has the block's state, returns the
   * facts at the newest block. Reverts and empty or invalid answers count as absent values. Failed requests
   * are retried.
   * @throws IndexerError `INDEXER_ABSENT` if no node still has the block; the signal's reason when it is
   * aborted
   */
  facts(contracts: readonly Seen[], at: At, signal: AbortSignal): Promise<readonly ContractFacts[]>
  /**
   * Makes each call once at the newest block. For each call, returns the result, or whether the call reverted
   * or no node answered.
   */
  callLatest(
    calls: readonly ContractCall[],
    signal: AbortSignal,
  ): Promise<readonly (Uint8Array | { readonly error: 'reverted' | 'unavailable' })[]>
}

/** Maximum length of a stored text, in bytes. */
const LONGEST_TEXT = 4_096
/** Number of attempts after which a call counts as unanswered if it fails while other calls succeed. */
const PATIENCE = 6

const selector = (hex: string): Uint8Array => Buffer.from(hex, 'hex')
/** Returns the call data of `supportsInterface(bytes4)`. */
const supports = (id: string): Uint8Array => selector(`01ffc9a7${id.padEnd(64, '0')}`)

/** Calls made to each contract. */
const QUESTIONS = {
  isErc165: supports('01ffc9a7'),
  isNonsense: supports('ffffffff'),
  isErc721: supports('80ac58cd'),
  isErc1155: supports('d9b67a26'),
  totalSupply: selector('18160ddd'),
  decimals: selector('313ce567'),
  name: selector('06fdde03'),
  symbol: selector('95d89b41'),
} as const

/** Ways in which a call can name the block whose state it reads, in the order in which they are tried. */
const NAMINGS: readonly Naming[] = ['hash', 'height', 'latest']

type Question = keyof typeof QUESTIONS
const NAMES = Object.keys(QUESTIONS) as Question[]

/** Creates a contract reader. It sends no request until it is used. */
export function createContractReader(options: ContractReaderOptions): ContractReader {
  const { upstreams, clock, random, longestPauseMs } = options
  const readAll = async (reads: readonly StateRead[], at: At, signal: AbortSignal) => {
    const values = new Array<Returned>(reads.length)
    const tries = new Array<number>(reads.length).fill(0)
    const open: Record<Naming, number[]> = { hash: reads.map((_read, i) => i), height: [], latest: [] }
    let absences = 0
    for (let turn = 0; ; turn += 1) {
      signal.throwIfAborted()
      const naming = NAMINGS.find((one) => open[one].length > 0)
      if (naming === undefined) return values
      const places = open[naming]
      open[naming] = []
      try {
        const sent = places.map((i) => reads[i] as StateRead)
        const attempts = await attemptCalls(upstreams, sent, { at, naming, turn }, signal)
        attempts.forEach((attempt, k) => {
          const i = places[k] as number
          const isUnnamed = attempt.kind === 'unnamed' && naming === 'hash'
          const isPassing = attempt.kind === 'failed' && attempt.error.code === 'INDEXER_RPC_UNAVAILABLE'
          if (attempt.kind === 'returned') values[i] = attempt.value
          else if (attempt.kind === 'stateless') open.latest.push(i)
          else if (isUnnamed) open.height.push(i)
          else if (attempt.kind === 'absent' || isPassing) open[naming].push(i)
          else if (++(tries[i] as number) < PATIENCE) open[naming].push(i)
        })
        const isAbsent = ({ kind }: Attempt) =>
          kind === 'absent' || (kind === 'stateless' && naming === 'latest')
        if (attempts.some(isAbsent)) absences += 1
      } catch (error) {
        if (signal.aborted || !isFirnError(error)) throw error
        open[naming].push(...places)
      }
      if (absences >= PATIENCE) throw absent('contracts', `the state of block ${at.height}`)
      if (open[naming].length > 0)
        await clock.sleep(backoff(turn + 1, { random, longest: longestPauseMs }), signal)
    }
  }
  return {
    async facts(contracts, at, signal) {
      const calls = contracts.flatMap(({ address }) =>
        NAMES.map((name) => ({ to: address, data: QUESTIONS[name] })),
      )
      const addresses = contracts.map(({ address }) => address)
      const read: ReadState = (reads) => readAll(reads, at, signal)
      const codes = addresses.map((codeOf) => ({ codeOf }))
      const valued = contracts.filter(({ value }) => value !== undefined)
      const owners = valued.flatMap(({ address, value = 0n }) =>
        [value, NO_ID].map((id) => ({ to: address, data: Hex.decode(BalanceOf.ownerCallData(id)) })),
      )
      const values = await read([...calls, ...owners, ...codes])
      const proxies = await readProxies(addresses, values.slice(calls.length + owners.length), read)
      return contracts.map((contract, i) => {
        const of = (name: Question) => values[i * NAMES.length + NAMES.indexOf(name)]
        const place = valued.indexOf(contract)
        const from = calls.length + 2 * place
        const owned = place < 0 ? undefined : values.slice(from, from + 2).map(wordOf)
        return { ...factsOf(contract, of, owned), proxy: proxies[i] }
      })
    },
    async callLatest(calls, signal) {
      const attempts = await attemptCalls(upstreams, calls, { naming: 'latest', turn: 0 }, signal)
      return attempts.map((attempt) => {
        if (attempt.kind !== 'returned') return { error: 'unavailable' }
        return attempt.value ?? { error: 'reverted' }
      })
    },
  }
}

/**
 * @param owned the answers of `ownerOf` for the value of an ERC-20 transfer and for {@link NO_ID}; undefined if no value
 * is known
 */
function factsOf(
  { address, tellsErc20 }: Seen,
  of: (name: Question) => Returned,
  owned: readonly (bigint | undefined)[] | undefined,
): ContractFacts {
  const decimals = wordOf(of('decimals'))
  const kind = kindOf(of, tellsErc20)
  const valuesAreIds = owned && decimals === undefined && areIds(kind, owned)
  return {
    address,
    kind: valuesAreIds === true ? 'ERC-721' : kind,
    name: textOf(of('name')),
    symbol: textOf(of('symbol')),
    decimals: decimals !== undefined && decimals <= 255n ? Number(decimals) : undefined,
    ...(valuesAreIds === undefined ? {} : { valuesAreIds }),
  }
}

/** The largest number, which is the id of no token. A contract that returns an owner of it answers any call. */
const NO_ID = 2n ** 256n - 1n

/**
 * Returns whether the values in the ERC-20 transfer logs of a contract without decimals are token ids: it says that it is
 * ERC-721, or it returns an owner of such a value.
 */
function areIds(
  kind: ContractFacts['kind'],
  [owner = 0n, nobody = 0n]: readonly (bigint | undefined)[],
): boolean {
  if (kind === 'ERC-721' || kind === 'ERC-1155') return kind === 'ERC-721'
  return owner > 0n && owner < 2n ** 160n && nobody === 0n
}

/**
 * Returns the token standard of a contract. A contract that claims to support every interface violates
 * ERC-165, so it has no standard.
 */
function kindOf(of: (name: Question) => Returned, tellsErc20: boolean): ContractFacts['kind'] {
  if (isTrue(of('isErc165')) && wordOf(of('isNonsense')) === 0n) {
    if (isTrue(of('isErc721'))) return 'ERC-721'
    if (isTrue(of('isErc1155'))) return 'ERC-1155'
  }
  const hasSupply = wordOf(of('totalSupply')) !== undefined
  const hasDecimals = wordOf(of('decimals')) !== undefined
  return hasSupply && (hasDecimals || tellsErc20) ? 'ERC-20' : 'UNKNOWN'
}

function isTrue(returned: Returned): boolean {
  return wordOf(returned) === 1n
}

/** Returns the first word of a result; undefined if the result is shorter than a word. */
function wordOf(returned: Returned): bigint | undefined {
  if (returned === undefined || returned.length < 32) return undefined
  return BigInt(`0x${Buffer.from(returned.subarray(0, 32)).toString('hex')}`)
}

function textOf(returned: Returned): Uint8Array | undefined {
  const text = returned && AbiText.decode(returned)
  // The text is copied, because a slice would keep the whole answer in memory.
  return text === undefined || text.length === 0 ? undefined : text.slice(0, LONGEST_TEXT)
}
