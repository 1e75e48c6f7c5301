import { STEP } from '@firn/sql/testing'
import { type Accepted, type Store, Writer } from '@firn/store'
import { openStore, Recordings, recordedStore } from '@firn/store/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serve } from '../testing/serve.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests access members of any response body
type Json = any
type Ask = Awaited<ReturnType<typeof serve>>

/**
 * A list to test: its path, the response member that contains the items, the items' ids, and whether the list
 * can be sorted.
 */
interface Walked {
  readonly path: string
  readonly member: string
  readonly name: (element: Json) => string
  readonly hasOrder: boolean
}

const transactions = { member: 'transactions', name: ({ txHash }: Json) => txHash, hasOrder: true }
const EWOQ = 'local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'
const KEY = 'local1kucwyn3yc3m3e8saa87922jewhdx3thhp2dde0'
const RETURNED = 'local10jw7ewhnrqxhy42hht5na9079pr8ju99j90zxl'
const LISTS: readonly Walked[] = [
  { ...transactions, path: 'blockchains/p-chain/transactions' },
  { ...transactions, path: 'blockchains/x-chain/transactions' },
  { ...transactions, path: 'blockchains/c-chain/transactions' },
  { ...transactions, path: `blockchains/p-chain/transactions?addresses=P-${EWOQ}` },
  {
    ...transactions,
    path: `blockchains/p-chain/transactions?addresses=${EWOQ}&txTypes=BaseTx&txTypes=ExportTx`,
  },
  {
    ...transactions,
    path: `blockchains/p-chain/transactions?addresses=${EWOQ}&startTimestamp=1795217425&endTimestamp=1795217700`,
  },
  { ...transactions, path: `blockchains/x-chain/transactions?addresses=X-${EWOQ}` },
  { ...transactions, path: 'blockchains/p-chain/transactions:listStaking' },
  { ...transactions, path: `blockchains/p-chain/transactions:listStaking?addresses=${EWOQ}` },
  ...[
    `p-chain/utxos?addresses=${KEY}`,
    `x-chain/utxos?addresses=${KEY},${EWOQ}`,
    `p-chain/utxos?addresses=${KEY}&sortBy=amount`,
    `p-chain/utxos?addresses=${KEY}&includeSpent=true`,
  ].map((path) => ({
    path: `blockchains/${path}`,
    member: 'utxos',
    name: ({ utxoId }: Json) => utxoId,
    hasOrder: true,
  })),
  {
    path: `rewards?addresses=${KEY},${RETURNED}`,
    member: 'historicalRewards',
    name: ({ utxoId }) => utxoId,
    hasOrder: true,
  },
  {
    path: `rewards:listPending?addresses=${EWOQ},${KEY}`,
    member: 'pendingRewards',
    name: ({ txHash, rewardType }) => `${txHash} ${rewardType}`,
    hasOrder: true,
  },
  ...['p-chain', 'x-chain', 'c-chain?startTimestamp=1795217500&endTimestamp=1795218500'].map((chain) => ({
    path: `blockchains/${chain.replace(/(\?|$)/, '/blocks$1')}`,
    member: 'blocks',
    name: ({ blockHash }: Json) => blockHash,
    hasOrder: true,
  })),
  ...[
    '',
    '?validationStatus=completed',
    '?sortBy=timeRemaining',
    `/NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg`,
  ].map((query) => ({
    path: `validators${query}`,
    member: 'validators',
    name: ({ txHash }: Json) => txHash,
    hasOrder: true,
  })),
  {
    ...transactions,
    path: 'blockchains/x-chain/assets/2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe/transactions',
    hasOrder: false,
  },
  { path: 'delegators', member: 'delegators', name: ({ txHash }) => txHash, hasOrder: true },
  { path: 'subnets', member: 'subnets', name: ({ subnetId }) => subnetId, hasOrder: true },
  { path: 'blockchains', member: 'blockchains', name: ({ blockchainId }) => blockchainId, hasOrder: true },
  { path: 'l1Validators', member: 'validators', name: ({ validationId }) => validationId, hasOrder: false },
  {
    path: 'l1Validators?includeInactiveL1Validators=true',
    member: 'validators',
    name: ({ validationId }) => validationId,
    hasOrder: false,
  },
]

