import { Hex } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import * as BloomFilter from './BloomFilter.ts'
import { createClaimBook, type KnownPeers } from './ClaimBook.ts'
import * as ClaimedIpPort from './ClaimedIpPort.ts'
import { cheapIdentity } from './testing/raw.ts'
import { codeOf } from './testing/vectors.ts'

const NOW = 1_700_000_000n
const ENDPOINT = { host: '1.2.3.4', port: 9_651 }
const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length))
const identity = cheapIdentity()
const nobody = new Uint8Array(20)
const all = { known: undefined, allSubnets: true }

function bookOf(isTracked: boolean) {
  const heard: bigint[] = []
  const book = createClaimBook({
    isTracked: () => isTracked,
    now: () => NOW,
    random,
    onClaim: (_nodeId, claim) => heard.push(claim.timestamp),
  })
  return { book, heard }
}

function knownOf(encoded: { readonly filter: Uint8Array; readonly salt: Uint8Array }): KnownPeers {
  return { filter: BloomFilter.decode(encoded.filter), salt: encoded.salt }
}

test('keeps the newest claim of each tracked NodeID', () => {
  const { book, heard } = bookOf(true)
  const claims = [5n, 7n, 6n].map((timestamp) => ClaimedIpPort.create(identity, ENDPOINT, timestamp))
  expect(book.consider(claims)).toBe(2)
  expect(heard).toEqual([5n, 7n])
  expect(book.recall(identity.nodeId)?.timestamp).toBe(7n)
})

test('copies claims before it stores them, because decoded claims share the buffer of the stream', () => {
  const { book } = bookOf(true)
  const claim = ClaimedIpPort.create(identity, ENDPOINT, NOW)
  const signature = claim.signature.slice()
  book.consider([claim])
  claim.signature.fill(0)
  expect(book.recall(identity.nodeId)?.signature).toEqual(signature)
})

describe('the filter of known claims', () => {
  const contains = (book: ReturnType<typeof bookOf>['book'], timestamp: bigint): boolean => {
    const { filter, salt } = knownOf(book.known())
    return BloomFilter.contains(filter, ClaimedIpPort.gossipId(identity.nodeId, timestamp), salt)
  }
  test.each([true, false])('adds the claim of any node to the filter (node tracked: %s)', (isTracked) => {
    const { book } = bookOf(isTracked)
    expect(contains(book, NOW)).toBe(false)
    book.consider([ClaimedIpPort.create(identity, ENDPOINT, NOW)])
    expect(contains(book, NOW)).toBe(true)
  })
  test('removes a discarded claim from the filter when its NodeID becomes tracked, so that peers send the claim again', () => {
    const { book } = bookOf(false)
    book.consider([ClaimedIpPort.create(identity, ENDPOINT, NOW)])
    expect(book.recall(identity.nodeId)).toBeUndefined()
    expect(contains(book, NOW)).toBe(false)
  })
  test('rebuilds the filter from the same claims with new seeds and salt on request', () => {
    const { book } = bookOf(true)
    book.add(ClaimedIpPort.create(identity, ENDPOINT, NOW))
    const before = book.known()
    expect(book.known()).toEqual(before)
    const afresh = book.known(true)
    expect(afresh.salt).not.toEqual(before.salt)
    expect(afresh.filter.subarray(0, 9)).not.toEqual(before.filter.subarray(0, 9))
    expect(contains(book, NOW)).toBe(true)
  })
  test('rebuilds the filter with new seeds and salt when it fills up', () => {
    const { book } = bookOf(true)
    const salts = new Set([Hex.encode(book.known().salt)])
    for (let timestamp = 0n; timestamp < 400n; timestamp++) {
      book.add(ClaimedIpPort.create(identity, ENDPOINT, timestamp))
      salts.add(Hex.encode(book.known().salt))
    }
    // Each rebuild drops all claims but the newest and makes room for more than a hundred claims.
    expect([2, 3, 4]).toContain(salts.size)
    expect(contains(book, 399n)).toBe(true)
  })
})

describe('select', () => {
  const { book } = bookOf(true)
  const identities = Array.from({ length: 20 }, cheapIdentity)
  for (const each of identities) book.add(ClaimedIpPort.create(each, ENDPOINT, NOW))

  test('selects at most 15 claims, without duplicates', () => {
    const chosen = book.select(all, nobody)
    expect(chosen).toHaveLength(15)
    expect(new Set(chosen).size).toBe(15)
  })
  test("never selects claims that the requesting peer knows, or the peer's own claim", () => {
    expect(book.select({ known: knownOf(book.known()), allSubnets: true }, nobody)).toEqual([])
    const asking = identities[0]?.nodeId as Uint8Array
    for (let i = 0; i < 20; i++) {
      const nodeIds = book
        .select(all, asking)
        .map((claim) => Buffer.from(ClaimedIpPort.nodeId(claim)).toString('hex'))
      expect(nodeIds).not.toContain(Buffer.from(asking).toString('hex'))
    }
  })
})

test.each([
  ['a garbage certificate', { x509Certificate: new Uint8Array(5) }, 'P2P_CLAIM_CERTIFICATE'],
  ['a 6-byte address', { ipAddr: new Uint8Array(6) }, 'P2P_IP'],
  ['port 0', { ipPort: 0 }, 'P2P_PORT'],
  ['a signature for another port', { ipPort: 1 }, 'P2P_IP_SIGNATURE'],
])('rejects %s', (_, change, code) => {
  const { book } = bookOf(true)
  expect(codeOf(() => book.consider([{ ...ClaimedIpPort.create(identity, ENDPOINT, NOW), ...change }]))).toBe(
    code,
  )
  expect(book.recall(identity.nodeId)).toBeUndefined()
})
