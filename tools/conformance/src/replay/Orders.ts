import type { Exchange } from './Exchange.ts'
import * as JsonText from './JsonText.ts'

/** UTXOs of each block in the order in which a node lists them, as `<txID in hexadecimal>:<output index>`. */
export type Orders = ReadonlyMap<string, readonly string[]>

/** For each UTXO of a block, the UTXOs that follow it in any list. */
type Successors = Map<string, Set<string>>

const METHODS = ['platform.getUTXOs', 'avm.getUTXOs']

/** Returns the UTXOs of one address on the queried chain in order, or an empty list for other calls. */
function listOf({ method, argument, answer }: Exchange): string[] {
  const addresses = JsonText.member(argument, 'addresses')
  const isOfOne = addresses?.kind === 'array' && addresses.elements.length === 1
  const isNative = JsonText.member(argument, 'sourceChain') === undefined
  if (!METHODS.includes(method) || !isOfOne || !isNative) return []
  const result = JsonText.member(JsonText.parse(answer.body), 'result')
  const utxos = JsonText.member(result, 'utxos')
  if (utxos?.kind !== 'array') return []
  return utxos.elements.map((it) => {
    const hex = JsonText.format(it).slice(1)
    return `${hex.slice(6, 70)}:${Number.parseInt(hex.slice(70, 78), 16)}`
  })
}

/** Returns an order that agrees with all lists, or undefined if the lists contradict each other. */
function sorted(successors: Successors): string[] | undefined {
  const order: string[] = []
  const open = new Set(successors.keys())
  while (open.size > 0) {
    const followers = new Set([...open].flatMap((key) => [...(successors.get(key) ?? [])]))
    const first = [...open].find((key) => !followers.has(key))
    if (first === undefined) return undefined
    order.push(first)
    open.delete(first)
  }
  return order
}

/**
 * Returns the order of each block's UTXOs in a node's lists. The order results from iterating a Go map and is
 * stored in the node's database, so it depends on the node instead of the chain. A block whose lists
 * contradict each other is omitted.
 */
export function of(
  exchanges: readonly Exchange[],
  madeBy: (txId: string, outputIndex: number) => string | undefined,
): Orders {
  const blocks = new Map<string, Successors>()
  for (const exchange of exchanges) {
    let before: { readonly key: string; readonly block: string } | undefined
    for (const key of listOf(exchange)) {
      const [txId = '', index] = key.split(':')
      const block = madeBy(txId, Number(index)) ?? ''
      const successors = blocks.get(block) ?? new Map<string, Set<string>>()
      blocks.set(block, successors)
      successors.set(key, successors.get(key) ?? new Set())
      if (before?.block === block) successors.get(before.key)?.add(key)
      before = { key, block }
    }
  }
  const orders = new Map<string, readonly string[]>()
  for (const [block, successors] of blocks) {
    const order = successors.size > 1 ? sorted(successors) : undefined
    if (order !== undefined) orders.set(block, order)
  }
  return orders
}
