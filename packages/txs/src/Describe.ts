import { CodecError, isFirnError, type Json } from '@firn/codec'
import * as AtomicTx from './atomic/AtomicTx.ts'
import * as AtomicUtxo from './atomic/AtomicUtxo.ts'
import * as EvmBlock from './atomic/EvmBlock.ts'
import * as AvmBlock from './avm/AvmBlock.ts'
import * as AvmTx from './avm/AvmTx.ts'
import * as AvmUtxo from './avm/AvmUtxo.ts'
import * as Vertex from './avm/Vertex.ts'
import type { Description, Members, Options } from './internal/Description.ts'
import * as describing from './internal/describing.ts'
import * as PlatformBlock from './platform/PlatformBlock.ts'
import * as PlatformTx from './platform/PlatformTx.ts'
import * as PlatformUtxo from './platform/PlatformUtxo.ts'
import * as Container from './proposervm/Container.ts'
import { TxsError } from './TxsError.ts'

export type { Description, Members, Options }

/**
 * A structure as plain data, with the field names of the node's JSON. 64-bit numbers may be `bigint`
 * (`Json.stringify` prints them).
 */
export type Tree = Readonly<Record<string, Json.Json>> & {
  /** Kind of the structure, such as `P-chain block`. */
  readonly kind: string
  /** Kinds of the other structures that the bytes also match, likeliest first; absent if there are none. */
  readonly alsoReadsAs?: readonly string[]
}

/** One kind of structure, with the function that decodes and describes it. */
export interface Structure {
  readonly name: string
  /**
   * Decodes `bytes` and describes them.
   * @throws FirnError if the bytes are not this structure
   */
  readonly read: (bytes: Uint8Array, options: Options) => Description
  /**
   * Whether nearly any bytes begin like a long list of this structure, so that it is not named as the closest one; false
   * by default.
   */
  readonly isLoose?: boolean
}

/** The result of decoding bytes as one kind of structure. */
export interface Reading {
  readonly tree: Tree
  readonly json?: Json.Json
  readonly isWhole: boolean
}

/**
 * Returns a {@link Structure} with the given decoder and description.
 * @example
 * ```ts
 * import { Describe, PlatformUtxo } from '@firn/txs'
 *
 * const utxo = Describe.structure({
 *   name: 'UTXO',
 *   decode: PlatformUtxo.decode,
 *   describe: ({ outputIndex }) => ({ members: { outputIndex } }),
 * })
 * ```
 */
export function structure<T>({
  name,
  decode,
  describe,
  isLoose = false,
}: {
  readonly name: string
  readonly isLoose?: boolean
  readonly decode: (bytes: Uint8Array) => T
  readonly describe: (value: T, bytes: Uint8Array, options: Options) => Description
}): Structure {
  return { name, isLoose, read: (bytes, options) => describe(decode(bytes), bytes, options) }
}

/** Kinds of block that a container may hold, likeliest first. */
const BLOCKS: readonly Structure[] = [
  structure({
    name: 'P-chain block',
    decode: PlatformBlock.decode,
    describe: describing.platformBlock,
  }),
  structure({ name: 'X-chain block', decode: AvmBlock.decode, describe: describing.avmBlock }),
  structure({ name: 'C-chain block', decode: EvmBlock.decode, describe: describing.evmBlock }),
]

/** Every top-level structure of this package, likeliest first. */
export const STRUCTURES: readonly Structure[] = [
  structure({
    name: 'proposervm container',
    decode: Container.decode,
    describe: (value, _bytes, options) =>
      describing.container(value, readings(value.block, options, BLOCKS)[0]?.tree),
  }),
  ...BLOCKS,
  structure({ name: 'P-chain transaction', decode: PlatformTx.decode, describe: describing.platformTx }),
  structure({ name: 'X-chain transaction', decode: AvmTx.decode, describe: describing.avmTx }),
  structure({
    name: 'C-chain atomic transaction',
    decode: AtomicTx.decode,
    describe: describing.atomicTx,
  }),
  structure({
    name: 'P-chain unsigned transaction',
    decode: PlatformTx.decodeUnsigned,
    describe: describing.unsigned('P'),
  }),
  structure({
    name: 'X-chain unsigned transaction',
    decode: AvmTx.decodeUnsigned,
    describe: describing.unsigned('X'),
  }),
  structure({
    name: 'C-chain unsigned atomic transaction',
    decode: AtomicTx.decodeUnsigned,
    describe: describing.unsigned('C'),
  }),
  structure({
    name: 'C-chain atomic transactions',
    isLoose: true,
    decode: describing.decodeBatch,
    describe: describing.atomicBatch,
  }),
  structure({ name: 'X-chain vertex', isLoose: true, decode: Vertex.decode, describe: describing.vertex }),
  structure({ name: 'P-chain UTXO', decode: PlatformUtxo.decode, describe: describing.platformUtxo }),
  structure({ name: 'X-chain UTXO', decode: AvmUtxo.decode, describe: describing.avmUtxo }),
  structure({ name: 'C-chain UTXO', decode: AtomicUtxo.decode, describe: describing.atomicUtxo }),
]

