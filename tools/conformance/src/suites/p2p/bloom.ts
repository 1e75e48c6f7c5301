import { BloomFilter } from '@firn/p2p'
import * as Case from '../../Case.ts'
import type { Check } from '../../Suite.ts'

/** Maximum 64-bit integer, with which the reference represents an infinite number of elements. */
const MAX_INT64 = 2n ** 63n - 1n

/** Returns the 64-bit seeds of a filter, which stores each seed in two halves. */
function seedsOf({ seeds }: BloomFilter.BloomFilter): bigint[] {
  return Array.from(
    { length: seeds.length / 2 },
    (_, i) => (BigInt(seeds[2 * i] ?? 0) << 32n) | BigInt(seeds[2 * i + 1] ?? 0),
  )
}

function seedBytes(seeds: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(seeds.length * 8)
  const view = new DataView(bytes.buffer)
  for (const [index, seed] of seeds.entries()) view.setBigUint64(index * 8, seed)
  return bytes
}

const bloom: Check = (it) => {
  const seeds = Case.list(it, 'seeds').map((seed) => BigInt(String(seed)))
  const size = { numHashes: Case.number(it, 'numHashes'), numEntries: Case.number(it, 'numEntries') }
  const filter = BloomFilter.create(size, () => seedBytes(seeds))
  Case.equals(it, 'seeds', seedsOf(filter))
  Case.equals(it, 'emptyFilter', BloomFilter.encode(filter))
  const salt = Case.bytes(it, 'salt')
  let count = 0
  for (const add of Case.records(it, 'adds')) {
    const key = Case.bytes(add, 'key')
    Case.equals(add, 'hash', BloomFilter.hash(key, salt))
    const isNew = BloomFilter.add(filter, key, salt)
    Case.equals(add, 'added', isNew)
    Case.same('presence of the added elements', true, BloomFilter.contains(filter, key, salt))
    count += isNew ? 1 : 0
    Case.close(add)
  }
  Case.equals(it, 'count', count)
  Case.equals(it, 'filter', BloomFilter.encode(filter))
  const decoded = BloomFilter.decode(Case.bytes(it, 'filter'))
  for (const query of Case.records(it, 'queries')) {
    Case.equals(query, 'contains', BloomFilter.contains(decoded, Case.bytes(query, 'key'), salt))
    Case.close(query)
  }
  return undefined
}

const bloomConst: Check = (it) => {
  const constants: Readonly<Record<string, Uint8Array>> = {
    'bloom.EmptyFilter': BloomFilter.EMPTY,
    'bloom.FullFilter': BloomFilter.FULL,
  }
  Case.equals(it, 'filter', constants[it.name])
  return undefined
}

const bloomParse: Check = (it) => {
  const filter = Case.bytes(it, 'filter')
  const decoded = Case.verdict(it, () => BloomFilter.decode(filter))
  if (decoded !== undefined) Case.equals(it, 'filter', BloomFilter.encode(decoded.value))
  return undefined
}

const bloomOptimal: Check = (it) => {
  const probability = Case.number(it, 'falsePositiveProbability')
  const size = BloomFilter.optimalSize(Case.number(it, 'count'), probability)
  Case.equals(it, 'numHashes', size.numHashes)
  Case.equals(it, 'numEntries', size.numEntries)
  const count = BloomFilter.estimateCount(size, probability)
  Case.equals(it, 'estimateCount', count === Number.POSITIVE_INFINITY ? MAX_INT64 : count)
  return undefined
}

/** Checks of `p2p.json` on bloom filters. */
export const bloomChecks: Readonly<Record<string, Check>> = { bloom, bloomConst, bloomParse, bloomOptimal }
