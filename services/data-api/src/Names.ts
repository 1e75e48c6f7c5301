import { Hex, Id, NodeId } from '@firn/codec'
import { Networks } from '@firn/genesis'
import type { DataContext } from './Context.ts'
import * as Parameter from './front/Parameter.ts'

/** The chains of the Primary Network, as named in answers. */
export type ChainName = 'p-chain' | 'x-chain' | 'c-chain'

/** The letter in the ledger. */
export const LETTER = { 'p-chain': 'P', 'x-chain': 'X', 'c-chain': 'C' } as const

/** The served network, by any of its names; its value is the name in answers. */
export function network({ networkNames }: DataContext): Parameter.Parameter<string> {
  return Parameter.named(networkNames)
}

/** The P-, X- or C-chain, by name or by its id in the served network. */
export function primaryBlockchain(context: DataContext): Parameter.Parameter<ChainName> {
  const names: ReadonlyMap<string, ChainName> = new Map([
    ...(Object.keys(LETTER) as ChainName[]).map((name) => [name, name] as const),
    [Id.format(Networks.PRIMARY_NETWORK_ID), 'p-chain'],
    ...idsOf(context),
  ])
  const expected = `one of ${[...names.keys()].join(', ')}`
  return Parameter.text(expected, (text) => names.get(text), { enum: [...names.keys()] })
}

function idsOf({ genesis }: DataContext): (readonly [string, ChainName])[] {
  return [
    [Id.format(genesis.xChain.blockchainId), 'x-chain'],
    [Id.format(genesis.cChain.blockchainId), 'c-chain'],
  ]
}

/** 32 bytes in cb58. */
export const id = Parameter.text('an id in cb58', parseId)

/** The 32 bytes of a cb58 text, undefined for any other text. */
export function parseId(text: string): Uint8Array | undefined {
  try {
    return Id.parse(text)
  } catch {
    return undefined
  }
}

/** A node's id. */
export const nodeId = Parameter.text('a NodeID-…', parseNodeId)

/** The 20 bytes of `NodeID-…`, undefined for any other text. */
export function parseNodeId(text: string): Uint8Array | undefined {
  try {
    return NodeId.parse(text)
  } catch {
    return undefined
  }
}

/** A validation id, in cb58 or hex. */
export const validationId = Parameter.text('a validation id in cb58 or hex', (text) => {
  if (!text.startsWith('0x')) return parseId(text)
  return /^0x[0-9a-fA-F]{64}$/.test(text) ? Hex.decode(text.toLowerCase()) : undefined
})
