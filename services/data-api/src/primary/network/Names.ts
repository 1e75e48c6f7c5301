import { Hex, Id, NodeId } from '@firn/codec'
import { Networks } from '@firn/genesis'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import { notFollowed } from './CChain.ts'
import type { DataContext } from './Context.ts'

/** Name of a Primary Network chain in answers. */
export type ChainName = 'p-chain' | 'x-chain' | 'c-chain'

/** One-letter alias of each chain, as the store uses it. */
export const LETTER = { 'p-chain': 'P', 'x-chain': 'X', 'c-chain': 'C' } as const

/** Name of each chain, by its one-letter alias. */
export const NAME_OF = { P: 'p-chain', X: 'x-chain', C: 'c-chain' } as const

/**
 * Returns the parameter for the served network. It accepts each name of the network and gives the name used
 * in answers.
 */
export function network({ networkNames }: DataContext): Parameter.Parameter<string> {
  return Parameter.named(networkNames)
}

/**
 * Returns the parameter for a Primary Network chain. It accepts the chain's name or its blockchain id. The C-chain is
 * rejected with `DATA_NOT_FOLLOWED` if the database does not follow it.
 */
export function primaryBlockchain(context: DataContext): Parameter.Parameter<ChainName> {
  const names: ReadonlyMap<string, ChainName> = new Map([
    ...(Object.keys(LETTER) as ChainName[]).map((name) => [name, name] as const),
    [Id.format(Networks.PRIMARY_NETWORK_ID), 'p-chain'],
    ...idsOf(context),
  ])
  const expected = `one of ${[...names.keys()].join(', ')}`
  const parse = (text: string) => {
    const name = names.get(text)
    if (name === 'c-chain' && !context.followsCChain) throw notFollowed()
    return name
  }
  return Parameter.text(expected, parse)
}

function idsOf({ genesis }: DataContext): (readonly [string, ChainName])[] {
  return [
    [Id.format(genesis.xChain.blockchainId), 'x-chain'],
    [Id.format(genesis.cChain.blockchainId), 'c-chain'],
  ]
}

/** Parameter for a 32-byte id in CB58. */
export const id = Parameter.text('an id in cb58', parseId)

/** Decodes a 32-byte id from CB58. Returns undefined if the text is invalid. */
export function parseId(text: string): Uint8Array | undefined {
  try {
    return Id.parse(text)
  } catch {
    return undefined
  }
}

/** Parameter for a node id. */
export const nodeId = Parameter.text('a NodeID-…', parseNodeId)

/** Decodes a node id (`NodeID-…`) to 20 bytes. Returns undefined if the text is invalid. */
export function parseNodeId(text: string): Uint8Array | undefined {
  try {
    return NodeId.parse(text)
  } catch {
    return undefined
  }
}

/** Parameter for a validation id in cb58 or hex. */
export const validationId = Parameter.text('a validation id in cb58 or hex', (text) => {
  if (!text.startsWith('0x')) return parseId(text)
  return /^0x[0-9a-fA-F]{64}$/.test(text) ? Hex.decode(text.toLowerCase()) : undefined
})