/**
 * Decodes `bytes` as each of `structures` and returns the successful results, likeliest first. A structure
 * must use all bytes.
 * @example
 * ```ts
 * import { Describe } from '@firn/txs'
 *
 * declare const bytes: Uint8Array
 * const kinds = Describe.readings(bytes, { chain: 'P' }).map(({ tree }) => tree.kind)
 * ```
 * @throws the first error of a decoder that is not a FirnError
 */
export function readings(
  bytes: Uint8Array,
  options: Options = {},
  structures: readonly Structure[] = STRUCTURES,
): Reading[] {
  return attemptAll(bytes, options, structures).found
}

/**
 * Sorts readings of the same bytes: complete readings first, then readings of the requested chain. The first
 * reading lists the others in `alsoReadsAs`.
 * @example
 * ```ts
 * import { Describe } from '@firn/txs'
 *
 * declare const readings: readonly Describe.Reading[] // of the same bytes
 * const [likeliest] = Describe.rank(readings, { chain: 'X' })
 * ```
 */
export function rank(found: readonly Reading[], { chain }: Options = {}): Reading[] {
  const isOfChain = ({ tree: { kind } }: Reading) => chain !== undefined && kind.startsWith(`${chain}-chain `)
  const weight = (reading: Reading) => 2 * Number(reading.isWhole) + Number(isOfChain(reading))
  const ranked = found.toSorted((a, b) => weight(b) - weight(a))
  const [first, ...others] = ranked
  if (first === undefined || others.length === 0) return ranked
  const alsoReadsAs = [...(first.tree.alsoReadsAs ?? []), ...others.map(({ tree: { kind } }) => kind)]
  return [{ ...first, tree: { ...first.tree, alsoReadsAs } }, ...others]
}

/**
 * Describes `bytes` as a container, block, transaction, vertex or UTXO of the P-, X- or C-chain. If several
 * structures match, returns the likeliest. A structure must use all bytes.
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { Describe } from '@firn/txs'
 *
 * declare const hex: string // any structure of the Primary Network
 * const { kind } = Describe.tree(Hex.decode(hex), { networkId: 1 })
 * console.log(kind) // such as 'P-chain transaction'
 * ```
 * @throws TxsError `TXS_UNRECOGNIZED`: `details.attempts` says for each structure why the bytes do not match
 */
export function tree(bytes: Uint8Array, options: Options = {}): Tree {
  const { found, refusals } = attemptAll(bytes, options, STRUCTURES)
  const [first] = found
  if (first !== undefined) return first.tree
  const nearest = closestOf(refusals)
  throw new TxsError(
    'TXS_UNRECOGNIZED',
    `not a structure of the P-, X- or C-chain (${bytes.length} bytes); the closest match is ${nearest.name}: ${nearest.message}`,
    { details: { attempts: Object.fromEntries(refusals.map(({ name, message }) => [name, message])) } },
  )
}

/**
 * Returns the structure that bytes come closest to, with the reason why they are not this structure.
 * @example
 * ```ts
 * import { Describe } from '@firn/txs'
 *
 * Describe.closest(Uint8Array.of(0, 0, 0, 0, 0, 34)) // 'P-chain transaction: …'
 * ```
 * @throws the first error of a decoder that is not a FirnError
 */
export function closest(
  bytes: Uint8Array,
  structures: readonly Structure[] = STRUCTURES,
): string | undefined {
  const { found, refusals } = attemptAll(bytes, {}, structures)
  const [first] = found
  if (first !== undefined) return first.tree.kind
  if (refusals.length === 0) return undefined
  const { name, message } = closestOf(refusals)
  return `${name}: ${message}`
}

/** Returns the structure of which the most bytes were decoded, the likeliest one first. */
function closestOf(refusals: readonly Refusal[]): Refusal {
  const strict = refusals.filter(({ isLoose }) => !isLoose)
  return (strict.length === 0 ? refusals : strict).reduce((a, b) => (b.offset > a.offset ? b : a))
}

interface Refusal {
  readonly name: string
  readonly message: string
  readonly isLoose: boolean
  /** Offset at which decoding stopped. */
  readonly offset: number
}

function attemptAll(
  bytes: Uint8Array,
  options: Options,
  structures: readonly Structure[],
): { readonly found: Reading[]; readonly refusals: Refusal[] } {
  const found: Reading[] = []
  const refusals: Refusal[] = []
  for (const { name, read, isLoose = false } of structures) {
    try {
      const { members, json, isWhole = true } = read(bytes, options)
      found.push({ tree: { kind: name, ...members }, isWhole, ...(json !== undefined && { json }) })
    } catch (error) {
      if (!isFirnError(error)) throw error
      const offset = error instanceof CodecError ? (error.offset ?? 0) : 0
      refusals.push({ name, message: error.message, offset, isLoose })
    }
  }
  return { found: rank(found, options), refusals }
}
