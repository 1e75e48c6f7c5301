import { type ChainAlias, CheckedHex, excerpt, Hex, Id, isFirnError, isJsonObject } from '@firn/codec'
import type { Vertices } from '@firn/ledger'
import { IndexerError } from '../../common/IndexerError.ts'
import * as hex from '../hex.ts'
import type { SourceBlock, SourceVertex } from '../Source.ts'

/** File of each chain in an archive. It contains one JSON object per line, in ascending height order. */
export const FILES: Readonly<Record<ChainAlias, string>> = {
  P: 'p/blocks.jsonl',
  X: 'x/blocks.jsonl',
  C: 'c/blocks.jsonl',
}

/** File of the X-chain's vertices in an archive, in ascending order of height and then of id. */
export const VERTICES = 'x/vertices.jsonl'

/**
 * Maximum length of a line in bytes. A line can contain a block of 2 MiB twice in hex, together with JSON.
 */
export const MAX_LINE = 64 << 20

/** A parsed line: a block and its height. `block` can be undefined for block 0, which is derived from the genesis. */
export interface Entry {
  readonly height: bigint
  readonly block: SourceBlock | undefined
}

/**
 * Parses a line of a chain's file. The line contains `height` and either `containerBytes` with `container`
 * (`id`, `timestamp`), or `blockBytes` (P, X) or `rawBlock` (C) if only the inner block was recorded. Other
 * members are ignored.
 * @throws IndexerError `INDEXER_ARCHIVE`
 */
export function parseLine(chain: ChainAlias, text: string, origin: string): Entry {
  const line = parseObject(text, origin)
  const height = heightOf(line['height'], origin)
  try {
    return { height, block: blockOf(chain, line, origin) ?? genesisOnly(chain, height, origin) }
  } catch (cause) {
    if (!isFirnError(cause) || cause instanceof IndexerError) throw cause
    throw refuse(origin, cause.message, cause)
  }
}

/**
 * Parses a line of the file of vertices. The line contains `vertexBytes`, and `timestamp` if it is known when a node
 * accepted the vertex; other members are ignored.
 * @throws IndexerError `INDEXER_ARCHIVE`
 */
export function parseVertex(text: string, origin: string): SourceVertex {
  const { vertexBytes, timestamp } = parseObject(text, origin)
  if (typeof vertexBytes !== 'string') throw refuse(origin, 'the line does not contain the bytes of a vertex')
  try {
    const acceptedAt = typeof timestamp === 'string' ? parseTime(timestamp, origin) : undefined
    return { bytes: hex.decodeChecked(vertexBytes), origin, acceptedAt }
  } catch (cause) {
    if (!isFirnError(cause)) throw cause
    throw refuse(origin, cause.message, cause)
  }
}

/** Formats a vertex as a line of an archive file, without the line break. */
export function formatVertex({
  id,
  height,
  bytes,
  acceptedAt,
}: Pick<Vertices.Decoded, 'id' | 'height' | 'bytes' | 'acceptedAt'>): string {
  return JSON.stringify({
    height: Number(height),
    id: Id.format(id),
    ...(acceptedAt === undefined ? {} : { timestamp: formatTime(acceptedAt) }),
    vertexBytes: CheckedHex.encode(bytes),
  })
}

/** Input of {@link formatLine}: a block with its height, id and time. */
export interface Line {
  readonly height: bigint
  /** The inner block's id. On the C-chain, it is the EVM block's hash. */
  readonly id: Uint8Array
  /** Time in Unix seconds. */
  readonly time: bigint
  readonly bytes: Uint8Array
  readonly container?: {
    readonly id: Uint8Array
    readonly bytes: Uint8Array
    readonly acceptedAt?: bigint | undefined
  }
}

