import { Hex } from '@firn/codec'
import { Type } from 'typebox'
import * as Parameter from '../front/Parameter.ts'
import { type EvmContext, NETWORKS, type NetworkKind } from './EvmContext.ts'

const ADDRESS = /^0[xX][0-9a-fA-F]{40}$/
const MAX_TOKEN_ID = 2n ** 256n - 1n

/** An address in any case. */
export const address = Parameter.text('an address: 0x and 40 hexadecimal digits', parseAddress)

/** Addresses, separated by commas. */
export const addresses = Parameter.list('addresses: 0x and 40 hexadecimal digits', 64, parseAddress)

/** The hash of a transaction. */
export const hash = Parameter.text('a hash: 0x and 64 hexadecimal digits', parseHash)

/** A block, by its number or its hash. */
export const blockId = Parameter.text<bigint | Uint8Array>(
  'a block number, or a hash: 0x and 64 hexadecimal digits',
  (text) => parseHeight(text) ?? parseHash(text),
)

/** A block's number. */
export const blockNumber: Parameter.Parameter<bigint> = {
  ...Parameter.text('a block number', parseHeight),
  schema: Type.Integer({ minimum: 0, description: 'a block number' }),
}

/** The id of a token within its contract. */
export const tokenId = Parameter.text('a token id, in decimal', (text) => {
  if (!/^[0-9]{1,78}$/.test(text)) return undefined
  const id = BigInt(text)
  return id <= MAX_TOKEN_ID ? id : undefined
})

/** The block range of lists. */
export const blockRange = {
  startBlock: Parameter.optional(blockNumber),
  endBlock: Parameter.optional(blockNumber),
}

/** The currency of prices. No prices are known here, so it has no effect. */
export const currency = Parameter.optional(
  Parameter.choice([
    ...(['usd', 'eur', 'aud', 'cad', 'chf', 'clp', 'cny'] as const),
    ...(['czk', 'dkk', 'gbp', 'hkd', 'huf', 'jpy', 'nzd'] as const),
  ]),
)

/** Returns the `network` filter of lists over chains, by any name of a network. */
export function network({ networkKinds }: EvmContext): Parameter.Parameter<NetworkKind | undefined> {
  return Parameter.optional(Parameter.named(new Map([...NETWORKS, ...(networkKinds ?? [])])))
}

/** Transactions by status. */
export const status = Parameter.optional(Parameter.choice(['failed', 'success']))

/** Returns whether a list is filtered for success or failure by `status`; undefined for all. */
export function succeeded(status: 'failed' | 'success' | undefined): boolean | undefined {
  return status === undefined ? undefined : status === 'success'
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
