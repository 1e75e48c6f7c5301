import { Id } from '@firn/codec'
import { database } from '@firn/sql/testing'
import { Transactions } from '@firn/store'
import { expect, test, vi } from 'vitest'
import { NodeError } from '../NodeError.ts'
import { methodError } from '../Service.ts'
import { recordedContext } from '../testing/chainReplay.ts'
import type { Upstream } from '../Upstream.ts'
import * as AvaxApi from './AvaxApi.ts'

const TX = Id.hash(new Uint8Array(3))

async function statusWith(method: Upstream['method'], name: 'local' | 'helicon' = 'local', txId = TX) {
  const upstream = { call: vi.fn(), targets: () => [], health: () => [], method }
  const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const context = { ...(await recordedContext(name, { upstream })), log }
  return AvaxApi.handlers(context)['avax.getAtomicTxStatus']({ txID: txId })
}

test.each([
  [{ status: 'Processing' }, 'Processing'],
  [{ status: 'Dropped' }, 'Dropped'],
  [{ status: 'Unknown' }, 'Unknown'],
  [{ status: 'Accepted', blockHeight: '99' }, 'Processing'],
  [{ status: 'Nonsense' }, 'Unknown'],
  [null, 'Unknown'],
])(
  "converts the upstream's status %j to %s for a transaction that is not accepted",
  async (reported, status) => {
    const method = vi.fn(async () => reported)
    expect(await statusWith(method)).toEqual({ status })
    expect(method).toHaveBeenCalledWith('/ext/bc/C/avax', 'avax.getAtomicTxStatus', { txID: Id.format(TX) })
  },
)

test('returns the status Unknown if the upstream does not respond', async () => {
  for (const error of [methodError('no'), new NodeError('NODE_UPSTREAM', 'none answered')])
    expect(await statusWith(() => Promise.reject(error))).toEqual({ status: 'Unknown' })
  await expect(statusWith(() => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug')
})

test('returns only Accepted or Unknown since Helicon, and does not call the upstream', async () => {
  const method = vi.fn()
  expect(await statusWith(method, 'helicon')).toEqual({ status: 'Unknown' })
  expect(await statusWith(method, 'helicon', Id.EMPTY)).toEqual({ status: 'Unknown' })
  const { store, snapshot } = await recordedContext('helicon')
  const row = await database(store)
    .selectFrom('transaction')
    .select('id')
    .where('chain', '=', 'C')
    .executeTakeFirst()
  const found = await Transactions.statusById(store, await snapshot(), 'C', row?.id ?? TX)
  const accepted = { status: 'Accepted', blockHeight: found?.height }
  expect(await statusWith(method, 'helicon', row?.id)).toEqual(accepted)
  expect(method).not.toHaveBeenCalled()
})

test('rejects the zero transaction id before Helicon, and reports it as not found since Helicon', async () => {
  const coreth = AvaxApi.handlers(await recordedContext('local'))
  const none = { txID: Id.EMPTY }
  await expect(coreth['avax.getAtomicTxStatus'](none)).rejects.toThrow('nil transaction ID')
  await expect(coreth['avax.getAtomicTx'](none)).rejects.toThrow('nil transaction ID')
  const saevm = AvaxApi.handlers(await recordedContext('helicon'))
  await expect(saevm['avax.getAtomicTx'](none)).rejects.toThrow('fetching tx: reading tx: not found')
})

test('returns every UTXO once in pages of any size since Helicon, and then the end cursor', async () => {
  // At this height, two UTXOs from the P-chain have two owners, and a third UTXO has one owner.
  const context = await recordedContext('helicon', { heights: { C: 147n } })
  const ask = AvaxApi.handlers(context)['avax.getUTXOs']
  const addresses = ['C-custom1kucwyn3yc3m3e8saa87922jewhdx3thhtrz3aj']
  const all = await ask({ addresses, sourceChain: 'P' })
  const last = {
    address: 'C-custom1lllllllllllllllllllllllllllllllle27r7l',
    utxo: Id.format(new Uint8Array(32).fill(255)),
  }
  expect(all).toMatchObject({ numFetched: 3n, endIndex: last })
  for (const limit of [1, 2, 3, 4]) {
    const found: string[] = []
    let startIndex: { address: string; utxo: string } | undefined
    do {
      const page = await ask({ addresses, sourceChain: 'P', limit, ...(startIndex && { startIndex }) })
      found.push(...page.utxos)
      startIndex = page.endIndex
    } while (startIndex.address !== last.address)
    expect(found).toEqual(all.utxos)
  }
  expect(await ask({ addresses, sourceChain: 'P', startIndex: last })).toEqual({
    numFetched: 0n,
    utxos: [],
    endIndex: { address: 'C-custom1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq4mlve4', utxo: Id.format(Id.EMPTY) },
    encoding: 'hex',
  })
  await expect(ask({ addresses, sourceChain: 'P', encoding: 'json' })).rejects.toThrow(
    'encoding utxo: unsupported encoding in method',
  )
  const start = (address: string, utxo: string) =>
    ask({ addresses, sourceChain: 'P', startIndex: { address, utxo } })
  await expect(start('bogus', '')).rejects.toThrow(
    'parsing start address "bogus": no separator found in address',
  )
  await expect(start(addresses[0] ?? '', 'bad')).rejects.toThrow(
    'parsing start utxoID "bad": input string is smaller than the checksum size',
  )
  const many = Array.from({ length: 1025 }, () => addresses[0] ?? '')
  await expect(ask({ addresses: many, sourceChain: 'P' })).rejects.toThrow(
    'too many addresses: 1025 exceeds 1024',
  )
})