/** Formats a block as a line of an archive file, without the line break. */
export function formatLine(chain: ChainAlias, { height, id, time, bytes, container }: Line): string {
  const wrapped = container && {
    container: {
      id: Id.format(container.id),
      ...(container.acceptedAt === undefined ? {} : { timestamp: formatTime(container.acceptedAt) }),
      encoding: 'hex',
      index: `${height - 1n}`,
    },
    containerBytes: CheckedHex.encode(container.bytes),
  }
  const own =
    chain === 'C'
      ? { hash: Hex.encode(id), timestamp: Number(time), rawBlock: Hex.encode(bytes) }
      : { id: Id.format(id), timestamp: Number(time), blockBytes: CheckedHex.encode(bytes) }
  const shown = height <= Number.MAX_SAFE_INTEGER ? Number(height) : `${height}`
  return JSON.stringify({ height: shown, ...own, ...wrapped })
}

const HEIGHT = /^\{\s*"height":\s*(\d{1,15})\s*[,}]/

/**
 * Returns the height at the start of a line without parsing the rest; undefined if the line does not start
 * with `{"height":`.
 */
export function peekHeight(text: string): bigint | undefined {
  const [, digits] = HEIGHT.exec(text) ?? []
  return digits === undefined ? undefined : BigInt(digits)
}

type Members = Readonly<Record<string, unknown>>

function parseObject(text: string, origin: string): Members {
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value as Members
  } catch (cause) {
    throw refuse(origin, `expected JSON, got ${excerpt(text)}`, cause)
  }
  throw refuse(origin, `expected a JSON object, got ${excerpt(text)}`)
}

function heightOf(value: unknown, origin: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) return BigInt(value)
  throw refuse(origin, `height: expected a whole number of at most 20 digits, got ${excerpt(value)}`)
}

function blockOf(chain: ChainAlias, line: Members, origin: string): SourceBlock | undefined {
  const { containerBytes, blockBytes, rawBlock } = line
  if (typeof containerBytes === 'string') {
    const facts = (line['container'] ?? {}) as Members
    const { id, timestamp } = facts
    return {
      kind: 'container',
      bytes: hex.decodeChecked(containerBytes),
      ...(typeof id === 'string' ? { id: Id.parse(id) } : {}),
      ...(typeof timestamp === 'string' ? { acceptedAt: parseTime(timestamp, origin) } : {}),
      origin,
    }
  }
  if (chain === 'C' && typeof rawBlock === 'string')
    return { kind: 'block', bytes: hex.decode(rawBlock), origin }
  if (chain !== 'C' && typeof blockBytes === 'string')
    return { kind: 'block', bytes: hex.decodeChecked(blockBytes), origin }
  return undefined
}

function genesisOnly(chain: ChainAlias, height: bigint, origin: string): undefined {
  if (height === 0n) return undefined
  throw refuse(origin, `the line does not contain the bytes of ${chain}-chain block ${height}`)
}

/** Start of the year 10000, in milliseconds since the Unix epoch. */
const YEAR_10000 = 253_402_300_800_000

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/

/**
 * Parses an RFC 3339 time into nanoseconds since the Unix epoch.
 * @throws IndexerError `INDEXER_ARCHIVE`
 */
export function parseTime(text: string, origin: string): bigint {
  const [, whole, fraction = '', zone] = TIME.exec(text) ?? []
  const ms = whole === undefined ? Number.NaN : Date.parse(`${whole}${zone}`)
  // Times outside this range are never block times and have no RFC 3339 form.
  if (!(ms >= 0 && ms < YEAR_10000))
    throw refuse(
      origin,
      `expected an RFC 3339 time such as 2024-01-31T12:00:00Z, from 1970 to 9999, got ${excerpt(text)}`,
    )
  return BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}

/** Formats nanoseconds since the Unix epoch as an RFC 3339 time, as the node formats it. */
export function formatTime(ns: bigint): string {
  const seconds = new Date(Number(ns / 1_000_000_000n) * 1000).toISOString().slice(0, 19)
  const fraction = `${ns % 1_000_000_000n}`.padStart(9, '0').replace(/0+$/, '')
  return `${seconds}${fraction === '' ? '' : `.${fraction}`}Z`
}

function refuse(origin: string, words: string, cause?: unknown): IndexerError {
  return new IndexerError('INDEXER_ARCHIVE', `${origin}: ${words}`, {
    details: { origin },
    ...(cause === undefined ? {} : { cause }),
  })
}
