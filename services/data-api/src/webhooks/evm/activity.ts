import { Hex } from '@firn/codec'
import type { EvmBlockContents } from '@firn/evm-store'
import type { Activity } from './Matcher.ts'

/** Length of a topic that may be an address: 12 zero bytes, then the address. */
const ADDRESS_OFFSET = 12

/** Returns the activity in each transaction of a block, by the index of the transaction. */
export function activityIn({
  transactions,
  transfers,
  calls,
  logs,
}: EvmBlockContents.BlockContents): ReadonlyMap<number, Activity> {
  const all = new Map<number, Map<string, Set<string>>>()
  const put = (index: number, address: Uint8Array | null, signature?: Uint8Array) => {
    if (address === null) return
    const own = all.get(index) ?? new Map<string, Set<string>>()
    all.set(index, own)
    const key = Hex.encodeBare(address)
    const signatures = own.get(key) ?? new Set()
    own.set(key, signatures)
    if (signature !== undefined) signatures.add(Hex.encode(signature))
  }
  for (const { index, sender, recipient, created } of transactions)
    for (const address of [sender, recipient, created]) put(index, address)
  for (const { transactionIndex, sender, recipient } of transfers)
    for (const address of [sender, recipient]) put(transactionIndex, address)
  for (const { transactionIndex, sender, recipient } of calls ?? [])
    for (const address of [sender, recipient]) put(transactionIndex, address)
  for (const { transactionIndex, address, topics } of logs) {
    const [signature, ...others] = topics
    put(transactionIndex, address, signature)
    for (const topic of others)
      if (isAddress(topic)) put(transactionIndex, topic.subarray(ADDRESS_OFFSET), signature)
  }
  return all
}

function isAddress(topic: Uint8Array): boolean {
  for (let i = 0; i < ADDRESS_OFFSET; i++) if (topic[i] !== 0) return false
  return true
}