/** Returns a store that contains the first blocks of a recorded network, and the remaining blocks. */
async function begin(share: number): Promise<{ store: Store; writer: Writer; rest: Accepted[] }> {
  const { genesis, constants, chains } = Recordings.load('local')
  const store = await openStore()
  const { writer, state } = await Writer.open(store, genesis, constants)
  const all = [...Recordings.follow(state, chains)]
  const first = Math.floor(all.length * share)
  await writer.commit(all.slice(0, first))
  return { store, writer, rest: all.slice(first) }
}

async function read(ask: Ask, { path, member, name }: Walked, more: Record<string, string>) {
  const query = new URLSearchParams(more).toString()
  const { status, json, headers } = await ask(
    `/v1/networks/fuji/${path}${path.includes('?') ? '&' : '?'}${query}`,
  )
  expect([status, json.message]).toEqual([200, undefined])
  const elements: Json[] = json[member]
  const names: string[] = elements.map(name)
  return { elements, names, next: json.nextPageToken as string | undefined, height: headers['x-firn-height'] }
}

test('lists each item of the first page’s snapshot once, for random page sizes, while blocks are added', async () => {
  let walks = 0
  for (const [i, share] of [0.55, 0.8].entries()) {
    const { store, writer, rest } = await begin(share)
    const ask = await serve(store)
    const sizes = fc.sample(fc.integer({ min: 1, max: 30 }), { numRuns: 200, seed: 7 })
    for (const list of LISTS) {
      const orders = list.hasOrder ? ['asc', 'desc'] : [undefined]
      for (const sortOrder of STEP === 1 ? orders : orders.slice(i, i + 1)) {
        const order = sortOrder === undefined ? {} : { sortOrder }
        const whole = await read(ask, list, { ...order, pageSize: '100' })
        expect(whole.next).toBeUndefined()
        const seen: string[] = []
        let next: string | undefined
        do {
          const pageSize = String(sizes[walks++ % sizes.length])
          const page = await read(ask, list, { ...order, pageSize, ...(next && { pageToken: next }) })
          expect([list.path, page.height]).toEqual([list.path, whole.height])
          seen.push(...page.names)
          next = page.next
          const block = walks % 3 === 0 ? rest.shift() : undefined
          if (block !== undefined) await writer.commit([block])
        } while (next !== undefined)
        expect([list.path, sortOrder, seen]).toEqual([list.path, sortOrder, whole.names])
        expect(new Set(seen).size).toBe(seen.length)
      }
    }
    await store.close()
  }
  expect(walks).toBeGreaterThan(STEP === 1 ? 150 : 75)
})

test('returns the items in reverse order for the reverse sort order', async () => {
  const ask = await serve(await recordedStore('local'))
  for (const list of LISTS.filter(({ hasOrder }) => hasOrder)) {
    const [up, down] = await Promise.all(
      ['asc', 'desc'].map((sortOrder) => read(ask, list, { sortOrder, pageSize: '100' })),
    )
    expect([list.path, up?.names.length]).not.toEqual([list.path, 0])
    expect([list.path, up?.names]).toEqual([list.path, down?.names.toReversed()])
  }
})

test.each([0.45, 0.8])(
  'returns the same items on further pages after all remaining blocks are added (initial share of blocks: %d)',
  async (share) => {
    const { store, writer, rest } = await begin(share)
    const ask = await serve(store)
    const begun: { list: Walked; whole: readonly Json[]; seen: Json[]; next: string | undefined }[] = []
    // The ascending order is the harder case, because new items are appended to the list.
    const orderOf = ({ hasOrder }: Walked): Record<string, string> => (hasOrder ? { sortOrder: 'asc' } : {})
    for (const list of LISTS) {
      const { elements: whole } = await read(ask, list, { ...orderOf(list), pageSize: '100' })
      const { elements, next } = await read(ask, list, { ...orderOf(list), pageSize: '1' })
      begun.push({ list, whole, seen: [...elements], next })
    }
    await writer.commit(rest)
    for (const { list, whole, seen, next } of begun) {
      for (let token = next; token !== undefined; ) {
        // The page token contains the parameters of the first request.
        const [path = ''] = list.path.split('?')
        const page = await read(ask, { ...list, path }, { pageSize: '7', pageToken: token })
        seen.push(...page.elements)
        token = page.next
      }
      expect([list.path, seen]).toEqual([list.path, whole])
    }
    await store.close()
  },
)
