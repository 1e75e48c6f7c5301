import { BlockReader } from '@firn/evm'
import { inventedChain, inventedFacts } from '@firn/evm/testing'
import { type EvmStore, EvmWriter } from '@firn/evm-store'
import { OWN_ID, openEvm, TEST_CHAIN, withMessages } from '@firn/evm-store/testing'
import { emptyDatabase, explain, listening } from '@firn/sql/testing'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEvm, evmContextOf } from '../../testing/serveEvm.ts'
import { icmEndpoints } from './Endpoints.ts'

const COUNT = 20_000
const PAGE = 10
/** Rows that a statement may read from a table: those that a page examines on a chain, and a few more. */
const MOST_READ = 2_100
const READ = /Scan[^\n]* on icm_(?:message|event)\b[^\n]*rows=([\d.]+) loops=(\d+)\)/g
const SCAN = /Seq Scan on icm_(?:message|event|count)\b/

const bytes = (text: string, size: number) => `decode(lpad(to_hex(${text}), ${2 * size}, '0'), 'hex')`
const own = `decode('${OWN_ID.slice(2)}', 'hex')`
const repeated = (byte: string, size: number) => `decode(repeat('${byte}', ${size}), 'hex')`

/**
 * Messages that one account sent to many chains and contracts, and as many that were received from one chain. Of those
 * that are sent, one contract gets all but a few.
 */
const MESSAGES = [true, false].map(
  (
    isSent,
  ) => `insert into icm_message (height, log_index, transaction_index, transaction_hash, gas_used, time, contract,
    is_sent, message_id, warp_id, source, destination, nonce, sender, recipient, relayer, reward_redeemer, fee_token,
    fee_amount, body)
  select b.height, ${isSent ? 100_000 : 200_000} + n, 0, ${repeated('aa', 32)}, 1, b.time, ${repeated('51', 20)}, ${isSent},
    ${bytes(`n + ${isSent ? 0 : COUNT}`, 32)}, ${isSent ? bytes('n', 32) : 'null'},
    ${isSent ? `${own}, ${bytes('n % 50', 32)}` : `${repeated('d0', 32)}, ${own}`}, n, ${repeated('99', 20)},
    case when n % 1000 = 0 then ${repeated('77', 20)} else ${repeated('88', 20)} end, null, null, null, null, ''
  from generate_series(1, ${COUNT}) n join block b on b.height = n % 100`,
)

/** Events of another contract for the id of a message. */
const EVENTS = `insert into icm_event (height, log_index, transaction_index, transaction_hash, gas_used, time, contract, kind,
    message_id, source, relayer, fee_token, fee_amount, body)
  select n % 100, 300000 + n, 0, ${repeated('aa', 32)}, 1, 1, ${repeated('66', 20)}, 'executed', ${bytes('1', 32)}, null, null,
    null, null, null from generate_series(1, ${COUNT}) n`

let store: EvmStore

beforeAll(async () => {
  // A distributed chain has the plans of its workers.
  store = await openEvm(await emptyDatabase())
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  const blocks = inventedChain({ seed: 3 })
    .grow(100)
    .map((parts) => withMessages(BlockReader.read(parts)))
  const addresses = (block: (typeof blocks)[number]) =>
    block.transactions.flatMap(({ logs }) => logs.map(({ address }) => address))
  await writer.commit(blocks.map((block) => ({ block, contracts: addresses(block).map(inventedFacts) })))
  await store.driver.transaction(async (session) => {
    for (const statement of [...MESSAGES, EVENTS, 'analyze']) await session.query(statement)
  })
})
afterAll(() => store.close())

const SENDER = `0x${'99'.repeat(20)}`
const [RARE, COMMON] = [`0x${'77'.repeat(20)}`, `0x${'88'.repeat(20)}`]
const NOBODY = `0x${'12'.repeat(20)}`
const FIRST = '1'.padStart(64, '0')

test.each([
  '/messages',
  '/messages?endTimestamp=1',
  `/messages?from=${SENDER}`,
  `/messages?to=${COMMON}`,
  `/messages?to=${RARE}`,
  `/messages?from=${NOBODY}`,
  `/addresses/${SENDER}/messages`,
  `/addresses/${NOBODY}/messages`,
  `/messages?blockchainId=${TEST_CHAIN.chainId}`,
  `/messages?sourceBlockchainId=${TEST_CHAIN.chainId}`,
  `/messages?from=${SENDER}&to=${RARE}`,
  `/messages?from=${SENDER}&to=${NOBODY}&sourceBlockchainId=${TEST_CHAIN.chainId}`,
  `/messages/${FIRST}`,
  `/messages/${FIRST}/story`,
])('reads a bounded number of rows of %s', async (path) => {
  const heard = listening(store as never)
  const context = await evmContextOf([heard.store as never])
  const server = await createEvm(icmEndpoints(context))
  let next: string | undefined = `/v1/icm${path}`
  for (let page = 0; page < 3 && next !== undefined; page++) {
    heard.take()
    const size = path.startsWith('/messages/') ? '' : `pageSize=${PAGE}`
    const url: string = `${next}${next.includes('?') ? '&' : '?'}${size}`
    const answer: LightMyRequestResponse = await server.inject(url)
    expect([next, [200, 404].includes(answer.statusCode)]).toEqual([next, true])
    for (const statement of heard.take()) {
      const plan = (await explain(store as never, statement, true)).join('\n')
      expect([statement.text, SCAN.exec(plan)?.[0]]).toEqual([statement.text, undefined])
      for (const [line, rows, loops] of plan.matchAll(READ)) {
        const isBounded = Number(rows) * Number(loops) <= MOST_READ
        expect([statement.text, isBounded ? 'bounded' : line]).toEqual([statement.text, 'bounded'])
      }
    }
    const token: string | undefined = answer.json<{ nextPageToken?: string }>().nextPageToken
    next = token === undefined ? undefined : `/v1/icm${path.split('?')[0]}?pageToken=${token}`
  }
  await server.close()
})
