import { Hex } from '@firn/codec'
import type { EvmSnapshot } from '@firn/evm-store'
import { Type } from 'typebox'
import * as Field from '../../http/endpoint/Field.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { type EvmContext, NETWORKS, type NetworkKind } from './EvmContext.ts'

const ADDRESS = /^0[xX][0-9a-fA-F]{40}$/
const MAX_UINT256 = 2n ** 256n - 1n

/** Parameter for an EVM address. The case of its letters is ignored. */
export const address = Parameter.text('an address of 0x and 40 hexadecimal digits', parseAddress)

/** Parameter for comma-separated EVM addresses. */
export const addresses = Parameter.list('addresses of 0x and 40 hexadecimal digits', 64, parseAddress)

/** Parameter for the accepted values of a topic, separated by commas. */
export const topics = Parameter.list('topics of 0x and 64 hexadecimal digits', 64, parseHash)

/** Parameter for a transaction hash. */
export const hash = Parameter.text('a hash of 0x and 64 hexadecimal digits', parseHash)

/** Parameter for the hash of an image. */
export const imageHash = hash

/** Parameter for a block, by number or hash. */
export const blockId = Parameter.text<bigint | Uint8Array>(
  'a block number, or a block hash of 0x and 64 hexadecimal digits',
  (text) => parseHeight(text) ?? parseHash(text),
)

/** Parameter for a block number. */
export const blockNumber: Parameter.Parameter<bigint> = {
  ...Parameter.text('a block number', parseHeight),
  schema: Type.Integer({ minimum: 0 }),
}

/** Parameter for a token id within a contract. */
export const tokenId = Parameter.text('a decimal token id', parseUint256)

/** Parameter for the balance that listed holders must exceed. */
export const threshold = Parameter.text('a decimal balance in the smallest unit of the token', parseUint256)

/** Query parameters for the block range of a list. */
export const blockRange = {
  startBlock: Parameter.optional(blockNumber),
  endBlock: Parameter.optional(blockNumber),
}

/** Returns the query parameter that filters chains by network. It accepts each name of a network. */
export function network({ networkKinds }: EvmContext): Parameter.Parameter<NetworkKind | undefined> {
  return Parameter.optional(Parameter.named(new Map([...NETWORKS, ...(networkKinds ?? [])])))
}

/** Parameter that filters transactions by status. */
export const status = Parameter.optional(Parameter.choice(['failed', 'success']))

/** Returns true for `success`, false for `failed`, and undefined for no filter. */
export function succeeded(status: 'failed' | 'success' | undefined): boolean | undefined {
  return status === undefined ? undefined : status === 'success'
}

function parseUint256(text: string): bigint | undefined {
  if (!/^[0-9]{1,78}$/.test(text)) return undefined
  const value = BigInt(text)
  return value <= MAX_UINT256 ? value : undefined
}

function parseAddress(text: string): Uint8Array | undefined {
  return ADDRESS.test(text) ? Hex.decodeBare(text.slice(2).toLowerCase()) : undefined
}

function parseHash(text: string): Uint8Array | undefined {
  return /^0[xX][0-9a-fA-F]{64}$/.test(text) ? Hex.decodeBare(text.slice(2).toLowerCase()) : undefined
}

function parseHeight(text: string): bigint | undefined {
  return /^[0-9]{1,18}$/.test(text) ? BigInt(text) : undefined
}

/** Returns the start of a range that must not begin before `first`. */
export function later(start: bigint | undefined, first: bigint | undefined): bigint | undefined {
  return start === undefined || (first !== undefined && start < first) ? first : start
}

/** Returns the schema of the block up to which internal calls are complete. `remark` says what follows for the answer. */
export function tracedToBlock(remark: string): Schema.Schema {
  const text = `Block up to which internal calls are complete; absent if none are missing (no node has returned the traces of the next block in time yet; ${remark})`
  return Schema.optional(Field.height(text))
}

/** Returns the block up to which internal calls are complete; undefined if none are missing. */
export function tracedTo({ height, untracedFrom }: EvmSnapshot): string | undefined {
  return untracedFrom === undefined || untracedFrom > height ? undefined : String(untracedFrom - 1n)
}

/** Returns the schema of the block from which on data is kept. */
export function keptFromBlock(what: string): Schema.Schema {
  return Schema.optional(Field.height(`Block from which on ${what} are kept; absent if all are kept`))
}
