import { recordedChain } from '@firn/evm/testing'
import { recordedEvmStore } from '@firn/evm-store/testing'
import { database } from '@firn/sql/testing'
import { describe, expect, test } from 'vitest'
import { serveEvm } from '../testing/serveEvm.ts'

type Listed = Readonly<Record<string, unknown>> & { readonly address: string }

interface RecordedLog {
  readonly height: number
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly logIndex: string
  readonly transactionHash: string
  readonly blockHash: string
}

/** The recorded logs, newest first. */
const LOGS = recordedChain('c')
  .flatMap(({ block, receipts }) =>
    (receipts as { logs: RecordedLog[] }[]).flatMap(({ logs }) =>
      logs.map((log) => ({ ...log, height: Number(block['number']) })),
    ),
  )
  .toReversed()

describe('GET /v1/chains/{chainId}/logs', async () => {
  const store = await recordedEvmStore('c')
  const ask = await serveEvm([store])
  const CHAIN = '/v1/chains/43112'

  /** Returns the logs of all pages, in lowercase. */
  async function all(query: string): Promise<readonly Listed[]> {
    const logs: Listed[] = []
    let next: string | undefined = `${CHAIN}/logs?pageSize=40&${query}`
    while (next !== undefined) {
      const { status, json } = await ask(next)
      expect([status, json.completeFromBlock]).toEqual([200, '0'])
      logs.push(...json.logs)
      next = json.nextPageToken && `${CHAIN}/logs?pageSize=40&pageToken=${json.nextPageToken}`
    }
    return logs.map((log) => ({ ...log, address: log.address.toLowerCase() }))
  }
  const plain = (logs: readonly (Listed | RecordedLog)[]) =>
    logs.map(({ address, topics, data, logIndex }) => [address, topics, data, Number(logIndex)])

  test('lists all logs as in the receipts, newest first', async () => {
    const logs = await all('')
    expect(plain(logs)).toEqual(plain(LOGS))
    expect(logs.length).toBeGreaterThan(80)
    expect(logs[0]).toEqual({
      ...logs[0],
      blockNumber: String(LOGS[0]?.height),
      txIndex: expect.any(Number),
      blockTimestamp: expect.any(Number),
      txHash: LOGS[0]?.transactionHash,
      blockHash: LOGS[0]?.blockHash,
    })
  })

  test('filters by contract, topics and blocks', async () => {
    const [one, other] = [LOGS.at(0), LOGS.findLast(({ address }) => address !== LOGS[0]?.address)]
    const both = [one?.address, other?.address]
    expect(plain(await all(`addresses=${both}`))).toEqual(
      plain(LOGS.filter(({ address }) => both.includes(address))),
    )
    const topic = LOGS.find(({ topics }) => topics.length > 2)?.topics[2]
    const found = LOGS.filter(({ topics }) => topics[2] === topic)
    expect(plain(await all(`topic2=${topic?.toUpperCase()}`))).toEqual(plain(found))
    const height = LOGS[30]?.height as number
    expect(plain(await all(`startBlock=${height}&endBlock=${height + 1}`))).toEqual(
      plain(LOGS.filter((log) => log.height === height)),
    )
    expect(await all(`topic3=${topic}&addresses=${both[0]}&startBlock=9000`)).toEqual([])
  })

  test('rejects other parameters', async () => {
    for (const query of ['addresses=0x12', 'topic0=0x12', 'topic1=']) {
      expect([query, (await ask(`${CHAIN}/logs?${query}`)).status]).toEqual([query, 400])
    }
  })

  test('tells from which block on logs are stored, and lists no earlier ones', async () => {
    const other = await recordedEvmStore('c', undefined, {})
    const path = `${CHAIN}/logs?pageSize=100`
    const first = LOGS[20]?.height as number
    await database(other)
      .updateTable('chain')
      .set({ logs_from: BigInt(first) })
      .execute()
    const asking = await serveEvm([other])
    const { json } = await asking(path)
    expect(json.completeFromBlock).toBe(String(first))
    const later = LOGS.filter(({ height }) => height >= first)
    expect(json.logs.map((log: RecordedLog) => log.data)).toEqual(later.map(({ data }) => data))
    expect((await asking(`${path}&endBlock=${first}`)).json.logs).toEqual([])
    await database(other).updateTable('chain').set({ logs_from: null }).execute()
    const { status, json: error } = await (await serveEvm([other]))(path)
    expect([status, error.message]).toEqual([404, expect.stringContaining('--no-event-logs')])
  })
})
