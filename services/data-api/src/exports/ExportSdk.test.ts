import { zstdDecompressSync } from 'node:zlib'
import type { Avalanche } from '@avalanche-sdk/chainkit'
import { recordedEvmStore } from '@firn/evm-store/testing'
import { until } from '@firn/runtime/testing'
import type { UsageStore } from '@firn/service-store'
import { openUsage } from '@firn/service-store/testing'
import { recordedStore } from '@firn/store/testing'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDataApi, type DataApiService } from '../service/Service.ts'
import { client } from '../testing/client.ts'
import { plainEvm } from '../testing/plainEvm.ts'

const OWNER = '0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc'
const plain = plainEvm('c', true)
let usage: UsageStore
let service: DataApiService
let sdk: Avalanche
let chainId: string

beforeAll(async () => {
  usage = await openUsage()
  const chain = await recordedEvmStore('c')
  chainId = String(chain.chainId)
  service = await createDataApi({
    store: await recordedStore('local'),
    alias: 'fuji',
    chains: [{ store: chain, nodes: [] }],
    usage,
    host: '127.0.0.1',
    port: 0,
    prefix: '/data',
    limits: undefined,
    aggregateStatus: 200,
    timeoutMs: 600_000,
    version: '0',
  })
  sdk = client(service.url)
})
afterAll(async () => {
  await service?.close()
  await usage?.close()
})

const read = async (operationId: string) => {
  const done = await until(async () => {
    const result = await sdk.data.operations.getResult({ operationId })
    expect(result.operationStatus).not.toBe('RUNNING')
    return result
  })
  expect(done).toMatchObject({ operationStatus: 'COMPLETED' })
  const response = await fetch(done.metadata?.downloadUrl ?? '')
  expect(response.status).toBe(200)
  return response
}

/** Posts an export that the official client does not know. */
const start = async (body: object): Promise<string> => {
  const response = await fetch(`${service.url}/v1/operations/transactions:export`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const json = (await response.json()) as { operationId: string }
  expect([response.status, json]).toMatchObject([201, { operationId: expect.any(String) }])
  return json.operationId
}

const own = plain.transactions.filter(({ transaction }) =>
  [transaction.from, transaction.to].some((one) => one?.toLowerCase() === OWNER),
)

test('exports the transactions of an address as CSV through the SDK', async () => {
  const started = await sdk.data.operations.exportTransactions({
    type: 'TRANSACTION_EXPORT_EVM',
    firstDate: '2020-01-01',
    options: { addresses: [OWNER], includeChains: [chainId] },
  })
  expect(started).toMatchObject({ operationType: 'TRANSACTION_EXPORT_EVM' })
  const response = await read(started.operationId)
  expect(response.headers.get('content-type')).toContain('text/csv')
  const [header, ...lines] = (await response.text()).trimEnd().split('\n')
  const names = header?.split(',') ?? []
  const cells = (name: string) => lines.map((line) => line.split(',')[names.indexOf(name)])
  expect(cells('txHash')).toEqual(own.map(({ transaction }) => transaction.hash))
  expect(cells('value')).toEqual(own.map(({ transaction }) => String(BigInt(transaction.value))))
  expect(cells('fee')).toEqual(
    own.map(({ receipt }) => String(BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice))),
  )
  expect(cells('isSuccess')).toEqual(own.map(({ receipt }) => String(receipt.status === '0x1')))
})

test('exports the same rows as JSON lines and as Parquet', async () => {
  const body = {
    type: 'TRANSACTION_EXPORT_EVM',
    options: { includeChains: [chainId] },
    contents: 'transfers',
  }
  const jsonl = await read(await start({ ...body, format: 'jsonl' }))
  const lines = (await jsonl.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const file = await (await read(await start({ ...body, format: 'parquet' }))).arrayBuffer()
  const rows = await parquetReadObjects({
    file,
    compressors: { ZSTD: (bytes) => zstdDecompressSync(bytes) },
  })
  const plainRows = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
    ),
  )
  expect(plainRows).toEqual(lines)
  const expected = plain.transfers.toSorted(
    (a, b) => a.of.height - b.of.height || a.logIndex - b.logIndex || a.position - b.position,
  )
  expect(lines.map(({ txHash, amount }) => [txHash, amount])).toEqual(
    expected.map(({ of, amount }) => [of.transaction.hash, String(amount)]),
  )
})

test('exports transactions of the Primary Network through the SDK', async () => {
  const list = await fetch(`${service.url}/v1/networks/fuji/blockchains/p-chain/transactions?pageSize=100`)
  const { transactions } = (await list.json()) as {
    transactions: { txHash: string; blockNumber: string; emittedUtxos: { addresses: string[] }[] }[]
  }
  const address = transactions.flatMap(({ emittedUtxos }) => emittedUtxos)[0]?.addresses[0] ?? ''
  const mine = await fetch(
    `${service.url}/v1/networks/fuji/blockchains/p-chain/transactions?pageSize=100&sortOrder=asc&addresses=${address}`,
  )
  const expected = ((await mine.json()) as { transactions: { txHash: string }[] }).transactions
  const { operationId } = await sdk.data.operations.exportTransactions({
    type: 'TRANSACTION_EXPORT_PRIMARY_NETWORK_SIMPLE',
    options: { addresses: [address], includeChains: ['p-chain'] },
  })
  const lines = (await (await read(operationId)).text()).trimEnd().split('\n').slice(1)
  expect(lines.map((line) => line.split(',')[1])).toEqual(expected.map(({ txHash }) => txHash))
  expect(lines.length).toBeGreaterThan(0)
})

test.each([
  [{ type: 'X', options: {} }, 'type: expected one of'],
  [
    { type: 'TRANSACTION_EXPORT_EVM', options: { includeChains: [] } },
    'options.includeChains: expected at least',
  ],
  [{ type: 'TRANSACTION_EXPORT_EVM', options: { includeChains: ['5'] } }, 'does not serve this chain'],
  [
    { type: 'TRANSACTION_EXPORT_EVM', firstDate: '2026-02-30', options: { includeChains: ['43112'] } },
    'firstDate: expected a day',
  ],
  [
    { type: 'TRANSACTION_EXPORT_EVM', options: { includeChains: ['43112'], addresses: ['0x1'] } },
    'options.addresses',
  ],
  [
    { type: 'TRANSACTION_EXPORT_PRIMARY_NETWORK_STAKING', options: { includeChains: ['p-chain'] } },
    'options.addresses: expected addresses',
  ],
])('rejects %j', async (body, message) => {
  const given = JSON.stringify(body).replace('43112', chainId)
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${service.url}/v1/operations/transactions:export`, {
    method: 'POST',
    headers,
    body: given,
  })
  expect([400, 404]).toContain(response.status)
  expect(((await response.json()) as { message: string }).message).toContain(message)
})
